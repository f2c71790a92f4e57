import {
  type ClassicFormId,
  type ClassicNumbers,
  type ClassicParameterRow,
  classicRows,
} from '@sextant/engine-as/abi/runParameters.ts';
import type { StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import { classicNumber, classicSent, renamed } from '@sextant/workers/src/protocol/classicNumbers.ts';
import { classicDefaults, type VoteId, voteIds, weightBounds } from '@sextant/workers/src/protocol/wire/defaults.ts';

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

export const weightRule = { ...weightBounds, unit: '', step: 0.1, decimals: 1 } as const;

/** 2.3 % is 0.023 and not 0.023000000000000003: engine and server get exactly what the field shows. */
export const percentToFraction = (percent: number): number => Number((percent / 100).toPrecision(12));
export const fractionToPercent = (fraction: number): number => Number((fraction * 100).toPrecision(12));

/** A number of Classic that the form sets, and its field: percent for a fraction. */
export interface FormRow {
  id: ClassicFormId;
  row: ClassicParameterRow;
  rule: NumberRule;
}

/** What the form of Classic sets, in its order. */
export const formRows: readonly FormRow[] = classicRows.flatMap((row): FormRow[] => {
  const { form, label = row.title, sent } = row.classic;
  if (form === undefined) return [];
  const shown = row.unit === 'fraction' ? fractionToPercent : (value: number) => value;
  const rule: NumberRule = {
    label,
    unit: row.unit === 'fraction' ? '%' : '',
    min: form.min ?? shown(sent.min),
    max: form.max ?? shown(sent.max),
    step: form.step,
    decimals: row.isInteger === true ? 0 : 2,
    default: shown(row.default),
  };
  return [{ id: form.id as ClassicFormId, row, rule }];
});

export const formRules = Object.fromEntries(formRows.map(({ id, rule }) => [id, rule])) as Record<
  ClassicFormId,
  NumberRule
>;
/** The threshold starts below its range untouched; any edit is held to the range. The others are percent in their fields, fractions everywhere else. */
export const { entryThreshold: thresholdRule, ...percentRules } = formRules;

/** Value of a field. */
export const shownNumber = (params: Readonly<StrategyParams>, { row }: Pick<FormRow, 'row'>): number => {
  const value = classicNumber(params, row) ?? 0;
  return row.unit === 'fraction' ? fractionToPercent(value) : value;
};

/** Value of a number as JSON; 0 when it is absent. */
export const sentNumber = (params: object, row: ClassicParameterRow): number => classicSent(params, row) ?? 0;

/** The defaults of the form, to be changed. */
export const defaultParams = (): StrategyParams => structuredClone(classicDefaults);

/** The nearest value of the rule's grid inside its bounds. */
export function clampToRule(
  value: number,
  { min, max, decimals }: Pick<NumberRule, 'min' | 'max' | 'decimals'>,
): number {
  return Number(Math.min(max, Math.max(min, value)).toFixed(decimals));
}

/** The names of the specification: those that end in `Pct` hold fractions. */
export interface ParamsJson extends ClassicNumbers<'params', 'wire'> {
  weights: Record<VoteId, number>;
  trailing: { enabled: boolean } & ClassicNumbers<'trailing', 'wire'>;
}

/** The numbers of the form. An optional one that is 0 is left out, as the API does: the same rules are the same text. */
const ofForm = (valueOf: (row: ClassicParameterRow) => number | undefined): ClassicParameterRow[] =>
  formRows.map(({ row }) => row).filter((row) => row.classic.isOptional !== true || (valueOf(row) ?? 0) !== 0);

export function paramsToJson(params: StrategyParams): ParamsJson {
  const rows = ofForm((row) => classicNumber(params, row));
  const { weights, trailing } = params;
  return {
    weights: Object.fromEntries(voteIds.map((id) => [id, weights[id] ?? 0])) as Record<VoteId, number>,
    ...renamed('params', 'wire', params, rows),
    trailing: { enabled: trailing.enabled, ...renamed('trailing', 'wire', trailing, rows) },
  };
}

export function paramsFromJson(json: ParamsJson): StrategyParams {
  const rows = ofForm((row) => classicSent(json, row));
  const { weights, trailing } = json;
  return {
    weights: { ...weights },
    ...renamed('params', 'field', json, rows),
    trailing: { enabled: trailing.enabled, ...renamed('trailing', 'field', trailing, rows) },
  };
}

/** The same text for the same parameters, whatever order their fields were written in. */
export function paramsText({ weights, trailing, ...rest }: StrategyParams): string {
  const flat = { ...rest, ...weights, ...trailing };
  return JSON.stringify(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1)));
}
