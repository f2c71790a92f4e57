import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { z } from 'zod';
import { problemText, strategyOfRules } from '../../rules/strategyOfRules.ts';

/** A request that may hold own rules as text in place of a strategy. */
interface WithRules {
  rules?: string | undefined;
  interval?: IntervalName | undefined;
  strategy?: Strategy | undefined;
  candles?: { time: readonly number[] } | undefined;
}

/**
 * Puts the strategy of `rules` in their place, so that everything after it knows strategies alone. Rejects `rules` beside a strategy, a text
 * with an error, named by line, column, message and fix, and candles of no known interval where `interval` is absent.
 */
export function takeRules<T extends WithRules>(payload: { value: T; issues: z.core.$ZodRawIssue[] }): void {
  const { value, issues } = payload;
  const { rules, strategy } = value;
  if (rules === undefined) return;
  const reject = (field: string, message: string): void =>
    void issues.push({ code: 'custom', input: value, path: [field], message });
  if (strategy !== undefined) return reject('rules', 'send either `rules` or `strategy`');
  const interval = value.interval ?? intervalOf(value.candles?.time ?? []);
  if (interval === undefined) return reject('interval', `send that of the candles: ${intervals.join(' ')}`);
  const own = strategyOfRules(rules, interval);
  if (!own.ok) return reject('rules', problemText(own.error[0]));
  const { rules: _taken, ...rest } = value;
  payload.value = { ...rest, strategy: own.value } as T;
}

/** The interval whose length is the shortest step between candles; undefined where none is. */
export function intervalOf(time: readonly number[]): IntervalName | undefined {
  let least = Infinity;
  for (let i = 1; i < time.length; i++) least = Math.min(least, (time[i] ?? 0) - (time[i - 1] ?? 0));
  return intervals.find((name) => intervalMs[name] === least);
}
