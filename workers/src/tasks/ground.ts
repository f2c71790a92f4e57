import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type { GroundInput, GroundResult } from '../protocol/vision.ts';
import { ok } from '../core/result.ts';
import { groundChart } from '../vision/ground.ts';

/** Bounds the time of one task: 128 symbols on 4 intervals with 5,000 candles are 2.6 million. */
const CANDLES_MAX = 4_000_000;
const PLACES_MAX = 4000;

/** Searches our series for the one a picture shows (vision/ground.ts). */
export function ground({ picture, series }: GroundInput): TaskResult<GroundResult> {
  const { index, close } = picture;
  const isAscending = index.every((place, i) => Number.isInteger(place) && (i === 0 || place > (index[i - 1] ?? 0)));
  const span = (index.at(-1) ?? 0) - (index[0] ?? 0);
  if (index.length !== close.length || !isAscending || (index[0] ?? 0) < 0 || span > PLACES_MAX)
    return fail('bad_input', 'picture.index must ascend from 0 and match picture.close', 'picture.index');
  if (!close.every((value) => Number.isFinite(value)))
    return fail('bad_input', 'picture.close must be finite', 'picture.close');
  const candleCount = series.reduce((sum, each) => sum + each.close.length, 0);
  if (candleCount > CANDLES_MAX)
    return fail('bad_input', `series hold ${candleCount} candles, at most ${CANDLES_MAX} are taken`, 'series');
  return ok({ match: groundChart(picture, series), seriesCount: series.length, candleCount });
}
