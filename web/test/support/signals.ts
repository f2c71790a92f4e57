import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import type { Scan, ScanSignal } from '../../src/api/types.ts';

/** A LONG of one interval in which every vote is 1, unless changed. */
export function signalOf(change: Partial<ScanSignal> = {}): ScanSignal {
  return {
    symbol: 'BTCUSDT',
    interval: '1h',
    exchange: 'binance',
    direction: 'LONG',
    confidence: 0.5,
    confidence_kind: 'score',
    raw_confidence: 0.5,
    calibration_version: null,
    break_even: 0.35,
    expected_net_fraction: null,
    expected_net_usdt: null,
    score: 1,
    price: 100,
    stopLoss: 98,
    takeProfit: 104,
    riskLabel: 'STANDARD',
    horizon_min: 90,
    position: {
      sizeUsdt: 100,
      sizeBase: 1,
      leverage: 10,
      qty: 1,
      liquidationApprox: 90.5,
      loss_at_stop: 2.1,
      risk_multiplier: 0.01,
      refused_by: null,
      message: null,
      limits: { tick_size: 0.01, step_size: 0.001, min_notional: 5, max_leverage: 125 },
    },
    meta: { rsi: null, macd: null, atr: null },
    ai_state: 'offline',
    rule_check: 'not_run',
    aiApproved: null,
    aiRationale: null,
    aiProposal: null,
    suggestedRiskMultiplier: null,
    live_votes: 18,
    effective_votes: 4,
    contributions: Object.keys(liveWeights)
      .filter((vote) => vote !== 'news')
      .map((vote) => ({ vote, interval: '1h', opinion: 1, is_live: true, contribution: 0 })),
    timeframes: [{ interval: '1h', weight: 1, score: 1 }],
    candle_close_at: '2026-01-01T00:00:00.000Z',
    computed_at: '2026-01-01T00:00:01.000Z',
    hashes: { engine: 'e', data: 'd', params: 'p' },
    signal_id: `${change.symbol ?? 'BTCUSDT'}-${change.interval ?? '1h'}`,
    outcome: 'ELIGIBLE',
    filtered_by: null,
    verdict: { state: 'check_due', reason: null, text: 'May open after its check passes' },
    ...change,
  };
}

export const scanParams: Scan['params'] = {
  exchange: 'binance',
  symbols: null,
  intervals: ['1h'],
  limit: 500,
  balance: 1000,
  leverage: 10,
  riskTolerance: 'medium',
  isDynamicRisk: false,
  tuning: neutralTuning,
  confidenceFloor: null,
  minConfidencePct: 60,
  positionsWanted: 5,
  maxSymbols: 100,
  whitelist: [],
  blacklist: [],
};
