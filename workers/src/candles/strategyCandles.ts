import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { dayCandles, signalCandles, type WeighedVotes } from '@sextant/engine-as/abi/voteParameters.ts';
import { isOwnRules, ruleSetOf } from '../rules/strategyOfRules.ts';
import type { CandleWindow } from './candleWindow.ts';

/** Candles that the rules of a strategy read before they decide. */

export type DecidingRules = WeighedVotes & Partial<Pick<Strategy, 'rules' | 'intervals'>>;

/** Fewest candles of a signal of own rules: enough to see on a chart what they saw. */
const OWN_CANDLES_MIN = 300;

/** Candles of one interval that a live signal of the strategy is computed from, at any hour of the day. */
export function candlesOfSignal(strategy: DecidingRules, interval: IntervalName): number {
  if (!isOwnRules(strategy)) return signalCandles(strategy, intervalMs[interval]);
  return Math.max(OWN_CANDLES_MIN, ownCandles(strategy, interval));
}

/** Candles of one interval that own rules may read where no user waits: for alerts at each close, for replays at each symbol. */
export const BACKGROUND_CANDLES_MAX = 5000;

/** The interval of own rules that reads too much for the background; undefined: none. @throws Error on a text that was not checked */
export function findExcess(strategy: DecidingRules): { interval: IntervalName; count: number } | undefined {
  if (!isOwnRules(strategy)) return undefined;
  return (strategy.intervals ?? [])
    .map(({ interval }) => ({ interval, count: candlesOfSignal(strategy, interval) }))
    .find(({ count }) => count > BACKGROUND_CANDLES_MAX);
}

/** Candles before the first scored one for rules on whole UTC days; 0 without any. */
export function candlesOfDays(strategy: DecidingRules, interval: IntervalName): number {
  return isOwnRules(strategy) ? ownCandles(strategy, interval) : dayCandles(strategy, intervalMs[interval]);
}

/** Look-back of own rules on an interval, with what recursive and daily indicators need to settle. */
function ownCandles({ rules, intervals = [] }: DecidingRules & { rules: string }, interval: IntervalName): number {
  const { program, lookBack } = ruleSetOf({ rules, intervals });
  const frame = program.intervals.indexOf(interval) + 1;
  return Math.max(program.settles[frame] ?? 0, frame === 0 ? lookBack.base : 0);
}

/** Candles of a longer interval that end with the window, with as many before it as the rules read. */
export const contextCount = (
  { fromMs, untilMs }: CandleWindow,
  interval: IntervalName,
  strategy: DecidingRules,
): number => Math.ceil((untilMs - fromMs) / intervalMs[interval]) + candlesOfSignal(strategy, interval);
