import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { z } from 'zod';
import { failWith, type Result } from '../../core/result.ts';
import { problemText } from '../../rules/strategyOfRules.ts';
import { ownRulesOf } from './strategy.ts';

/** A request that may hold own rules as text in place of a strategy. */
interface WithRules {
  rules?: string | undefined;
  interval?: IntervalName | undefined;
  strategy?: Strategy | undefined;
  candles?: { time: readonly number[] } | undefined;
}

/** The first thing that is wrong with a field. */
export interface FieldIssue {
  path: string[];
  message: string;
}

/**
 * Replaces `rules` by the strategy they describe, so that later code handles strategies only. Adds an issue for `rules` beside a strategy,
 * for a text with an error (line, column, message and fix), and for candles of no known interval where `interval` is absent.
 */
export function takeRules(payload: { value: WithRules; issues: z.core.$ZodRawIssue[] }): void {
  const { value, issues } = payload;
  if (value.rules === undefined) return;
  const taken = strategyIn(value, value.rules);
  if (!taken.ok) {
    issues.push({ code: 'custom', input: value, ...taken.error });
    return;
  }
  const { rules: _rules, ...rest } = value;
  payload.value = { ...rest, strategy: taken.value };
}

function strategyIn({ strategy, interval, candles }: WithRules, rules: string): Result<Strategy, FieldIssue> {
  if (strategy !== undefined) return failWith({ path: ['rules'], message: 'send either `rules` or `strategy`' });
  const base = interval ?? intervalOf(candles?.time ?? []);
  if (base === undefined)
    return failWith({ path: ['interval'], message: `send the interval of the candles: ${intervals.join(' ')}` });
  const own = ownRulesOf(rules, base);
  return own.ok ? own : failWith({ path: ['rules'], message: problemText(own.error[0]) });
}

/** The interval whose length is the shortest step between candles; undefined where none is. */
export function intervalOf(time: readonly number[]): IntervalName | undefined {
  let least = Infinity;
  for (let i = 1; i < time.length; i++) least = Math.min(least, (time[i] ?? 0) - (time[i - 1] ?? 0));
  return intervals.find((name) => intervalMs[name] === least);
}
