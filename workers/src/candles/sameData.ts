/** Which candles a set was judged on. */
export interface DataMark {
  /** Of the candles themselves. */
  hash: string;
  /** Where they came from: `binance BTCUSDT 1h`; null for a file. */
  series: string | null;
  /** Opens of the first and the last scored candle, epoch ms. */
  fromMs: number;
  toMs: number;
}

/** Windows that share at least half of the shorter one. */
function isSameTime(a: DataMark, b: DataMark): boolean {
  const shared = Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs);
  return shared > 0 && shared >= Math.min(a.toMs - a.fromMs, b.toMs - b.fromMs) / 2;
}

/**
 * The same data for trial counts: identical candles, or windows of one market that share at least half of the shorter one. The next candle
 * makes another window, but results found in the previous one still apply.
 */
export function isSameData(a: DataMark, b: DataMark): boolean {
  if (a.hash === b.hash) return true;
  return a.series !== null && a.series === b.series && isSameTime(a, b);
}

/** Another market of an exchange over the same dates: choosing the best of several markets is a search, too. */
export const isSameFamily = (a: DataMark, b: DataMark): boolean =>
  a.series !== null && b.series !== null && a.series !== b.series && isSameTime(a, b);

/** Trials, and results seen on the scored candles. */
export interface TrialCount {
  trials: number;
  looks: number;
}

/** Searches on other markets over the same dates. */
export interface TrialFamily extends TrialCount {
  markets: number;
}

interface CountedData extends DataMark, TrialCount {
  isSearch: boolean;
}

const sumOf = (rows: readonly TrialCount[]): TrialCount =>
  rows.reduce((sum, { trials, looks }) => ({ trials: sum.trials + trials, looks: sum.looks + looks }), {
    trials: 0,
    looks: 0,
  });

/** Trials on the data. */
export const countOn = (rows: readonly CountedData[], data: DataMark): TrialCount =>
  sumOf(rows.filter((row) => isSameData(row, data)));

/** What searches tried on other markets over the same dates. */
export function familyOf(rows: readonly CountedData[], data: DataMark): TrialFamily {
  const found = rows.filter((row) => row.isSearch && isSameFamily(row, data));
  return { ...sumOf(found), markets: new Set(found.map(({ series }) => series)).size };
}

/** Searches over many markets, in words; empty for one. */
export const familyWords = ({ trials, markets }: TrialFamily): string =>
  markets === 0
    ? ''
    : `${trials.toLocaleString('en-US')} of them in searches on ${markets} other ${markets === 1 ? 'market' : 'markets'} over the same dates: one family`;
