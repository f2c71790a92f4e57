import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import type { OptimizeInput } from '../../protocol/optimize.ts';
import { isOwnRules, type OwnRules, ruleSetOf } from '../../rules/strategyOfRules.ts';

/** Time of a set in sets of Classic on the same candles, rounded up: `npm run bench -- rules-search` measures it (docs/bench.md). */
const SET_COST = { classic: 1, rules: 6 };
/**
 * Of a candle that `percentrank` looks back at, and of an instruction of own rules beyond the usual number: 0.3 and 4 ns where a set of
 * Classic takes 4 ns a candle.
 */
const LOOK_COST = 0.08;
const INSTRUCTION_COST = 1;
const USUAL_INSTRUCTIONS = 20;

export const setCostOf = (kind: keyof typeof SET_COST): number => SET_COST[kind];

/** Cost of a set of a search. */
export function setCostIn({ rules }: Pick<OptimizeInput, 'rules'>): number {
  if (rules === undefined) return setCostOf('classic');
  return isOwnRules(rules.strategy) ? ownSetCost(rules.strategy) : setCostOf('rules');
}

/** Cost of own rules at their longest periods, as if a set shared no column with another. @param strategy checked */
function ownSetCost(strategy: OwnRules): number {
  const { program, parameters } = ruleSetOf(strategy);
  const { code, values, valueParameters } = program;
  const most = (value: number): number => parameters[valueParameters[value] ?? -1]?.to ?? values[value] ?? 0;
  let looks = 0;
  for (let at = 0; at < code.length; at += abi.RULE_INSTRUCTION_LENGTH)
    if (code[at + abi.RULE_OP] === abi.OP_PERCENTRANK) looks += most(code[at + abi.RULE_VALUE] ?? -1);
  const beyond = Math.max(0, code.length / abi.RULE_INSTRUCTION_LENGTH - USUAL_INSTRUCTIONS);
  return Math.ceil(setCostOf('rules') + LOOK_COST * looks + INSTRUCTION_COST * beyond);
}

/** Sets times candles of one search on the server, in sets of Classic. */
export const SERVER_WORK_MAX = 1e9;

/** Samples that a search on the server may have. */
export const serverSamplesMax = (candleCount: number, setCost: number): number =>
  Math.floor(SERVER_WORK_MAX / (candleCount * setCost));
