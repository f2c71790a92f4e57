import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { SizingMarket } from '@sextant/workers/src/positions/sizing.ts';
import type { Signal } from '@sextant/workers/src/protocol/signals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { ExchangeId, Interval } from '../market/port.ts';
import { type NewsSay, newsSayToWire } from '../news/newsVotes.ts';
import { skipMessage } from '@sextant/workers/src/signals/skipReasons.ts';
import { type ConfidenceBasis, stateConfidence } from './confidenceBasis.ts';
import type { SignalWire } from './contract.ts';

export interface SignalFacts {
  symbol: string;
  interval: Interval;
  exchange: ExchangeId;
  leverage: number;
  /** Order rules of the symbol. */
  limits: SizingMarket;
  news: NewsSay;
  /** Basis of its confidence. */
  basis: ConfidenceBasis;
  computedAtMs: number;
  hashes: { engine: string; data: string; params: string };
  /** Whether an AI model is configured; otherwise the built-in rules check signals. */
  hasModel: boolean;
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Fields before a check, which fills them in. */
const unchecked = { aiApproved: null, aiRationale: null, aiProposal: null, suggestedRiskMultiplier: null } as const;

/** Converts a signal to its wire form. Votes with neither weight nor opinion are left out of the contributions. */
export function signalToWire({ ensemble, position, meta }: Signal, facts: SignalFacts): SignalWire {
  const { levels } = ensemble;
  const closeMs = ensemble.timeMs + intervalMs[facts.interval];
  const news = newsSayToWire(facts.news, closeMs);
  const [stopLoss, takeProfit] = [levels?.stopLossPrice ?? null, levels?.takeProfitPrice ?? null];
  const { direction, rawConfidence, price } = ensemble;
  const sizeUsdt = position?.notionalUsdt ?? 0;
  const stated = stateConfidence({ direction, rawConfidence, price, stopLoss, takeProfit, sizeUsdt }, facts.basis);
  return {
    symbol: facts.symbol,
    interval: facts.interval,
    exchange: facts.exchange,
    direction: ensemble.direction,
    ...stated,
    score: ensemble.score,
    price: ensemble.price,
    stopLoss,
    takeProfit,
    riskLabel: ensemble.riskLabel,
    horizon_min: ensemble.horizonMinutes,
    position: positionToWire(position, facts),
    meta,
    ai_state: facts.hasModel ? 'online' : 'offline',
    rule_check: facts.hasModel ? null : 'not_run',
    ...unchecked,
    live_votes: ensemble.liveVoteCount,
    effective_votes: ensemble.effectiveVoteCount,
    contributions: ensemble.contributions
      .filter(({ isLive, numerator, opinion }) => isLive && (numerator !== 0 || opinion !== 0))
      .map(({ vote, interval, opinion, isLive, contribution }) => ({
        vote,
        interval,
        opinion,
        is_live: isLive,
        contribution,
      })),
    ...withoutUndefined({ news }),
    timeframes: ensemble.timeframes.map(({ interval, weight, score }) => ({
      interval,
      weight,
      score: finiteOrNull(score),
    })),
    candle_close_at: new Date(closeMs).toISOString(),
    computed_at: new Date(facts.computedAtMs).toISOString(),
    hashes: facts.hashes,
  };
}

const unsized = {
  quantity: 0,
  notionalUsdt: 0,
  multiplier: 0,
  refusal: null,
  liquidationPrice: null,
  lossAtStopUsdt: null,
};

function positionToWire(position: Signal['position'], facts: SignalFacts): SignalWire['position'] {
  const sized = position ?? { ...unsized, leverage: facts.leverage };
  const { refusal, quantity } = sized;
  return {
    sizeUsdt: sized.notionalUsdt,
    sizeBase: quantity,
    leverage: sized.leverage,
    qty: quantity,
    liquidationApprox: sized.liquidationPrice,
    loss_at_stop: sized.lossAtStopUsdt,
    risk_multiplier: sized.multiplier,
    refused_by: refusal?.detail ?? null,
    message: refusal === null ? null : skipMessage('ZERO_QTY', refusal.detail, refusal),
    limits: {
      tick_size: facts.limits.tickSize,
      step_size: facts.limits.stepSize,
      min_notional: facts.limits.minNotional,
      max_quantity: facts.limits.maxQuantity,
      max_leverage: facts.limits.maxLeverage,
    },
  };
}
