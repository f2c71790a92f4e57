/** Box of the plot; the screen stretches it. */
export const plotSize = { width: 600, height: 160 } as const;
const EDGE = 4;

interface EquityLines {
  /** `x,y x,y …` of each curve in the box. */
  lines: string[];
  /** Height of no gain in the box. */
  zero: number;
  /** Highest and lowest gain, USDT; 0 is between them. */
  high: number;
  low: number;
}

/** Curves of gains on one scale, each stretched over the whole width. @param equities USDT, of any lengths */
export function linesOf(equities: readonly (readonly number[])[]): EquityLines {
  const gains = equities.map((equity) => equity.map((value) => value - (equity[0] ?? 0)));
  let [low, high] = [0, 0];
  for (const value of gains.flat()) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const yOf = (gain: number): number => {
    const share = (gain - low) / (high - low || 1);
    return plotSize.height - EDGE - share * (plotSize.height - 2 * EDGE);
  };
  const lines = gains.map((gain) => {
    const step = plotSize.width / Math.max(1, gain.length - 1);
    return gain.map((value, i) => `${(i * step).toFixed(1)},${yOf(value).toFixed(1)}`).join(' ');
  });
  return { lines, zero: yOf(0), high, low };
}
