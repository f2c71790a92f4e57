import type { Engine } from '../../engine/engine.ts';
import type { Candles } from '../../protocol/backtest.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { ReplayInput, ReplayResult } from '../../protocol/positions.ts';
import { CLOSE_GUARDS, type StepEvent, type WatchedBar } from '../../positions/bookTypes.ts';
import { PositionBook } from '../../positions/positionBook.ts';
import { validateCandles } from '../validateCandles.ts';
import { check, firstFailure } from '../validateParams.ts';
import { validatePosition } from './validatePosition.ts';
import { ok } from '../../core/result.ts';

const KEY = 'replayed';

/** Steps one position again over closed candles, with the book of the live watch: the same guards, the same step, the same trailing. */
export function replay(engine: Engine, { position, candles, spanMs, ranges }: ReplayInput): TaskResult<ReplayResult> {
  const count = candles.time.length;
  const valid = firstFailure([
    () => validatePosition(position, 'position'),
    () => validateCandles(candles),
    () => check('spanMs', spanMs, { min: 1000, max: 86_400_000 }),
    () => check('ranges.length', ranges?.length ?? count, { min: count, max: count }, true),
  ]);
  if (!valid.ok) return valid;
  const book = new PositionBook(engine, CLOSE_GUARDS);
  book.add(KEY, position);
  const stops = new Float64Array(count).fill(Number.NaN);
  let stop = position.stopPrice;
  let armedAtMs: number | null = null;
  for (let i = 0; i < count && book.size > 0; i++) {
    for (const event of book.candle(KEY, barAt(candles, i, spanMs), () => ranges?.[i] ?? Number.NaN)) {
      if (event.kind === 'armed') armedAtMs = event.atMs;
      if (event.kind === 'trail_raised') stop = event.to;
      if (event.kind === 'closed') return ok({ closed: closeOf(event), stops, armedAtMs });
    }
    stops[i] = stop;
  }
  return ok({ closed: null, stops, armedAtMs });
}

const closeOf = ({ atMs, price, reason, exitFee, isAmbiguous }: Extract<StepEvent, { kind: 'closed' }>) => ({
  atMs,
  price,
  reason,
  exitFee,
  isAmbiguous,
});

/** A column has a value in every row: its length was checked. */
export const barAt = (candles: Candles, i: number, spanMs: number): WatchedBar => ({
  timeMs: candles.time[i] ?? Number.NaN,
  spanMs,
  open: candles.open[i] ?? Number.NaN,
  high: candles.high[i] ?? Number.NaN,
  low: candles.low[i] ?? Number.NaN,
  close: candles.close[i] ?? Number.NaN,
  volume: candles.volume[i] ?? Number.NaN,
});
