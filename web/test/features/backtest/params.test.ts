import { paramsFromWire, StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { describe, expect, it } from 'vitest';
import { randomParams, seededRandom } from '../../../../workers/test/support/randomRuns.ts';
import {
  clampToRule,
  defaultParams,
  fractionToPercent,
  paramsFromJson,
  paramsToJson,
  percentRules,
  percentToFraction,
  thresholdRule,
} from '../../../src/features/backtest/params.ts';

describe('defaults', () => {
  it('are what the API fills in', () => expect(paramsToJson(defaultParams())).toEqual(StrategyParamsWire.parse({})));

  it('stand in the fields as percent', () =>
    expect([
      fractionToPercent(defaultParams().stopLossFraction),
      fractionToPercent(defaultParams().takeProfitFraction),
      fractionToPercent(defaultParams().trailing.callbackFraction),
      fractionToPercent(defaultParams().trailing.stepFraction),
      fractionToPercent(defaultParams().trailing.activationFraction ?? 0),
    ]).toEqual(Object.values(percentRules).map((rule) => rule.default)));
});

it('every percent a field can hold is that fraction exactly, and comes back', () => {
  for (let hundredths = 5; hundredths <= 2000; hundredths++) {
    const percent = Number((hundredths / 100).toFixed(2));
    const fraction = percentToFraction(percent);
    expect(fraction).toBe(Number(`${hundredths}e-4`));
    expect(fractionToPercent(fraction)).toBe(percent);
  }
});

it('an edit of the threshold is held to 0.1 to 1 although it starts at 0.08', () => {
  const edit = (value: number) => clampToRule(value, thresholdRule);
  expect([edit(0.08), edit(0.1), edit(0.456), edit(3)]).toEqual([0.1, 0.1, 0.46, 1]);
});

it('parameters survive the way to the API and back, and mean there what they mean here', () => {
  const random = seededRandom(7);
  for (let i = 0; i < 200; i++) {
    const { weights, entryThreshold, stopLossFraction, takeProfitFraction, trailing } = randomParams(random);
    const { enabled, callbackFraction, stepFraction, activationFraction = 0 } = trailing;
    const activation = activationFraction > 0 ? { activationFraction } : {};
    const params = {
      weights,
      entryThreshold,
      stopLossFraction,
      takeProfitFraction,
      trailing: { enabled, callbackFraction, stepFraction, ...activation },
    };
    const json = paramsToJson(params);
    expect(paramsFromJson(json)).toEqual(params);
    expect(paramsFromWire(json)).toEqual(params);
  }
});
