import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { compiledRules, type OwnRules, ruleSetOf } from './strategyOfRules.ts';

/** What own rules mean for scans and open positions, which read candles and the news of the moment. */

const unread: readonly (readonly [input: number, name: string])[] = [
  [abi.RULE_MARK, 'mark'],
  [abi.RULE_FUNDING, 'funding'],
  [abi.RULE_FUNDING_IN, 'funding_in'],
];

/** Series of the rules that scans do not load, in the words of the text. */
export function unreadByScans(own: OwnRules): string[] {
  const read = new Set(ruleSetOf(own).program.inputs.flat());
  return unread.flatMap(([input, name]) => (read.has(input) ? [name] : []));
}

/** Whether the rules say when a position of a side is left. A stored text that no longer compiles says nothing. */
export function leavesByRule(own: OwnRules, side: 'LONG' | 'SHORT'): boolean {
  const compiled = compiledRules(own);
  if (!compiled.ok) return false;
  const output = compiled.value.program.outputs[side === 'LONG' ? abi.RULE_EXIT_LONG : abi.RULE_EXIT_SHORT];
  return output !== abi.RULE_NONE;
}
