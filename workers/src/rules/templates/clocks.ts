import type { RuleTemplate } from './template.ts';

/** Rules of the clock, of the day's average price and of funding. */
export const clockTemplates: readonly RuleTemplate[] = [
  {
    id: 'vwap-trend',
    title: 'Side of the VWAP',
    source: 'C. Zarattini, A. Aziz, Volume Weighted Average Price: The Holy Grail for Day Trading Systems, SSRN (2023)',
    interval: '15m',
    about: 'Long above the average price of the UTC day, short below it, out when the day ends.',
    text: `last = hour == 0 and hour[1] == 23
long when close > vwap
short when close < vwap
exit long when last
exit short when last
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'bitcoin-evening',
    title: 'Bitcoin at 21:00 UTC',
    source: 'M. Padysak, R. Vojtko, Seasonality, Trend-Following, and Mean Reversion in Bitcoin, SSRN (2022)',
    interval: '1h',
    about: 'Long from 21:00 to 23:00 UTC, every day.',
    text: `long when hour == 21
exit long when hour == 23
stop 8 %; target 50 %`,
  },
  {
    id: 'bitcoin-maximum',
    title: 'Bitcoin at its highest close',
    source: 'M. Padysak, R. Vojtko, Seasonality, Trend-Following, and Mean Reversion in Bitcoin, SSRN (2022)',
    interval: '1d',
    about: 'Long while the last close is the highest of ten.',
    text: `days = 10 [10..50 step 10]
long when close == highest(close, days)
exit long when close < highest(close, days)
stop 8 %; target 50 %`,
  },
  {
    id: 'bitcoin-monday',
    title: 'Bitcoin on Mondays',
    source:
      'G. M. Caporale, A. Plastun, The Day of the Week Effect in the Cryptocurrency Market, Finance Research Letters 31 (2019)',
    interval: '1h',
    about: 'Long from the start to the end of Monday, UTC. The authors call the effect inconclusive.',
    text: `long when weekday == 0 and hour == 0
exit long when weekday == 1
stop 8 %; target 50 %`,
  },
  {
    id: 'funding-carry',
    title: 'Funding carry',
    source: 'S. He, A. Manela, O. Ross, V. von Wachter, Fundamentals of Perpetual Futures, arXiv (2022)',
    interval: '1h',
    about:
      'On the side that is paid while funding is high. The paper hedges with spot; this one leg carries the price risk.',
    text: `rate = 0.0003 [0.0001..0.001 step 0.0001]
long when funding < -rate
short when funding > rate
exit long when funding >= 0
exit short when funding <= 0
stop 8 %; target 50 %`,
  },
  {
    id: 'funding-extreme',
    title: 'Funding extreme',
    source: 'Brave New Coin, Testing the Theory: Is the Perpetual Swap Funding Rate Predictive (2023)',
    interval: '1h',
    about: 'Against the crowd for a day when funding is two deviations from its mean of ten days.',
    text: `times = 2 [1..3 step 0.5]
usual = mean(funding, 240); spread = stdev(funding, 240)
long when funding < usual - times * spread
short when funding > usual + times * spread
hold 24
stop 8 %; target 50 %`,
  },
];
