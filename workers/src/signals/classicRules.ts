import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { classicRows, numbersOf, type ParameterRow } from '@sextant/engine-as/abi/runParameters.ts';
import { liveExits, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { StrategyParams } from '../protocol/backtest.ts';
import { classicNumber } from '../protocol/classicNumbers.ts';

/** Parameters of Classic as the strategy of rules that gives the same result, to the bit, on candles of the interval. */
export function classicAsRules(params: StrategyParams, interval: IntervalName): Strategy {
  const { weights, trailing } = params;
  const numbers = new Map(classicRows.map((row) => [row.name, classicNumber(params, row)]));
  const valueOf = (row: ParameterRow): number => numbers.get(row.name) ?? row.default;
  return {
    ...structuredClone(liveExits),
    intervals: [{ interval, weight: 1 }],
    weights: { ...weights },
    ...numbersOf(['entry', 'range', 'time'], valueOf),
    stop: { mode: 'percent', fraction: params.stopLossFraction },
    target: { mode: 'percent', fraction: params.takeProfitFraction },
    trailing: {
      mode: trailing.enabled ? (trailing.mode ?? 'percent') : 'off',
      ...numbersOf(['trailing'], valueOf),
    },
    sizing: { mode: 'fixed', ...numbersOf(['size']), isCompounding: false },
  };
}
