import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { BookPosition } from '@sextant/workers/src/positions/bookTypes.ts';
import type { SizeRefusal, SizingMarket } from '@sextant/workers/src/positions/sizing.ts';
import type { Candles, EnginePool } from '@sextant/workers/src/protocol.ts';
import { WordedError } from '../../../api/failure.ts';
import { intervalToMs } from '../../../api/candles.ts';
import { fetchCandles } from '../../../api/market.ts';
import type { PositionView } from '../../../api/positionView.ts';
import type { Preferences } from '../../../api/types.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { formatMoney } from '../../../format/number.ts';
import {
  accountOf,
  asItMightBe,
  asItWas,
  type Ending,
  rangesAt,
  recordedEnding,
  replayEnding,
  type WhatIf,
  windowOf,
} from './scenario.ts';

/** Candles before the opening that the first range needs to settle. */
const WARMUP_COUNT = 200;

/** What an opening of today would be sized by: the saved settings, and what the exchange takes of the symbol. */
export interface SizingBasis {
  preferences: Preferences;
  market: SizingMarket;
}

export interface WhatIfAnswer {
  recorded: Ending;
  /** The same position replayed: where it differs from what is recorded, a price between candles decided. */
  replayed: Ending;
  changed: Ending;
  /** Of the changed position. */
  size: ChangedSize;
  /** Candles that were replayed, and whether there would have been more. */
  count: number;
  isCut: boolean;
}

export interface ChangedSize {
  quantity: number;
  leverage: number;
  /** With stop slippage and both fees, USDT; null: the recorded size was kept. */
  lossAtStopUsdt: number | null;
  /** Less than the risk allows, because the balance is no more. */
  isReduced: boolean;
}

/**
 * Replays a closed position as it was and as it might have been, on the same candles.
 * @param basis null: not known, so nothing can be sized anew
 * @throws Error in words for the page
 */
export async function runWhatIf(
  position: PositionView,
  change: WhatIf,
  basis: SizingBasis | null,
  nowMs: number,
): Promise<WhatIfAnswer> {
  const recorded = recordedEnding(position);
  const window = windowOf(position, nowMs);
  if (recorded === null || window === null)
    throw new WordedError('No whole minute has passed since the opening. Try again in a minute.');
  const { symbol } = position;
  const { candles } = await fetchCandles({ symbol, interval: '1m', limit: window.count, endTimeMs: window.endMs });
  if (candles.time.length === 0) throw new WordedError('The exchange has no candles for this position.');
  const pool = await enginePool();
  const live = async (lived: BookPosition): Promise<Ending> => {
    const ranges = lived.atr === null ? null : await rangesFor(pool, symbol, lived.atr, candles);
    const result = await pool.run('replay', { position: lived, candles, spanMs: MINUTE_MS, ranges });
    if (!result.ok) throw new WordedError(result.error.message);
    return replayEnding(lived, candles, result.value);
  };
  const sized = await sizeChanged(pool, asItMightBe(position, change), change, basis);
  const [replayed, changed] = await Promise.all([live(asItWas(position)), live(sized.position)]);
  return { recorded, replayed, changed, size: sized.size, count: candles.time.length, isCut: window.isCut };
}

async function sizeChanged(
  pool: EnginePool,
  position: BookPosition,
  { sizedBy }: WhatIf,
  basis: SizingBasis | null,
): Promise<{ position: BookPosition; size: ChangedSize }> {
  const { quantity, leverage } = position;
  if (sizedBy === null) return { position, size: { quantity, leverage, lossAtStopUsdt: null, isReduced: false } };
  if (basis === null) throw new WordedError('Your settings or the rules of the symbol could not be read. Try again.');
  const account = accountOf(basis.preferences, sizedBy.riskPct);
  const result = await pool.run('size', { position, account, market: basis.market });
  if (!result.ok) throw new WordedError(result.error.message);
  const { size } = result.value;
  if (size.refusal !== null) throw new WordedError(refusalWords(size.refusal));
  const { lossAtStopUsdt, isReduced } = size;
  return {
    position: result.value.position,
    size: { quantity: size.quantity, leverage: size.leverage, lossAtStopUsdt, isReduced },
  };
}

/** A size that follows from the risk is refused for one of two reasons: the loss or the margin of the smallest position. */
function refusalWords({ detail, value, limit }: SizeRefusal): string {
  const [has, wants] = [formatMoney(value), formatMoney(limit)];
  return detail === 'margin_full'
    ? `The smallest position needs a margin of ${wants} USDT with its fee, and the balance is ${has} USDT.`
    : `The exchange's smallest position would lose ${has} USDT at this stop, more than the ${wants} USDT at risk. Raise the risk or move the stop nearer.`;
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
    symbol,
    limit,
    endTimeMs,
    interval: interval as PositionView['interval'],
  });
  const result = await pool.run('indicators', { candles, requests: [{ id: 'atr', params: { period } }] });
  if (!result.ok) throw new WordedError(result.error.message);
  const values = Object.values(result.value.series['atr'] ?? {})[0] ?? new Float64Array();
  const closesMs = candles.time.map((openMs) => openMs + spanMs);
  return rangesAt(minutes.time, closesMs, values);
}
