import { isMeasurement, isMismatch, isSkipped, type Environment, type ResultLine } from './results.ts';

const columns = ['case', 'figure', 'unit', 'against', 'ratio', 'margin'] as const;

/** Formats the result lines as a text table. */
export function formatTable(lines: readonly ResultLine[]): string {
  const rows = lines.filter((line) => !isMismatch(line)).map(toRow);
  const table: string[][] = [[...columns], ...rows];
  const widths = columns.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const text = table.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
  return [...text, ...lines.filter(isMismatch).map((line) => `MISMATCH ${line.case}: ${line.mismatch}`)].join('\n');
}

function toRow(line: ResultLine): string[] {
  if (isSkipped(line)) return [line.case, '', '', line.against, 'skipped', line.skipped];
  if (!isMeasurement(line)) return [];
  const { figure, unit, against = '', ratio, margin } = line;
  return [
    line.case,
    digits(figure),
    unit,
    against,
    ratio === undefined ? '' : `${digits(ratio)}x`,
    margin === undefined ? '' : `±${(margin * 100).toFixed(1)} %`,
  ];
}

/** Numbers to the right, words to the left. */
function pad(cell: string, width: number, column: number): string {
  return columns[column] === 'figure' || columns[column] === 'ratio' ? cell.padStart(width) : cell.padEnd(width);
}

export function digits(value: number): string {
  return value >= 10_000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}

export function formatEnvironment({ node, cpu, cores, commit, engine, load1, date }: Environment): string {
  const busy = load1 > cores ? ' (busier than it has cores: read the ratios, not the figures)' : '';
  return [
    `node ${node}, ${cpu}, ${cores} cores, load ${load1}${busy}`,
    `commit ${commit}, engine ${engine.slice(0, 12)}, ${date}`,
  ].join('\n');
}
