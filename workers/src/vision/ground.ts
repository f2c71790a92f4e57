/**
 * Grounding: which of the product's series a picture shows. The recovered closes are compared with every window of every series by shape,
 * so neither symbol, interval nor price scale has to be readable.
 *
 * First by the correlation of the changes between neighbours, which are nearly independent from candle to candle: windows that cannot reach
 * the bar are dropped after some of their candles by the Cauchy-Schwarz inequality, so the search is exact. Then the closes themselves are
 * fitted by one straight line. A correlated market follows the changes for a while, but its errors add up, and the fit exposes it. Cost:
 * about twenty multiplications a window.
 */

/** Closes of a picture, up is more, in any unit that is linear (or logarithmic) in price; `index` ascends and may leave places out. */
export interface PictureCloses {
  index: readonly number[];
  close: readonly number[];
}

/** Closes of one of our series, oldest first, without a hole. */
export interface GroundSeries {
  symbol: string;
  interval: string;
  close: Float64Array;
}

export interface GroundMatch {
  /** Which of the series. */
  series: number;
  /** Candle of the series at place 0 of the picture. */
  start: number;
  /** Places of the picture. The last ones may lie beyond the series: a candle that has not closed. */
  count: number;
  /** First and last place of the picture that correlation, residual and line are of: a part where the whole did not match. */
  measured: { from: number; to: number };
  /** Correlation of the changes from close to close, the largest change left out where that is less. */
  correlation: number;
  /** Root mean square distance of the closes from the fitted line, as a share of the picture's range. */
  residual: number;
  scale: 'linear' | 'log';
  /** price (or its logarithm) = offset + slope x close of the picture. */
  slope: number;
  offset: number;
}

/** Fewer closes fit something in a large universe by chance. */
export const GROUND_CLOSES_MIN = 24;
const CORRELATION_MIN = 0.85;
const RESIDUAL_MAX = 0.02;
/** Standard deviations of Fisher's z that a match must exceed: one in 10^16 windows of independent changes. */
const SIGMAS_MIN = 8.5;
/** A logarithmic picture over a range of 3 keeps 0.96 of its correlation with plain prices. */
const BAR_FACTOR = 0.94;
const RETAINED_MAX = 64;

/** Least correlation that counts as verified for a picture of `count` changes. Calibrated in the tests. */
export const correlationNeeded = (count: number): number =>
  Math.max(CORRELATION_MIN, Math.tanh(SIGMAS_MIN / Math.sqrt(Math.max(1, count - 3))));

interface Query {
  /** By index; NaN where the picture has none. The last one is left out: its candle may not have closed. */
  closes: Float64Array;
  /** Change to the next place; 0 where one of the two is missing. */
  changes: Float64Array;
  used: number;
  /** Sum of squares of the changes from each place on. */
  restEnergy: Float64Array;
}

/** Candles at each end that may be something else, such as digits of the price axis. */
const ENDS = 8;
/** Share of the candles from one end on, where the others were misread. */
const PART_SHARE = 0.6;
/** Parts with fewer closes are not searched. */
const PART_MIN = 40;

/**
 * The verified match, or null. Deterministic; the best correlation wins. A few candles that are none, or a stretch that was misread, spoil
 * the whole, so the picture is searched without its ends, too, and by its first and its last three fifths. Each part has to reach the bar
 * for its length.
 */
export function groundChart(picture: PictureCloses, series: readonly GroundSeries[]): GroundMatch | null {
  const whole = matchOf(picture, series);
  if (whole !== null) return whole;
  const count = picture.index.length;
  const part = Math.ceil(count * PART_SHARE);
  for (const [from, end] of [
    [ENDS, count - ENDS],
    [0, part],
    [count - part, count],
  ] as const) {
    if (end - from < PART_MIN) continue;
    const match = matchOf({ index: picture.index.slice(from, end), close: picture.close.slice(from, end) }, series);
    if (match !== null)
      return extended(match, picture, { from, end, prices: (series[match.series] as GroundSeries).close });
  }
  return null;
}

/** Misfits in a row that end a match. */
const MISFITS_MAX = 2;

/** The match of a part, extended to the right as far as the candles of the picture go on lying on its line. */
function extended(
  match: GroundMatch,
  { index, close }: PictureCloses,
  { from, end, prices }: { from: number; end: number; prices: Float64Array },
): GroundMatch {
  const seen = close.slice(from, end);
  const range = Math.max(...seen) - Math.min(...seen);
  const isFit = (place: number, value: number): boolean => {
    const price = prices[match.start + place];
    // One candle may be younger than the series.
    if (price === undefined) return match.start + place === prices.length;
    const level = ((match.scale === 'log' ? Math.log(price) : price) - match.offset) / match.slope;
    return Math.abs(level - value) <= 3 * RESIDUAL_MAX * range;
  };
  let last = index[end - 1] as number;
  for (let at = end, missed = 0; at < index.length && missed <= MISFITS_MAX; at++) {
    const place = index[at] as number;
    if (isFit(place, close[at] as number)) {
      last = place;
      missed = 0;
    } else missed++;
  }
  return { ...match, count: last + 1 };
}

function matchOf(picture: PictureCloses, series: readonly GroundSeries[]): GroundMatch | null {
  const query = queryOf(picture);
  if (query.used < GROUND_CLOSES_MIN - 1) return null;
  const needed = correlationNeeded(query.used);
  const candidates = collect(query, series, needed * BAR_FACTOR);
  let best: GroundMatch | null = null;
  for (const { at, start } of candidates) {
    const { close } = series[at] as GroundSeries;
    for (const scale of ['linear', 'log'] as const) {
      const fit = fitOf(query, close, start, scale);
      if (fit.correlation < needed || fit.residual > RESIDUAL_MAX || fit.slope <= 0) continue;
      const count = query.closes.length + 1;
      if (best === null || fit.correlation - fit.residual > best.correlation - best.residual)
        best = { series: at, start, count, measured: { from: 0, to: count - 1 }, scale, ...fit };
    }
  }
  return best === null ? null : atFirstPlace(best, picture);
}

/** Places before the first that was read belong to the picture too. */
function atFirstPlace(match: GroundMatch, { index }: PictureCloses): GroundMatch {
  const first = index[0] ?? 0;
  const measured = { from: first, to: first + match.count - 1 };
  return { ...match, start: match.start - first, count: match.count + first, measured };
}

function queryOf({ index, close }: PictureCloses): Query {
  const first = index[0] ?? 0;
  const count = Math.max(0, (index.at(-1) ?? first) - first);
  const closes = new Float64Array(count).fill(Number.NaN);
  index.forEach((place, i) => {
    if (place - first < count) closes[place - first] = close[i] as number;
  });
  const changes = new Float64Array(Math.max(0, count - 1));
  let used = 0;
  for (let i = 0; i < changes.length; i++) {
    const change = (closes[i + 1] as number) - (closes[i] as number);
    if (Number.isNaN(change)) continue;
    changes[i] = change;
    used++;
  }
  const restEnergy = new Float64Array(changes.length + 1);
  for (let i = changes.length - 1; i >= 0; i--)
    restEnergy[i] = (restEnergy[i + 1] as number) + (changes[i] as number) ** 2;
  return { closes, changes, used, restEnergy };
}

interface Candidate {
  at: number;
  start: number;
  correlation: number;
}

/** The windows whose changes correlate at least `bar`, best first. */
function collect(query: Query, series: readonly GroundSeries[], bar: number): Candidate[] {
  const matches: Candidate[] = [];
  let least = bar;
  series.forEach(({ close }, at) => {
    scan(query, close, least, (start, correlation) => {
      matches.push({ at, start, correlation });
      if (matches.length < 2 * RETAINED_MAX) return;
      matches.sort((a, b) => b.correlation - a.correlation);
      matches.length = RETAINED_MAX;
      least = Math.max(bar, matches.at(-1)?.correlation ?? bar);
    });
  });
  return matches.sort((a, b) => b.correlation - a.correlation).slice(0, RETAINED_MAX);
}

/** Multiplications between two checks of the bound. */
const CHUNK = 8;

function scan(query: Query, close: Float64Array, bar: number, onMatch: (start: number, r: number) => void): void {
  const { changes, restEnergy } = query;
  const width = changes.length;
  const last = close.length - 1 - width;
  if (last < 0) return;
  const own = new Float64Array(close.length - 1);
  const energy = new Float64Array(close.length);
  for (let i = 0; i < own.length; i++) {
    const change = (close[i + 1] as number) - (close[i] as number);
    own[i] = change;
    energy[i + 1] = (energy[i] as number) + change * change;
  }
  const whole = restEnergy[0] as number;
  for (let start = 0; start <= last; start++) {
    const all = (energy[start + width] as number) - (energy[start] as number);
    if (all <= 0) continue;
    const needed = bar * Math.sqrt(whole * all);
    let dot = 0;
    let i = 0;
    while (i < width) {
      const end = Math.min(width, i + CHUNK);
      for (; i < end; i++) dot += (changes[i] as number) * (own[start + i] as number);
      const rest = (energy[start + width] as number) - (energy[start + i] as number);
      if (dot + Math.sqrt((restEnergy[i] as number) * Math.max(0, rest)) < needed) break;
    }
    if (i >= width && dot >= needed) onMatch(start, dot / Math.sqrt(whole * all));
  }
}

type Fit = Pick<GroundMatch, 'correlation' | 'residual' | 'slope' | 'offset'>;

/** The exact figures of one window, over the places that were read. */
function fitOf({ closes, changes }: Query, series: Float64Array, start: number, scale: 'linear' | 'log'): Fit {
  const price = (i: number): number => {
    const value = series[start + i] as number;
    return scale === 'log' ? Math.log(value) : value;
  };
  let [xy, xx, yy, largest] = [0, 0, 0, 0];
  let [xyLargest, yyLargest] = [0, 0];
  for (let i = 0; i < changes.length; i++) {
    const x = changes[i] as number;
    if (x === 0) continue;
    const y = price(i + 1) - price(i);
    xy += x * y;
    xx += x * x;
    yy += y * y;
    if (x * x > largest) [largest, xyLargest, yyLargest] = [x * x, x * y, y * y];
  }
  const correlation = Math.min(ratio(xy, xx * yy), ratio(xy - xyLargest, (xx - largest) * (yy - yyLargest)));
  return { correlation, ...lineOf(closes, price) };
}

/** One large candle alone must not make a match. */
const ratio = (product: number, squares: number): number => (squares > 0 ? product / Math.sqrt(squares) : 0);

/** Least squares of price on picture, and how far the picture is from it in its own unit. */
function lineOf(closes: Float64Array, price: (i: number) => number): Omit<Fit, 'correlation'> {
  let [n, sx, sy, sxx, sxy, low, high] = [0, 0, 0, 0, 0, Infinity, -Infinity];
  for (let i = 0; i < closes.length; i++) {
    const x = closes[i] as number;
    if (Number.isNaN(x)) continue;
    const y = price(i);
    n++;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  const slope = (sxy - (sx * sy) / n) / (sxx - (sx * sx) / n);
  const offset = (sy - slope * sx) / n;
  let squares = 0;
  for (let i = 0; i < closes.length; i++) {
    const x = closes[i] as number;
    if (!Number.isNaN(x)) squares += ((price(i) - offset) / slope - x) ** 2;
  }
  return { slope, offset, residual: Math.sqrt(squares / n) / (high - low) };
}
