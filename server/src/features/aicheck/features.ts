import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { SYMBOL_PATTERN } from '@sextant/workers/src/core/symbolPattern.ts';
import { z } from 'zod';

const level = z.number().positive();

/**
 * The engine's figures of one signal: the complete input of an analyst. Every text is a name from a fixed alphabet without spaces, so
 * that it cannot contain an instruction.
 */
export const SignalFeatures = z.strictObject({
  symbol: z.string().regex(new RegExp(SYMBOL_PATTERN)),
  interval: z.enum(intervals),
  direction: z.enum(['LONG', 'SHORT']),
  /** -1 to 1, and 0 to 1. */
  score: z.number().min(-1).max(1),
  confidence: z.number().min(0).max(1),
  entryPrice: level,
  stopLossPrice: level,
  takeProfitPrice: level,
  /** ATR divided by the price. */
  atrFraction: z.number().positive().max(1),
  /** Contribution of each vote; they sum to the score. */
  contributions: z
    .array(z.strictObject({ name: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,31}$/), points: z.number().min(-1).max(1) }))
    .min(1)
    .max(200),
  /** Epoch ms of the close the signal is based on. */
  candleCloseAtMs: z.int().positive(),
  /** Minimum |score| of the saved strategy, whose exits define the levels. Absent for Live rules, and when a model judges. */
  ownThreshold: z.number().positive().max(1).optional(),
});
export type SignalFeatures = z.infer<typeof SignalFeatures>;

export const stopFraction = ({ entryPrice, stopLossPrice }: SignalFeatures): number =>
  Math.abs(stopLossPrice / entryPrice - 1);
export const targetFraction = ({ entryPrice, takeProfitPrice }: SignalFeatures): number =>
  Math.abs(takeProfitPrice / entryPrice - 1);

/** Whether stop and target are on the correct sides of the entry. */
export function levelsFit({ direction, entryPrice, stopLossPrice, takeProfitPrice }: SignalFeatures): boolean {
  return direction === 'LONG'
    ? stopLossPrice < entryPrice && entryPrice < takeProfitPrice
    : takeProfitPrice < entryPrice && entryPrice < stopLossPrice;
}
