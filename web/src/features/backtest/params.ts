import type { StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import type { NumberRange } from '@sextant/workers/src/protocol/optimize.ts';
import { classicBounds, classicDefaults, type VoteId, voteIds } from '@sextant/workers/src/protocol/wire/defaults.ts';

/** A number as a form shows it, in the form's own unit. */
export interface NumberRule {
  label: string;
  unit: string;
  min: number;
  max: number;
  step: number;
  decimals: number;
  default: number;
}

export const weightRule = { ...classicBounds.weight, unit: '', step: 0.1, decimals: 1 } as const;

/** The field starts below its range untouched; any edit is held to the range. */
export const thresholdRule: NumberRule = {
  label: 'Entry threshold',
  unit: '',
  min: 0.1,
  max: 1,
  step: 0.01,
  decimals: 2,
  default: classicDefaults.entryThreshold,
};

/** 2.3 % is 0.023 and not 0.023000000000000003: engine and server get exactly what the field shows. */
export const percentToFraction = (percent: number): number => Number((percent / 100).toPrecision(12));
export const fractionToPercent = (fraction: number): number => Number((fraction * 100).toPrecision(12));

/** The parts of a rule that are the API's, as percent. */
const percentOf = ({ min, max }: NumberRange, standard: number) => ({
  min: fractionToPercent(min),
  max: fractionToPercent(max),
  default: fractionToPercent(standard),
});
const { stopLossFraction, takeProfitFraction, trailing } = classicDefaults;
const percents = { unit: '%', decimals: 2 } as const;

/** Percent in the fields, fractions everywhere else. */
export const percentRules = {
  stopLoss: {
    ...percents,
    label: 'Stop loss',
    step: 0.1,
    ...percentOf(classicBounds.stopLossFraction, stopLossFraction),
  },
  takeProfit: {
    ...percents,
    label: 'Take profit',
    step: 0.1,
    ...percentOf(classicBounds.takeProfitFraction, takeProfitFraction),
  },
  callback: {
    ...percents,
    label: 'Trail callback',
    step: 0.05,
    ...percentOf(classicBounds.callbackFraction, trailing.callbackFraction),
    min: 0.1,
  },
  trailStep: {
    ...percents,
    label: 'Trail step',
    step: 0.05,
    ...percentOf(classicBounds.stepFraction, trailing.stepFraction),
    min: 0.05,
  },
  activation: { ...percents, label: 'Trail activation', min: 0, max: 20, step: 0.1, default: 0 },
} as const satisfies Record<string, NumberRule>;

/** The defaults of the form, to be changed. */
export const defaultParams = (): StrategyParams => structuredClone(classicDefaults);

/** The nearest value of the rule's grid inside its bounds. */
export function clampToRule(
  value: number,
  { min, max, decimals }: Pick<NumberRule, 'min' | 'max' | 'decimals'>,
): number {
  return Number(Math.min(max, Math.max(min, value)).toFixed(decimals));
}

/** The names of the specification: `slPct`, `tpPct`, `callbackPct`, `stepPct` hold fractions. */
export interface ParamsJson {
  weights: Record<VoteId, number>;
  entryThreshold: number;
  slPct: number;
  tpPct: number;
  trailing: { enabled: boolean; callbackPct: number; stepPct: number; activationPct?: number };
}

export function paramsToJson(params: StrategyParams): ParamsJson {
  const { enabled, callbackFraction, stepFraction, activationFraction = 0 } = params.trailing;
  // 0 is left out, as the API does: the same rules are the same text.
  const activation = activationFraction > 0 ? { activationPct: activationFraction } : {};
  return {
    weights: Object.fromEntries(voteIds.map((id) => [id, params.weights[id] ?? 0])) as Record<VoteId, number>,
    entryThreshold: params.entryThreshold,
    slPct: params.stopLossFraction,
    tpPct: params.takeProfitFraction,
    trailing: { enabled, callbackPct: callbackFraction, stepPct: stepFraction, ...activation },
  };
}

export function paramsFromJson({ weights, entryThreshold, slPct, tpPct, trailing }: ParamsJson): StrategyParams {
  const { enabled, callbackPct, stepPct, activationPct = 0 } = trailing;
  const activation = activationPct > 0 ? { activationFraction: activationPct } : {};
  return {
    weights: { ...weights },
    entryThreshold,
    stopLossFraction: slPct,
    takeProfitFraction: tpPct,
    trailing: { enabled, callbackFraction: callbackPct, stepFraction: stepPct, ...activation },
  };
}

/** The same text for the same parameters, whatever order their fields were written in. */
export function paramsText({ weights, trailing, ...rest }: StrategyParams): string {
  const flat = { ...rest, ...weights, ...trailing };
  return JSON.stringify(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1)));
}
