import type { RuleTemplate } from './template.ts';

/** Stretched prices that are expected to return, and pullbacks within a trend. */
export const reversalTemplates: readonly RuleTemplate[] = [
  {
    id: 'rsi-2',
    title: 'RSI of two candles',
    source: 'L. Connors, C. Alvarez, Short Term Trading Strategies That Work (2008)',
    interval: '1d',
    about:
      'Buys deep dips above the 200-candle average, sells short their mirror image, leaves at the 5-candle average.',
    text: `low_rsi = 5 [2..15 step 1]
long when close > sma(200) and rsi(2) < low_rsi
short when close < sma(200) and rsi(2) > 100 - low_rsi
exit long when close > sma(5)
exit short when close < sma(5)
stop 8 %; target 50 %`,
  },
  {
    id: 'cumulative-rsi',
    title: 'Cumulative RSI',
    source: 'L. Connors, C. Alvarez, Short Term Trading Strategies That Work (2008)',
    interval: '1d',
    about: 'Buys when two candles of RSI(2) add up to less than 35 above the 200-candle average.',
    text: `most = 35 [15..55 step 5]
long when close > sma(200) and sum(rsi(2), 2) < most
exit long when rsi(2) > 65
stop 8 %; target 50 %`,
  },
  {
    id: 'double-7',
    title: 'Double sevens',
    source: 'L. Connors, C. Alvarez, Short Term Trading Strategies That Work (2008)',
    interval: '1d',
    about: 'Above the 200-candle average, buys the lowest close of seven and sells the highest.',
    text: `days = 7 [5..10 step 1]
long when close > sma(200) and close == lowest(close, days)
exit long when close == highest(close, days)
stop 8 %; target 50 %`,
  },
  {
    id: 'rsi-three-falls',
    title: 'R3, three falls of RSI',
    source: 'L. Connors, C. Alvarez, High Probability ETF Trading (2009)',
    interval: '1d',
    about: 'Buys after RSI(2) has fallen three times from below 60 to below 10, above the 200-candle average.',
    text: `r = rsi(2)
long when close > sma(200) and falling(r, 1) and falling(r, 1)[1] and falling(r, 1)[2] and r[3] < 60 and r < 10
short when close < sma(200) and rising(r, 1) and rising(r, 1)[1] and rising(r, 1)[2] and r[3] > 40 and r > 90
exit long when r > 70
exit short when r < 30
stop 8 %; target 50 %`,
  },
  {
    id: 'rsi-reversal',
    title: 'RSI reversal, 30 and 70',
    source: 'J. W. Wilder, New Concepts in Technical Trading Systems (1978)',
    interval: '4h',
    about: 'Takes the return of the RSI from an extreme, in both directions.',
    text: `period = 14 [7..21 step 7]; edge = 30 [20..40 step 5]
long when crossover(rsi(period), edge)
short when crossunder(rsi(period), 100 - edge)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'bollinger-reversal',
    title: 'Bollinger reversal',
    source: 'J. Bollinger, Bollinger on Bollinger Bands (2001)',
    interval: '4h',
    about: 'Takes the return into the bands and leaves at the middle. The book confirms it with volume as well.',
    text: `period = 20 [10..40 step 5]; width = 2 [1.5..3 step 0.5]
long when crossover(close, boll(period, width).lower)
short when crossunder(close, boll(period, width).upper)
exit long when close > boll(period, width).middle
exit short when close < boll(period, width).middle
stop 8 %; target 50 %`,
  },
  {
    id: 'stochastic-cross',
    title: 'Stochastic cross',
    source: "G. Lane, Lane's Stochastics, Stocks & Commodities (May 1984)",
    interval: '4h',
    about: 'Takes the cross of %K and %D below 20 and above 80.',
    text: `k = mean(100 * (close - lowest(low, 14)) / (highest(high, 14) - lowest(low, 14)), 3)
d = mean(k, 3)
long when crossover(k, d) and k < 20
short when crossunder(k, d) and k > 80
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'stochastic-rsi',
    title: 'Stochastic RSI',
    source: 'T. Chande, S. Kroll, The New Technical Trader (1994)',
    interval: '4h',
    about: 'Takes the return of the stochastic RSI from below 20 and above 80.',
    text: `edge = 20 [10..30 step 5]
long when crossover(stochrsi(14, 14, 3, 3).k, edge)
short when crossunder(stochrsi(14, 14, 3, 3).k, 100 - edge)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'commodity-channel',
    title: 'Commodity channel index',
    source: 'D. Lambert, Commodity Channel Index, Commodities (October 1980)',
    interval: '1d',
    about: 'In the market while the index is beyond 100, on the side of the move.',
    text: `period = 20 [10..40 step 5]; edge = 100 [50..200 step 50]
long when crossover(cci(period), edge)
short when crossunder(cci(period), -edge)
exit long when cci(period) < edge
exit short when cci(period) > -edge
stop 8 %; target 50 %`,
  },
  {
    id: 'williams-r',
    title: 'Williams %R',
    source: 'L. Williams, How I Made One Million Dollars Last Year Trading Commodities (1973)',
    interval: '4h',
    about: 'Takes the return of %R from the lowest and the highest fifth of its range.',
    text: `period = 14 [7..21 step 7]
r = -100 * (highest(high, period) - close) / (highest(high, period) - lowest(low, period))
long when crossover(r, -80)
short when crossunder(r, -20)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'money-flow-reversal',
    title: 'Money flow reversal',
    source: 'G. Quong, A. Soudack, Volume-Weighted RSI: Money Flow, Stocks & Commodities (March 1989)',
    interval: '4h',
    about: 'Takes the return of the money flow index from below 20 and above 80.',
    text: `edge = 20 [10..30 step 5]
long when crossover(mfi(14), edge)
short when crossunder(mfi(14), 100 - edge)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'internal-strength',
    title: 'Internal bar strength',
    source: 'A. Pagonidis, The IBS Effect: Mean Reversion in Equity ETFs, NAAIM (2013)',
    interval: '1d',
    about: 'Buys a close near the low of its candle and sells one near the high.',
    text: `edge = 0.2 [0.1..0.4 step 0.05]
place = (close - low) / (high - low)
long when place < edge
exit long when place > 1 - edge
stop 8 %; target 50 %`,
  },
  {
    id: 'turtle-soup',
    title: 'Turtle soup',
    source: 'L. Connors, L. Raschke, Street Smarts (1996)',
    interval: '1d',
    about: 'Takes a failed breakout of 20 candles whose last extreme is at least four candles old.',
    text: `floor_before = lowest(low, 20)[1]; top_before = highest(high, 20)[1]
long when low < floor_before and close > floor_before and barssince(low == lowest(low, 20))[1] >= 3
short when high > top_before and close < top_before and barssince(high == highest(high, 20))[1] >= 3
stop 2 * atr(14); target 2R; risk 1 %`,
  },
  {
    id: 'holy-grail',
    title: 'Pullback to the 20 average',
    source: 'L. Connors, L. Raschke, Street Smarts (1996)',
    interval: '1d',
    about: 'In a trend with ADX above 30, enters when the candle that touched the average is broken.',
    text: `line = ema(20)
up = adx(14).plusDi > adx(14).minusDi and adx(14) > 30
down = adx(14).plusDi < adx(14).minusDi and adx(14) > 30
long when up and low[1] <= line[1] and close > high[1]
short when down and high[1] >= line[1] and close < low[1]
stop 2 * atr(14); target 2R; risk 1 %`,
  },
  {
    id: 'rsi-range',
    title: 'Pullback in a trend, EMA 200 and RSI',
    source: 'C. Brown, Technical Analysis for the Trading Professional (1999)',
    interval: '4h',
    about: 'In a rising market the RSI tends to stay between 40 and 80: buys its return above 40.',
    text: `edge = 40 [35..50 step 5]
long when close > ema(200) and crossover(rsi(14), edge)
exit long when rsi(14) > 80 or close < ema(200)
stop 8 %; target 50 %`,
  },
  {
    id: 'triple-screen',
    title: 'Triple screen',
    source: 'A. Elder, Triple Screen Trading System, Futures (April 1986)',
    interval: '1h',
    about: 'Enters dips in the direction of the 4-hour MACD histogram. Elder steps from weeks to days.',
    text: `tide_up = 4h(macd.histogram > macd.histogram[1]); tide_down = 4h(macd.histogram < macd.histogram[1])
k = 100 * (close - lowest(low, 14)) / (highest(high, 14) - lowest(low, 14))
long when tide_up and k[1] < 30 and close > high[1]
short when tide_down and k[1] > 70 and close < low[1]
exit long when tide_down
exit short when tide_up
stop 8 %; target 50 %`,
  },
];
