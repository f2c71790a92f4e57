import { SignalFeatures } from '../../aicheck/features.ts';
import type { ScanResults } from '../contract.ts';

type Result = ScanResults['all'][number];

/** `ema_cross` on `15m` as one name without separators. */
const nameOf = (vote: string, interval: string): string =>
  `${vote}-${interval}`.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, next: string) => next.toUpperCase()).slice(0, 32);

/** What an analyst gets to see of a stored result; undefined for one that lacks a figure it is judged by. */
export function featuresOf(result: Result): SignalFeatures | undefined {
  const { symbol, interval, direction, score, confidence, price, stopLoss, takeProfit, meta } = result;
  const parsed = SignalFeatures.safeParse({
    symbol,
    interval,
    direction,
    score,
    confidence,
    entryPrice: price,
    stopLossPrice: stopLoss,
    takeProfitPrice: takeProfit,
    atrFraction: (meta.atr ?? Number.NaN) / price,
    contributions: result.contributions.map(({ vote, interval: of, contribution }) => ({
      name: nameOf(vote, of),
      points: contribution,
    })),
    candleCloseAtMs: Date.parse(result.candle_close_at),
  });
  return parsed.success ? parsed.data : undefined;
}
