import { gridValue, type RuleParameter } from '../../rules/checked.ts';
import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import { type Strategy, type StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import { TRADES_MIN } from '@sextant/engine-as/abi/optimize.ts';
import { RULE_PARAMETERS_MAX } from '@sextant/engine-as/abi/ruleProgram.ts';
import type { PortfolioSummary } from '../../protocol/portfolioFigures.ts';
import {
  type PortfolioRangeName,
  portfolioRangeNames,
  portfolioRangeRules,
  type PortfolioRanges,
  type PortfolioTarget,
  type SearchedSet,
} from '../../protocol/portfolioSearch.ts';

/** Sets of a search over one account, drawn from seed and number alone, and their order. */

export interface DrawOptions {
  ranges: PortfolioRanges;
  /** Sets in all; set 0 is the account as it is. */
  count: number;
  seed: number;
  /** Parameters of own rules with a range: every set draws each of them. */
  parameters?: readonly RuleParameter[];
}

/** Values of own rules have a stream of their own: seeds of users end below it. */
const VALUES_SEED = 2 ** 31;

const MASK = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

/** SplitMix64 (Steele, Lea, Flood 2014): its `index`-th output of `seed`, as a fraction in [0, 1) of 53 bits. */
export function splitMix(seed: number, index: number): number {
  let bits = (BigInt(seed) + GOLDEN * BigInt(index + 1)) & MASK;
  bits = ((bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  bits = ((bits ^ (bits >> 27n)) * 0x94d049bb133111ebn) & MASK;
  bits ^= bits >> 31n;
  return Number(bits >> 11n) / 2 ** 53;
}

/** Set 0 changes nothing; each other one has every searched parameter on the grid of its range. */
export function drawSets(strategy: Pick<Strategy, 'stop' | 'target'>, options: DrawOptions): SearchedSet[] {
  const { ranges, count, seed, parameters = [] } = options;
  return Array.from({ length: count }, (_, k) => {
    if (k === 0) return {};
    const set = setOf(strategy, valuesOf(ranges, seed, k));
    return parameters.length === 0 ? set : { ...set, values: ownValuesOf(parameters, seed, k) };
  });
}

/** Every parameter on the grid of its range, by its place in the text. */
const ownValuesOf = (parameters: readonly RuleParameter[], seed: number, k: number): Record<string, number> =>
  Object.fromEntries(
    parameters.map((parameter, slot) => {
      const drawn = splitMix(VALUES_SEED + seed, k * RULE_PARAMETERS_MAX + slot);
      return [parameter.name, gridValue(parameter, Math.floor(drawn * parameter.count))];
    }),
  );

type Values = Partial<Record<PortfolioRangeName, number>>;

function valuesOf(ranges: PortfolioRanges, seed: number, k: number): Values {
  const values: Values = {};
  for (const [slot, name] of portfolioRangeNames.entries()) {
    const range = ranges[name];
    if (range === undefined) continue;
    const { step } = portfolioRangeRules[name];
    const steps = Math.floor((range.max - range.min) / step + 1e-9) + 1;
    // A slot of its own for each parameter: leaving one out changes no other.
    const drawn = Math.floor(splitMix(seed, k * portfolioRangeNames.length + slot) * steps);
    values[name] = rounded(range.min + drawn * step);
  }
  return values;
}

/** Without the dust of binary fractions: 0.1 + 0.2 is 0.3. */
const rounded = (value: number): number => Number(value.toFixed(6));

function setOf({ stop, target }: Pick<Strategy, 'stop' | 'target'>, values: Values): SearchedSet {
  const { entryThreshold, stopFactor, targetFactor, positionsMax, openingsMax } = values;
  const strategy: NonNullable<SearchedSet['strategy']> = {};
  if (entryThreshold !== undefined) strategy.entryThreshold = entryThreshold;
  if (stopFactor !== undefined) strategy.stop = scaled('stop', stop, stopFactor);
  if (targetFactor !== undefined) strategy.target = scaled('target', target, targetFactor);
  const limits: NonNullable<SearchedSet['limits']> = {};
  if (positionsMax !== undefined) limits.positionsMax = positionsMax;
  if (openingsMax !== undefined) limits.openingsMax = openingsMax;
  const set: SearchedSet = {};
  if (Object.keys(strategy).length > 0) set.strategy = strategy;
  if (Object.keys(limits).length > 0) set.limits = limits;
  return set;
}

/** A level times a factor, within the bounds of a strategy. */
function scaled(side: 'stop' | 'target', level: StrategyLevel, factor: number): StrategyLevel {
  if (level.mode === 'atr') {
    const { min, max } = runParameters[`${side}Multiple`];
    return { mode: 'atr', multiple: rounded(Math.min(max, Math.max(min, level.multiple * factor))) };
  }
  const { min, max } = runParameters[`${side}Fraction`];
  return { mode: 'percent', fraction: rounded(Math.min(max, Math.max(min, level.fraction * factor))) };
}

/** Value that a search ranks by; -Infinity for a set with too few trades, whose equity ran out or whose figure is unknown. */
export function valueOfSet(summary: PortfolioSummary, target: PortfolioTarget): number {
  if (summary.tradeCount < TRADES_MIN || summary.ruinMs !== null) return -Infinity;
  const { netPnl, sharpe, sortino, profitFactor } = summary;
  const value = { pnl: netPnl, sharpe: sharpe.value, sortino: sortino.value, profitFactor }[target];
  return value ?? -Infinity;
}

/** Indices of the ranked sets, the best first; of equal ones the earlier set. */
export function rankSets(summaries: readonly PortfolioSummary[], target: PortfolioTarget): number[] {
  const values = summaries.map((summary) => valueOfSet(summary, target));
  const at = (index: number): number => values[index] ?? -Infinity;
  return values
    .map((_, index) => index)
    .filter((index) => at(index) > -Infinity)
    .sort((a, b) => at(b) - at(a) || a - b);
}
