import { ruleSlot } from '@sextant/engine-as/abi/records.ts';
import type { StrategyExits, StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';

const fractionOf = (level: StrategyLevel): number => (level.mode === 'percent' ? level.fraction : 0);
const multipleOf = (level: StrategyLevel): number => (level.mode === 'atr' ? level.multiple : 0);

/** Stop and target of a strategy, into their slots of the rules record. */
export function writeLevels(rules: Float64Array, { stop, target }: Pick<StrategyExits, 'stop' | 'target'>): void {
  rules[ruleSlot.stopLossFraction] = fractionOf(stop);
  rules[ruleSlot.takeProfitFraction] = fractionOf(target);
  rules[ruleSlot.stopAtr] = multipleOf(stop);
  rules[ruleSlot.targetAtr] = multipleOf(target);
}
