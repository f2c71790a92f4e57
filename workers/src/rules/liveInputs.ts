import { DAY_MS, HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { compiledRules, isOwnRules, type OwnRules } from './strategyOfRules.ts';

/** What own rules mean for scans and open positions. */

/** Series that rules read beside candles and news. */
export interface RuleReads {
  funding: boolean;
  mark: boolean;
}

/** A strategy of votes reads candles alone, and so does a stored text that no longer compiles. */
export function readsOf(strategy: Pick<Strategy, 'rules' | 'intervals'>): RuleReads {
  const compiled = isOwnRules(strategy) ? compiledRules(strategy) : undefined;
  const read = new Set(compiled?.ok === true ? compiled.value.program.inputs.flat() : []);
  return { funding: read.has(abi.RULE_FUNDING) || read.has(abi.RULE_FUNDING_IN), mark: read.has(abi.RULE_MARK) };
}

/** Whether the rules say when a position of a side is left. A stored text that no longer compiles says nothing. */
export function leavesByRule(own: OwnRules, side: 'LONG' | 'SHORT'): boolean {
  const compiled = compiledRules(own);
  if (!compiled.ok) return false;
  const output = compiled.value.program.outputs[side === 'LONG' ? abi.RULE_EXIT_LONG : abi.RULE_EXIT_SHORT];
  return output !== abi.RULE_NONE;
}

const STEP_MS = 8 * HOUR_MS;
/** Exchanges stamp a settlement some milliseconds late. */
const STAMP_MS = MINUTE_MS;

/**
 * Whether a settlement at the close is not published yet: the funding known at the close would change when it is.
 * @param times of settlements, ascending, as published by now
 */
export function awaitsSettlement(times: ArrayLike<number>, closeMs: number): boolean {
  let count = 0;
  while (count < times.length && (times[count] ?? 0) < closeMs - STAMP_MS) count++;
  const last = times[count - 1];
  if (last === undefined) return false;
  const before = times[count - 2];
  const dueMs = last + (before === undefined ? STEP_MS : Math.min(last - before, DAY_MS));
  // Later than this the history has a gap, and the next one is unknown.
  if (dueMs > closeMs + STAMP_MS || dueMs < closeMs - STAMP_MS) return false;
  return count === times.length;
}
