import type { Trade } from '@sextant/workers/src/protocol.ts';

export interface PlotFrame {
  width: number;
  height: number;
}

/** Both axes end at the largest excursion there is, so that the diagonal means "as far against as in favour". */
export function excursionScale(trades: readonly Trade[]): number {
  const most = trades.reduce(
    (largest, trade) => Math.max(largest, trade.adverseExcursionFraction, trade.favourableExcursionFraction),
    0,
  );
  return most > 0 ? most : 0.01;
}

/** Where a trade stands, CSS pixels. */
export function placeOf(trade: Trade, { width, height }: PlotFrame, scale: number): { x: number; y: number } {
  return {
    x: 44 + (trade.adverseExcursionFraction / scale) * (width - 50),
    y: height - 18 - (trade.favourableExcursionFraction / scale) * (height - 22),
  };
}

const REACH_PX = 14;

/** The trade nearest to a place, within reach; null when there is none. */
export function nearestTrade(
  trades: readonly Trade[],
  frame: PlotFrame,
  place: { x: number; y: number },
): number | null {
  const scale = excursionScale(trades);
  let found: number | null = null;
  let least = REACH_PX ** 2;
  trades.forEach((trade, at) => {
    const { x, y } = placeOf(trade, frame, scale);
    const distance = (x - place.x) ** 2 + (y - place.y) ** 2;
    if (distance <= least) [found, least] = [at, distance];
  });
  return found;
}
