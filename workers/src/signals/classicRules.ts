import { ATR_PERIOD } from '@sextant/engine-as/abi/defaults.ts';
import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { liveExits, type Strategy, strategyFields } from '@sextant/engine-as/abi/strategy.ts';
import type { StrategyParams } from '../protocol/backtest.ts';

/** Parameters of Classic as the strategy of rules that gives the same result, to the bit, on candles of the interval. */
export function classicAsRules(params: StrategyParams, interval: IntervalName): Strategy {
  const { weights, entryThreshold, trailing } = params;
  return {
    ...structuredClone(liveExits),
    intervals: [{ interval, weight: 1 }],
    weights: { ...weights },
    entryThreshold,
    stop: { mode: 'percent', fraction: params.stopLossFraction },
    target: { mode: 'percent', fraction: params.takeProfitFraction },
    atrPeriod: trailing.atrPeriod ?? ATR_PERIOD,
    trailing: {
      mode: trailing.enabled ? (trailing.mode ?? 'percent') : 'off',
      callbackFraction: trailing.callbackFraction,
      stepFraction: trailing.stepFraction,
      atrMultiple: trailing.atrMultiplier ?? strategyFields.trailingMultiple.default,
      activationFraction: trailing.activationFraction ?? 0,
    },
    holdingBarsMax: params.holdingBarsMax ?? 0,
    sizing: { mode: 'fixed', riskFraction: strategyFields.riskFraction.default, isCompounding: false },
  };
}
