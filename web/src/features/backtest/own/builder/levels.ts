import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import { type RuleUnit, seriesByName } from '@sextant/workers/src/rules/vocabulary.ts';
import type { Operand } from './builder.ts';
import { numberStep, STEP_MIN } from './ranges.ts';

/** Typical values of the candles that the rules run on; absent until they are loaded. */
export interface Scales {
  /** In the quote currency. */
  price?: number;
  /** Base units of a candle. */
  volume?: number;
}

/** Ends and smallest step of a new range. */
export interface Room {
  min: number;
  max: number;
  step: number;
}

const WIDEST = 1e9;
/** Steps of a level at 0 whose kind has a usual size: 0.01 % of funding, a fifth of the 100 at which the CCI is far. */
const usualSteps: Partial<Record<string, number>> = { funding: 0.0001, cci: 20 };
/** Share of the price and of the volume by which a level at 0 moves. */
const STEP_SHARE = { price: 0.0005, volume: 0.1 };
const PERCENT_STEP = 5;

/**
 * Where a new range of a number may lie, and its smallest step, by what the number is compared with.
 * @param value the number; beside 0 the step has the scale of the other side
 */
export function levelRoom(value: number, beside: Operand, scales: Scales): Room {
  const { unit, range } = kindOf(beside);
  const [min, max] = range ?? [-WIDEST, WIDEST];
  const isOutside = value < min || value > max;
  const ends = isOutside ? { min: -WIDEST, max: WIDEST } : { min, max };
  const isWhole = range !== undefined && unit !== '0..100';
  if (isWhole || value !== 0) return { ...ends, step: numberStep(value, isWhole) };
  return { ...ends, step: stepFromZero(beside, unit, scales) };
}

function stepFromZero(beside: Operand, unit: RuleUnit, { price, volume }: Scales): number {
  const id = beside.kind === 'indicator' ? (beside.source ?? beside.id) : beside.kind === 'name' ? beside.name : '';
  if (unit === '0..100') return PERCENT_STEP;
  if (unit === 'quote' && price !== undefined) return roundStep(price * STEP_SHARE.price);
  if (unit === 'base' && volume !== undefined) return roundStep(volume * STEP_SHARE.volume);
  return usualSteps[id] ?? numberStep(0, false);
}

interface Kind {
  unit: RuleUnit;
  /** Least and greatest value. */
  range?: readonly [number, number];
}

function kindOf(operand: Operand): Kind {
  if (operand.kind === 'number') return { unit: 'none' };
  if (operand.kind === 'name') return kindOfSeries(operand.name);
  const { id, output, source } = operand;
  const outputs = indicatorEntry(id)?.outputs ?? [];
  const { unit } = outputs.find(({ name }) => name === output) ?? outputs[0] ?? { unit: 'none' };
  if (unit === '0..100') return { unit, range: [0, 100] };
  if (unit === '-1 or 1') return { unit, range: [-1, 1] };
  if (unit !== 'quote' || source === undefined) return { unit };
  // An average of another series has its unit and its ends; a difference of averages has the unit alone.
  const kind = kindOfSeries(source);
  return id === 'sma' || id === 'ema' ? kind : { unit: kind.unit };
}

function kindOfSeries(name: string): Kind {
  const series = seriesByName.get(name);
  if (series === undefined) return { unit: 'none' };
  return series.range === undefined ? { unit: series.unit } : { unit: series.unit, range: series.range };
}

/** 1, 2 or 5 of a decade, the nearest below or at the value, and no finer than a field shows. */
function roundStep(value: number): number {
  if (!(value > STEP_MIN)) return STEP_MIN;
  const decade = 10 ** Math.floor(Math.log10(value));
  const lead = [5, 2, 1].find((each) => each <= value / decade + 1e-9) ?? 1;
  return Number((lead * decade).toFixed(6));
}
