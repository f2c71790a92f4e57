import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { Candles, MarkPrices } from '../../src/protocol/backtest.ts';
import type { StrategyInput } from '../../src/protocol/strategy.ts';
import { strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { randomRules } from '../rules/randomRules.ts';
import { partsOf } from './finerCandles.ts';
import { type Random, randomCandles, randomCosts } from './randomRuns.ts';
import { contextOf } from './randomStrategies.ts';

/** Strategies of own rules whose parameters have ranges. */

export function ownStrategy(text: string, interval: IntervalName): Strategy & { rules: string } {
  const own = strategyOfRules(text, interval);
  if (!own.ok) throw new Error(`${JSON.stringify(own.error)}\n${text}`);
  return { ...own.value, rules: text };
}

const variedExits: [fixed: string, varied: string][] = [
  ['stop 2 * atr(14)', 'stop wide * atr(n)'],
  ['target 3R', 'target times R'],
  ['trail 1 % step 0.25 % after 1 %', 'trail near % step 0.25 % after near %'],
  ['hold 24', 'hold bars'],
  ['risk 0.5 %', 'risk near %'],
];

/** A text by dice whose exits have parameters too, on candles of 15 minutes. */
export function randomRangedRules(random: Random): string {
  const exits = variedExits.reduce((text, [fixed, varied]) => text.replace(fixed, varied), randomRules(random));
  const lines = [
    'wide = 1.5 [0.5..2.5 step 0.5]',
    `n = 14 ${random() < 0.5 ? '[7..21 step 7]' : ''}`,
    // Beside its grid.
    'times = 2.25 [1..4 step 1] # R',
    'near = 1 [0.5..2 step 0.5]; bars = 12 [6..24 step 6]',
  ];
  return [...lines, exits].join('\n');
}

/** A run of such a text with everything that a run may read. */
export function randomOwnRun(
  random: Random,
  count: number,
): StrategyInput & { strategy: Strategy & { rules: string } } {
  const strategy = ownStrategy(randomRangedRules(random), '15m');
  const candles = randomCandles(random, count, intervalMs['15m']);
  const costs = { ...randomCosts(random, candles), initialEquity: 100_000 };
  costs.leverage = Math.min(costs.leverage, 20);
  const { open, high, low } = candles;
  const moved = (column: Float64Array): Float64Array => column.map((price) => Number((price * 1.0015).toFixed(3)));
  const markPrices: MarkPrices = { open: moved(open), high: moved(high), low: moved(low) };
  return {
    strategy,
    candles,
    costs,
    context: strategy.intervals.slice(1).map(({ interval }) => contextOf(random, candles, interval, 60)),
    scoredCount: Math.floor(count / 4),
    ...(random() < 0.5 && { markPrices }),
    ...(random() < 0.5 && { fineCandles: partsOf(random, candles) }),
    ...(random() < 0.5 && { news: Int8Array.from(open, () => Math.floor(random() * 3) - 1) }),
  };
}

/** The run as it was before candle `end`, its last `scoredCount` candles scored. */
export function cutRun<T extends StrategyInput>(run: T, end: number, scoredCount: number): T {
  const cut = <C extends Candles | MarkPrices>(columns: C): C =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, (column as Float64Array).slice(0, end)]),
    ) as unknown as C;
  const { candles, markPrices, news } = run;
  return {
    ...run,
    scoredCount,
    candles: cut(candles),
    ...(markPrices && { markPrices: cut(markPrices) }),
    ...(news && { news: news.slice(0, end) }),
  };
}
