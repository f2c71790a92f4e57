import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { candleWindow, fundingWithin } from '@sextant/workers/src/candles/candleWindow.ts';
import { alignMarks } from '@sextant/workers/src/candles/minutes.ts';
import type { Candles, MarkPrices } from '@sextant/workers/src/protocol/backtest.ts';
import type { RuleInputs } from '@sextant/workers/src/protocol/ensemble.ts';
import { awaitsSettlement, readsOf } from '@sextant/workers/src/rules/liveInputs.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';

/** Series that own rules read beside the candles of a symbol. */

export interface RuleInputsRequest {
  exchange: ExchangeId;
  symbol: string;
  userId?: string;
  purpose?: 'direct' | 'scan';
  signal?: AbortSignal;
  interval: Interval;
  candles: Candles;
}

type Source = Pick<Market, 'candles' | 'fundingHistory'>;

/**
 * What the rules of a strategy read at the close of the last candle; undefined when they read candles alone. Null while a part of it is
 * unavailable: a settlement or a mark price that arrives later would make another signal of the same candle.
 */
export async function loadRuleInputs(
  market: Source,
  strategy: Pick<Strategy, 'rules' | 'intervals'>,
  request: RuleInputsRequest,
): Promise<RuleInputs | undefined | null> {
  const reads = readsOf(strategy);
  if (!reads.funding && !reads.mark) return undefined;
  const funding = reads.funding ? await loadFunding(market, request) : undefined;
  if (funding === null) return null;
  const markPrices = reads.mark ? await loadMarks(market, request) : undefined;
  return markPrices === null ? null : withoutUndefined({ funding, markPrices });
}

/** An exchange has published nearly every settlement by then. */
const PUBLISHED_MS = 2 * MINUTE_MS;

async function loadFunding(
  market: Source,
  { interval, candles, ...place }: RuleInputsRequest,
): Promise<RuleInputs['funding'] | null> {
  const { fromMs, untilMs: closeMs } = candleWindow(candles.time, intervalMs[interval]);
  const nowMs = Math.max(Date.now(), closeMs + 1);
  // One read serves every scan of a candle; a settlement that is late is read again.
  for (const untilMs of new Set([Math.min(nowMs, closeMs + PUBLISHED_MS), nowMs])) {
    const response = await market.fundingHistory({ ...place, sinceMs: fromMs, untilMs });
    if (!response.ok) return null;
    const { value } = response.value;
    if (awaitsSettlement(value.time, closeMs)) continue;
    const { time, rate } = fundingWithin(value, { fromMs, untilMs: closeMs + 1 });
    return { time, rate };
  }
  return null;
}

async function loadMarks(
  market: Source,
  { interval, candles, ...place }: RuleInputsRequest,
): Promise<MarkPrices | null> {
  const { fromMs, untilMs } = candleWindow(candles.time, intervalMs[interval]);
  const limit = Math.round((untilMs - fromMs) / intervalMs[interval]);
  const response = await market.candles({ ...place, interval, limit, endTimeMs: untilMs, price: 'mark' });
  if (!response.ok) return null;
  const marks = response.value.value.candles;
  return marks.time.at(-1) === candles.time.at(-1) ? (alignMarks(candles, marks)?.prices ?? null) : null;
}
