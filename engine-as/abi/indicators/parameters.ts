import { PERIOD_MAX } from '../indicatorKinds.ts';
import type {
  IndicatorOutput,
  IndicatorParameter,
  ParameterCheck,
  ParameterOrder,
  Parameters,
} from '../registryTypes.ts';

/** A look-back in candles. */
export function period(name: string, title: string, value: number, min = 1): IndicatorParameter {
  return { name, title, default: value, min, max: PERIOD_MAX, isInteger: true };
}

/** A width in deviations or ranges. */
export function multiple(name: string, title: string, value: number): IndicatorParameter {
  return { name, title, default: value, min: 0.01, max: 100, isInteger: false };
}

/** Rejects two parameters that are not in their order. */
export const inOrder =
  ({ first, second, how }: ParameterOrder): ParameterCheck =>
  (params) =>
    valueOf(params, first) < valueOf(params, second)
      ? undefined
      : { name: first, message: `must be ${how} \`${second}\`` };

export const fastBeforeSlow: ParameterOrder = { first: 'fast', second: 'slow', how: 'shorter than' };

/** The value of a parameter that the entry declares; resolveParameters has filled in the defaults. */
export function valueOf(params: Parameters, name: string): number {
  const value = params[name];
  if (value === undefined) throw new Error(`parameter ${name} was not resolved`);
  return value;
}

export function output(
  name: string,
  unit: IndicatorOutput['unit'],
  warmup: (params: Parameters) => number,
): IndicatorOutput {
  return { name, unit, warmup };
}

/** Warm-ups that most entries share. */
export const periodLessOne = (params: Parameters): number => valueOf(params, 'period') - 1;
export const onePeriod = (params: Parameters): number => valueOf(params, 'period');
export const none = (): number => 0;
