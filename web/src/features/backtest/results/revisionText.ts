import type { CandleRevision } from '../verify.ts';

const valueNames = ['open', 'high', 'low', 'close', 'volume'] as const;

/** `close 100.5, later 101.2`, for each value that changed. */
export function revisionText({ first, revised }: CandleRevision): string {
  if (first === null) return `close ${revised.close}; the first version is lost`;
  return valueNames
    .filter((name) => first[name] !== revised[name])
    .map((name) => `${name} ${first[name]}, later ${revised[name]}`)
    .join('; ');
}
