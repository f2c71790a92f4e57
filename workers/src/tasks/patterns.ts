import { ANCHORS_MAX, SWING_WING } from '@sextant/engine-as/abi/formationKinds.ts';
import { formationRegistry } from '@sextant/engine-as/abi/formations.ts';
import { patternRegistry } from '@sextant/engine-as/abi/patterns.ts';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '@sextant/engine-as/abi/status.ts';
import { type Engine, OutOfMemory } from '../engine/engine.ts';
import type { Candles } from '../protocol/backtest.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type {
  PatternHit,
  PatternPoint,
  PatternRecordInput,
  PatternRecordResult,
  PatternsInput,
  PatternsResult,
} from '../protocol/vision.ts';
import { ok } from '../core/result.ts';
import { candleFields } from '../candles/candleColumns.ts';
import { validateCandles } from './validateCandles.ts';

const SERIES_MAX = 1000;

/** Every candlestick pattern and swing formation completed by one of the last candles, in the order of the candles. */
export function patterns(engine: Engine, { candles, lastCount }: PatternsInput): TaskResult<PatternsResult> {
  const valid = validateCandles(candles, 0);
  if (!valid.ok) return valid;
  const from = Math.max(0, candles.time.length - lastCount);
  const hits: PatternHit[] = [];
  eachPattern(engine, candles, (id, values, pointsOf) => {
    for (let index = from; index < values.length; index++) {
      const value = values[index] ?? 0;
      if (value !== 0) hits.push({ id, index, value, ...pointsOf(index) });
    }
  });
  return ok({ hits: hits.sort((a, b) => a.index - b.index) });
}

/** Counts what followed each pattern. Candles without `horizonCount` later ones count nowhere. */
export function patternRecord(
  engine: Engine,
  { series, horizonCount }: PatternRecordInput,
): TaskResult<PatternRecordResult> {
  if (!Number.isInteger(horizonCount) || horizonCount < 1)
    return fail('bad_input', `horizonCount is ${horizonCount}, must be at least 1`, 'horizonCount');
  if (series.length > SERIES_MAX)
    return fail('bad_input', `series holds ${series.length}, at most ${SERIES_MAX} are taken`, 'series');
  const matches: PatternRecordResult['patterns'] = {};
  const all = { count: 0, higherCount: 0, lowerCount: 0 };
  for (const candles of series) {
    const valid = validateCandles(candles, 0);
    if (!valid.ok) return valid;
    const { close } = candles;
    const moveAfter = (index: number): number => Math.sign((close[index + horizonCount] ?? 0) - (close[index] ?? 0));
    for (let index = 0; index + horizonCount < close.length; index++) {
      const move = moveAfter(index);
      all.count += 1;
      if (move > 0) all.higherCount += 1;
      if (move < 0) all.lowerCount += 1;
    }
    eachPattern(engine, candles, (id, values) => {
      for (let index = 0; index + horizonCount < values.length; index++) {
        const sign = Math.sign(values[index] ?? 0);
        if (sign === 0) continue;
        const counts = (matches[id] ??= {
          bullish: { count: 0, followedCount: 0 },
          bearish: { count: 0, followedCount: 0 },
        });
        const count = sign > 0 ? counts.bullish : counts.bearish;
        count.count += 1;
        if (moveAfter(index) === sign) count.followedCount += 1;
      }
    });
  }
  return ok({ patterns: matches, all, seriesCount: series.length, horizonCount });
}

type Take = (id: string, values: Int16Array, pointsOf: (index: number) => Pick<PatternHit, 'points'>) => void;

/** Calls `take` with the values of each pattern and formation. @throws OutOfMemory */
function eachPattern(engine: Engine, candles: Candles, take: Take): void {
  const mark = engine.raw.arenaMark();
  const length = candles.time.length;
  const addresses = candleFields.map((name) => engine.push(candles[name]));
  const columns = engine.reserveBytes(addresses.length * Int32Array.BYTES_PER_ELEMENT);
  engine.i32View(columns, addresses.length).set(addresses);
  const out = engine.reserveBytes(Math.max(1, length) * Int16Array.BYTES_PER_ELEMENT);
  for (const { id, kind, penetration = 0 } of patternRegistry) {
    const status = engine.raw.pattern(kind, columns, length, penetration, out);
    if (status === STATUS_OUT_OF_MEMORY) throw new OutOfMemory('no room for the running means of a pattern');
    if (status !== STATUS_OK) throw new Error(`pattern ${id}: status ${status}`);
    take(id, new Int16Array(engine.raw.memory.buffer, out, length), () => ({}));
  }
  const anchorsAt = engine.reserveBytes(Math.max(1, length) * ANCHORS_MAX * Int32Array.BYTES_PER_ELEMENT);
  for (const { id, kind } of formationRegistry) {
    const status = engine.raw.formation(kind, columns, length, out, anchorsAt);
    if (status === STATUS_OUT_OF_MEMORY) throw new OutOfMemory('no room for the swings of a formation');
    if (status !== STATUS_OK) throw new Error(`formation ${id}: status ${status}`);
    take(id, new Int16Array(engine.raw.memory.buffer, out, length), (index) => {
      const own = engine.i32View(anchorsAt + index * ANCHORS_MAX * Int32Array.BYTES_PER_ELEMENT, ANCHORS_MAX);
      const used = Array.from(own).filter((candle) => candle >= 0);
      return { points: used.map((candle) => ({ index: candle, side: sideOf(candles, candle, index) })) };
    });
  }
  engine.raw.arenaRelease(mark);
}

/** A swing stands out on one side only; the candle that completes a formation is no swing. */
function sideOf({ high }: Candles, candle: number, completedAt: number): PatternPoint['side'] {
  if (candle === completedAt) return 'close';
  const before = high.subarray(Math.max(0, candle - SWING_WING), candle);
  const after = high.subarray(candle + 1, candle + 1 + SWING_WING);
  const top = high[candle] ?? 0;
  return before.every((each) => each < top) && after.every((each) => each <= top) ? 'high' : 'low';
}
