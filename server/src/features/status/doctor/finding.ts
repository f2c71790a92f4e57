/** `problem` needs an operator now and makes the exit code 1. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem';
  area: 'node' | 'database' | 'clocks' | 'leaders' | 'queues' | 'venues' | 'money' | 'disk';
  text: string;
  /** Section of docs/runbooks.md. */
  runbook?: string;
}

export const seconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} s`;
export const bytes = (value: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)));
  const scaled = value / 1000 ** at;
  return `${scaled.toFixed(at === 0 || Math.abs(scaled) >= 100 ? 0 : 1)} ${units[at] ?? ''}`;
};
