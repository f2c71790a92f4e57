/** uPlot draws `null` as a gap and stumbles over NaN: this is where the engine's columns change hands. */
export type PlotColumn = (number | null)[];

export function plotColumn(values: ArrayLike<number>, scale = 1): PlotColumn {
  return Array.from(values, (value) => (Number.isFinite(value) ? value * scale : null));
}

/** A column of the scored window on the axis of all loaded candles: empty where the indicators only warmed up. */
export function alignToLoaded(scored: ArrayLike<number>, loadedCount: number, scale = 1): PlotColumn {
  const from = loadedCount - scored.length;
  return Array.from({ length: loadedCount }, (_, i) => {
    const value = scored[i - from];
    return value !== undefined && Number.isFinite(value) ? value * scale : null;
  });
}

/**
 * Fall of equity from its running peak, in percent of the peak, 0 or below.
 * @param startEquity USDT before the first candle; a loss in the first candle is a drawdown too
 */
export function drawdownPct(equity: ArrayLike<number>, startEquity: number): Float64Array {
  const out = new Float64Array(equity.length);
  let peak = startEquity;
  for (let i = 0; i < out.length; i++) {
    const value = equity[i] ?? NaN;
    if (value > peak) peak = value;
    out[i] = peak > 0 ? ((value - peak) / peak) * 100 : 0;
  }
  return out;
}
