import type { Candles } from '../protocol/backtest.ts';

/** Candles as differences in whole ticks and lots, which compress well as text. */
export interface PackedCandles {
  startMs: number;
  intervalMs: number;
  priceDecimals: number;
  quantityDecimals: number;
  /** Open minus the close before; the first open itself. */
  gap: readonly number[];
  /** Close minus open, high above the body, low below it. */
  body: readonly number[];
  above: readonly number[];
  below: readonly number[];
  lots: readonly number[];
}

/** One candle in whole ticks and whole lots. */
interface TickCandle {
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
}

/** @param candles oldest first, without a hole */
export const packCandles = (
  candles: readonly TickCandle[],
  terms: Pick<PackedCandles, 'startMs' | 'intervalMs' | 'priceDecimals' | 'quantityDecimals'>,
): PackedCandles => ({
  ...terms,
  gap: candles.map(({ open }, i) => open - (candles[i - 1]?.close ?? 0)),
  body: candles.map(({ open, close }) => close - open),
  above: candles.map(({ open, high, close }) => high - Math.max(open, close)),
  below: candles.map(({ open, low, close }) => Math.min(open, close) - low),
  lots: candles.map(({ lots }) => lots),
});

export function unpackCandles(packed: PackedCandles): Candles {
  const { startMs, intervalMs, priceDecimals, quantityDecimals, gap, body, above, below, lots } = packed;
  const price = (ticks: number): number => ticks / 10 ** priceDecimals;
  const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
  const candles = Object.fromEntries(columns.map((name) => [name, new Float64Array(gap.length)])) as unknown as Candles;
  let ticks = 0;
  gap.forEach((step, i) => {
    const open = ticks + step;
    ticks = open + (body[i] ?? 0);
    candles.time[i] = startMs + i * intervalMs;
    candles.open[i] = price(open);
    candles.close[i] = price(ticks);
    candles.high[i] = price(Math.max(open, ticks) + (above[i] ?? 0));
    candles.low[i] = price(Math.min(open, ticks) - (below[i] ?? 0));
    candles.volume[i] = (lots[i] ?? 0) / 10 ** quantityDecimals;
  });
  return candles;
}
