import type { BookPosition } from '@sextant/workers/src/positions/bookTypes.ts';
import type { Candles, EnginePool } from '@sextant/workers/src/protocol.ts';
import { WordedError } from '../../../api/failure.ts';
import { intervalToMs } from '../../../api/candles.ts';
import { fetchCandles } from '../../../api/market.ts';
import type { PositionView } from '../../../api/positionView.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import {
  asItMightBe,
  asItWas,
  type Ending,
  MINUTE_MS,
  rangesAt,
  recordedEnding,
  replayEnding,
  type WhatIf,
  windowOf,
} from './scenario.ts';

/** Candles before the opening that the first range needs to settle. */
const WARMUP_COUNT = 200;

export interface WhatIfAnswer {
  recorded: Ending;
  /** The same position replayed: where it differs from what is recorded, a price between candles decided. */
  replayed: Ending;
  changed: Ending;
  /** Candles that were replayed, and whether there would have been more. */
  count: number;
  isCut: boolean;
}

/** Replays a closed position as it was and as it might have been, on the same candles. @throws Error in words for the page */
export async function runWhatIf(position: PositionView, change: WhatIf, nowMs: number): Promise<WhatIfAnswer> {
  const recorded = recordedEnding(position);
  const window = windowOf(position, nowMs);
  if (recorded === null || window === null)
    throw new WordedError('No whole minute has passed since the opening. Try again in a minute.');
  const { symbol } = position;
  const { candles } = await fetchCandles({ symbol, interval: '1m', limit: window.count, endTimeMs: window.endMs });
  if (candles.time.length === 0) throw new WordedError('The exchange has no candles of its life.');
  const pool = await enginePool();
  const live = async (lived: BookPosition): Promise<Ending> => {
    const ranges = lived.atr === null ? null : await rangesFor(pool, symbol, lived.atr, candles);
    const result = await pool.run('replay', { position: lived, candles, spanMs: MINUTE_MS, ranges });
    if (!result.ok) throw new WordedError(result.error.message);
    return replayEnding(lived, candles, result.value);
  };
  const [replayed, changed] = await Promise.all([live(asItWas(position)), live(asItMightBe(position, change))]);
  return { recorded, replayed, changed, count: candles.time.length, isCut: window.isCut };
}

async function rangesFor(
  pool: EnginePool,
  symbol: string,
  { interval, period }: NonNullable<BookPosition['atr']>,
  minutes: Candles,
): Promise<Float64Array> {
  const spanMs = intervalToMs(interval);
  const startMs = minutes.time[0] ?? 0;
  const endTimeMs = (minutes.time.at(-1) ?? startMs) + MINUTE_MS;
  const limit = Math.ceil((endTimeMs - startMs) / spanMs) + WARMUP_COUNT + period;
  const { candles } = await fetchCandles({
    ...{ symbol, limit, endTimeMs },
    interval: interval as PositionView['interval'],
  });
  const result = await pool.run('indicators', { candles, requests: [{ id: 'atr', params: { period } }] });
  if (!result.ok) throw new WordedError(result.error.message);
  const values = Object.values(result.value.series['atr'] ?? {})[0] ?? new Float64Array();
  const closesMs = candles.time.map((openMs) => openMs + spanMs);
  return rangesAt(minutes.time, closesMs, values);
}
