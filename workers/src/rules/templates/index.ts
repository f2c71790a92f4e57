import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';

/** A published strategy as own rules. */
export interface RuleTemplate {
  id: string;
  title: string;
  /** Author, title and year. */
  source: string;
  text: string;
  /** Candles it is meant for. */
  interval: IntervalName;
  /** One sentence. */
  about: string;
}

export const ruleTemplates: readonly RuleTemplate[] = [
  {
    id: 'trendCross',
    title: 'Average cross with the trend',
    source: 'docs/rules.md',
    text: `fast = 12 [5..50 step 1]; slow = 26 [20..200 step 2]
long when crossover(ema(close, fast), ema(close, slow)) and rsi(14) < 70 and 4h(close > ema(close, 200))
short when crossunder(ema(close, fast), ema(close, slow)) and hour in 8..20
exit long when close < ema(close, slow)
stop 2 * atr(14); target 3R; risk 1 %`,
    interval: '1h',
    about: 'Trades crossings of two averages, long only above the 4h trend.',
  },
];
