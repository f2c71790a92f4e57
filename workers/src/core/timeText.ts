/** Times and durations in words, for messages of every package. */

/** `2026-01-03 13:05 UTC`. @param ms epoch ms of a valid date */
export const utcText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const steps = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Two units at most: `2 d 4 h`, `15 min`, `8 s`; below a second `0.4 s`. @param durationMs finite, >= 0 */
export function durationText(durationMs: number): string {
  if (durationMs < 1000) return `${(durationMs / 1000).toFixed(1)} s`;
  const first = steps.findIndex(([, size]) => durationMs >= size);
  const parts: string[] = [];
  let rest = durationMs;
  for (const [name, size] of steps.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(' ');
}
