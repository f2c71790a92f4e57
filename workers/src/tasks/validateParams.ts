import { costRows } from '@sextant/engine-as/abi/costParameters.ts';
import { classicRows } from '@sextant/engine-as/abi/runParameters.ts';
import { BACKTEST_VOTE_COUNT, WEIGHT_TENTHS_MAX } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { unknownTiers } from '../candles/contract.ts';
import type { Costs, LeverageTier, StrategyParams } from '../protocol/backtest.ts';
import { classicNumber, classicPath } from '../protocol/classicNumbers.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import { ok } from '../core/result.ts';

/** Bounds of one number: the engine's domain, wider than a form's. */
interface Bounds {
  min: number;
  max: number;
  /** `min` itself is rejected. */
  isOpen?: boolean;
}

const fine: TaskResult<null> = ok(null);
const notNegative: Bounds = { min: 0, max: 1e15 };
const share: Bounds = { min: 0, max: 0.5 };

export const backtestVoteIds: readonly string[] = voteIds.slice(0, BACKTEST_VOTE_COUNT);

export function validateWeights(weights: Record<string, number>, field = 'params.weights'): TaskResult<null> {
  return firstFailure(
    Object.entries(weights).map(
      ([id, weight]) =>
        () =>
          checkWeight(`${field}.${id}`, id, weight),
    ),
  );
}

export function validateParams(params: StrategyParams): TaskResult<null> {
  const weights = validateWeights(params.weights);
  if (!weights.ok) return weights;
  return firstFailure(
    classicRows.map((row) => () => {
      const value = classicNumber(params, row);
      const { checked = row, isOptional } = row.classic;
      return value === undefined && isOptional === true
        ? fine
        : check(`params.${classicPath(row)}`, value ?? Number.NaN, checked, row.isInteger);
    }),
  );
}

export function validateCosts(costs: Costs): TaskResult<null> {
  const plain = firstFailure(
    costRows.map(({ name, isOptional, sent, checked = sent }) => () => {
      const value = costs[name] ?? (isOptional === true ? 0 : Number.NaN);
      return check(`costs.${name}`, value, { max: Infinity, ...checked });
    }),
  );
  if (!plain.ok) return plain;
  return costs.tiers === undefined ? validateUntiered(costs) : validateTiers(costs.tiers);
}

/** Rules of a contract without its tiers: the limits of unknown tiers. */
function validateUntiered({ rulesOf, leverage, notional: size }: Costs): TaskResult<null> {
  if (rulesOf === undefined) return fine;
  const { leverageMax, notionalEnd } = unknownTiers;
  const without = `without costs.tiers of ${rulesOf.symbol}`;
  if (leverage > leverageMax) return bad('costs.leverage', `is ${leverage}, must be at most ${leverageMax} ${without}`);
  return size < notionalEnd ? fine : bad('costs.notional', `is ${size}, must be below ${notionalEnd} ${without}`);
}

function validateTiers(tiers: readonly LeverageTier[]): TaskResult<null> {
  return firstFailure(
    tiers.map((tier, i) => () => {
      const field = `costs.tiers[${i}]`;
      const before = tiers[i - 1]?.notionalFloor;
      const isInOrder = before === undefined ? tier.notionalFloor === 0 : tier.notionalFloor > before;
      if (!isInOrder) return bad(`${field}.notionalFloor`, 'must be 0 in the first row and increase from row to row');
      return firstFailure([
        () => check(`${field}.notionalFloor`, tier.notionalFloor, notNegative),
        () => check(`${field}.maintenanceMarginFraction`, tier.maintenanceMarginFraction, share),
        () => check(`${field}.maintenanceAmount`, tier.maintenanceAmount, notNegative),
        () =>
          check(`${field}.leverageMax`, tier.leverageMax, { min: i > 0 && i === tiers.length - 1 ? 0 : 1, max: 1000 }),
      ]);
    }),
  );
}

function checkWeight(field: string, id: string, weight: number): TaskResult<null> {
  if (!backtestVoteIds.includes(id)) return bad(field, `is not a vote; the votes are ${backtestVoteIds.join(', ')}`);
  const tenths = Math.round(weight * 10);
  const isTenth = Math.abs(weight * 10 - tenths) < 1e-9; // false for NaN
  return isTenth && tenths >= 0 && tenths <= WEIGHT_TENTHS_MAX
    ? fine
    : bad(field, `is ${weight}, must be a multiple of 0.1 from 0 to ${WEIGHT_TENTHS_MAX / 10}`);
}

export function check(field: string, value: number, { min, max, isOpen }: Bounds, isInteger = false): TaskResult<null> {
  const isInside = (isOpen === true ? value > min : value >= min) && value <= max; // false for NaN
  if (isInside && (!isInteger || Number.isInteger(value))) return fine;
  const range = `${isOpen === true ? 'above' : 'at least'} ${min} and at most ${max}`;
  return bad(field, `is ${value}, must be ${isInteger ? 'a whole number ' : ''}${range}`);
}

export function firstFailure(checks: (() => TaskResult<null>)[]): TaskResult<null> {
  for (const run of checks) {
    const result = run();
    if (!result.ok) return result;
  }
  return fine;
}

function bad(field: string, text: string): TaskResult<never> {
  return fail('bad_input', `${field} ${text}`, field);
}
