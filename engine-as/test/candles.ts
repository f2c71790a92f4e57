/** Candles for tests: hand-made, seeded and published. */

export const candleColumns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

export type Columns = Record<(typeof candleColumns)[number], Float64Array<ArrayBuffer>>;

const HOUR_MS = 3_600_000;

/** Candles whose open, high and low follow from the closes when they are not given; hourly from a UTC midnight. */
export function candlesOf(
  close: readonly number[],
  rest: {
    high?: readonly number[];
    low?: readonly number[];
    volume?: readonly number[];
    time?: readonly number[];
  } = {},
): Columns {
  return {
    time: Float64Array.from(rest.time ?? close.map((_, i) => i * HOUR_MS)),
    open: Float64Array.from(close),
    high: Float64Array.from(rest.high ?? close),
    low: Float64Array.from(rest.low ?? close),
    close: Float64Array.from(close),
    volume: Float64Array.from(rest.volume ?? close.map(() => 1)),
  };
}

/** The generator written down in golden-indicators.json: exact operations only, so every host gives the same bits. */
export function goldenWalk(count: number, seed = 12345, startMs = 1704067200000): Columns {
  let state = seed >>> 0;
  const uniform = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  const cents = (x: number): number => Math.floor(x * 100 + 0.5) / 100;
  const candles = emptyColumns(count);
  let price = 30000;
  for (let i = 0; i < count; i++) {
    const z = uniform() + uniform() + uniform() + uniform() - 2;
    const close = cents(Math.max(100, price + price * z * 0.006 - (price - 30000) * 0.0005));
    candles.high[i] = cents(Math.max(price, close) + price * uniform() * 0.003);
    candles.low[i] = cents(Math.min(price, close) - price * uniform() * 0.003);
    const turnover = uniform();
    candles.time[i] = startMs + i * HOUR_MS;
    candles.open[i] = price;
    candles.close[i] = close;
    candles.volume[i] = Math.floor((50 + 950 * turnover * uniform()) * 1000 + 0.5) / 1000;
    price = close;
  }
  return candles;
}

export interface MarketShape {
  /** Typical move of a candle, fraction. */
  volatility?: number;
  /** Share of candles that repeat the close before with no range and no volume. */
  frozen?: number;
  price?: number;
  stepMs?: number;
}

/** A rougher market: bursts, gaps, frozen stretches, candles without volume. Same seed, same bits. */
export function roughMarket(count: number, seed: number, shape: MarketShape = {}): Columns {
  const { volatility = 0.01, frozen = 0.05, price: start = 100, stepMs = HOUR_MS / 4 } = shape;
  const uniform = mulberry(seed);
  const candles = emptyColumns(count);
  let price = start;
  for (let i = 0; i < count; i++) {
    candles.time[i] = 1704067200000 + i * stepMs;
    const isFrozen = uniform() < frozen;
    const burst = uniform() < 0.02 ? 8 : 1;
    const open = isFrozen ? price : price * (1 + (uniform() - 0.5) * volatility * 0.2);
    const close = isFrozen ? price : Math.max(start * 1e-3, open * (1 + (uniform() - 0.5) * volatility * burst));
    candles.open[i] = open;
    candles.close[i] = close;
    candles.high[i] = isFrozen ? price : Math.max(open, close) * (1 + uniform() * volatility * 0.3);
    candles.low[i] = isFrozen ? price : Math.min(open, close) * (1 - uniform() * volatility * 0.3);
    candles.volume[i] = isFrozen || uniform() < 0.03 ? 0 : Math.exp(uniform() * 8);
    price = close;
  }
  return candles;
}

/** Every candle the same. */
export function flatMarket(count: number, price = 100, volume = 1000): Columns {
  return candlesOf(Array<number>(count).fill(price), { volume: Array<number>(count).fill(volume) });
}

export function firstCandles(candles: Columns, count: number): Columns {
  const cut = Object.entries(candles).map(([name, column]) => [name, column.slice(0, count)]);
  return Object.fromEntries(cut) as Columns;
}

export function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

export function emptyColumns(count: number): Columns {
  return Object.fromEntries(candleColumns.map((name) => [name, new Float64Array(count)])) as Columns;
}
