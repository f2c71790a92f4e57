import type { Comparison, LevelRule } from './conditions.ts';

/** Where the value stands; null: unknown, or exactly on the level. */
export type Side = 'below' | 'above' | null;

export interface Decision {
  side: Side;
  fires: boolean;
}

const sideOf = (value: number, level: number): Side => (value > level ? 'above' : value < level ? 'below' : null);

/**
 * The next side of an alert, and whether it fires. Reaching the level counts as crossing it, once: a value that touches the level and
 * returns to where it came from does not cross again.
 */
export function decide({ when, level }: LevelRule, side: Side, value: number): Decision {
  if (Number.isNaN(value)) return { side, fires: false };
  const next = sideOf(value, level);
  if (when === 'above') {
    if (value < level) return { side: 'below', fires: false };
    return { side: 'above', fires: side !== 'above' };
  }
  if (when === 'below') {
    if (value > level) return { side: 'above', fires: false };
    return { side: 'below', fires: side !== 'below' };
  }
  if (side === null) return { side: next, fires: false };
  const isReached = side === 'below' ? value >= level : value <= level;
  return isReached ? { side: next, fires: true } : { side, fires: false };
}

/** Values that change the side: `up` at or above (strictly above) the level, `down` at or below (strictly below) it. */
export interface Trigger {
  direction: 'up' | 'down';
  isStrict: boolean;
}

/** The one trigger of an alert whose side is known; null: any value may decide. */
export function triggerOf(when: Comparison, side: Side): Trigger | null {
  if (side === null) return null;
  if (side === 'below') return { direction: 'up', isStrict: when === 'below' };
  return { direction: 'down', isStrict: when === 'above' };
}

/** One closed candle of the value. */
export interface ValueBar {
  high: number;
  low: number;
  close: number;
}

/**
 * Judges a closed candle: at most one firing, by its extreme, and the side by its close. An alert whose side is younger than the open of
 * the candle is judged by the close alone: the extreme may be older than the side.
 */
export function decideBar(rule: LevelRule, side: Side, bar: ValueBar, isWhole: boolean): Decision & { value: number } {
  const trigger = triggerOf(rule.when, side);
  const extreme = !isWhole || trigger === null ? bar.close : trigger.direction === 'up' ? bar.high : bar.low;
  const first = decide(rule, side, extreme);
  if (extreme === bar.close) return { ...first, value: extreme };
  const last = decide(rule, first.side, bar.close);
  // A candle whose extreme only re-arms the alert may fire it by its close.
  const fires = first.fires || (last.fires && rule.when !== 'cross');
  return { side: last.side, fires, value: first.fires || !fires ? extreme : bar.close };
}
