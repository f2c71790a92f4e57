import type { Candles } from '@sextant/workers/src/protocol.ts';

/** Candles as differences in whole ticks and lots; server/fakes/exchanges/demoCandles.ts writes it. */
export interface PackedCandles {
  symbol: string;
  seed: number;
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
