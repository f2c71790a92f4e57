import type { RuleTemplate } from './template.ts';

/** Averages and lines that follow the price. Where a source has no stop or target, they are 8 % and 50 % away: rarely reached. */
export const trendTemplates: readonly RuleTemplate[] = [
  {
    id: 'donchian-5-20',
    title: 'Moving average cross, 5 and 20',
    source: "R. Donchian, Donchian's Five- and 20-Day Moving Averages, Futures 24 (November 1995)",
    interval: '1d',
    about: 'Always in the market, on the side of the faster average. Without the penetration rules of the article.',
    text: `fast = 5 [2..15 step 1]; slow = 20 [20..60 step 5]
long when crossover(sma(fast), sma(slow))
short when crossunder(sma(fast), sma(slow))
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'triple-cross',
    title: 'Triple cross, 4, 9 and 18',
    source: 'R. C. Allen, How to Build a Fortune in Commodities (1972)',
    interval: '1d',
    about: 'Enters when three averages line up and leaves when the two fast ones cross.',
    text: `fast = 4 [3..6 step 1]; middle = 9 [7..12 step 1]; slow = 18 [15..30 step 3]
long when sma(fast) > sma(middle) and sma(middle) > sma(slow)
short when sma(fast) < sma(middle) and sma(middle) < sma(slow)
exit long when sma(fast) < sma(middle)
exit short when sma(fast) > sma(middle)
stop 8 %; target 50 %`,
  },
  {
    id: 'golden-cross',
    title: 'Golden cross, 50 and 200',
    source: 'StockCharts ChartSchool, Moving Averages: Simple and Exponential (documentation)',
    interval: '1d',
    about: 'Long while the 50-candle average is above the 200-candle one.',
    text: `fast = 50 [20..100 step 10]; slow = 200 [120..300 step 20]
long when crossover(sma(fast), sma(slow))
exit long when crossunder(sma(fast), sma(slow))
stop 8 %; target 50 %`,
  },
  {
    id: 'average-band',
    title: 'Moving average with a band',
    source:
      'W. Brock, J. Lakonishok, B. LeBaron, Simple Technical Trading Rules and the Stochastic Properties of Stock Returns, Journal of Finance 47 (1992)',
    interval: '1d',
    about: 'Long above the average by 1 %, short below it by 1 %, out of the market in between.',
    text: `slow = 50 [50..200 step 50]; band = 0.01 [0..0.02 step 0.005]
long when close > sma(slow) * (1 + band)
short when close < sma(slow) * (1 - band)
exit long when close <= sma(slow) * (1 + band)
exit short when close >= sma(slow) * (1 - band)
stop 8 %; target 50 %`,
  },
  {
    id: 'timing-average',
    title: 'Ten-month average',
    source: 'M. Faber, A Quantitative Approach to Tactical Asset Allocation, Journal of Wealth Management 9 (2007)',
    interval: '1d',
    about: 'Long above the average of 200 daily closes, else out. The paper decides once a month, this every day.',
    text: `slow = 200 [100..300 step 20]
long when close > sma(slow)
exit long when close < sma(slow)
stop 8 %; target 50 %`,
  },
  {
    id: 'time-series-momentum',
    title: 'Twelve-month momentum',
    source: 'T. Moskowitz, Y. H. Ooi, L. H. Pedersen, Time Series Momentum, Journal of Financial Economics 104 (2012)',
    interval: '1d',
    about: 'Takes the side of the return of twelve months and holds it for one. Months have 30 candles.',
    text: `past = 360 [30..360 step 30]
long when close > close[past]
short when close < close[past]
hold 30
stop 8 %; target 50 %`,
  },
  {
    id: 'crypto-momentum',
    title: 'Weekly momentum of crypto',
    source: 'Y. Liu, A. Tsyvinski, Risks and Returns of Cryptocurrency, Review of Financial Studies 34 (2021)',
    interval: '1d',
    about: 'After a week with a gain, long for the next one. The paper sorts weeks by size; this takes each gain.',
    text: `past = 7 [7..28 step 7]
long when close > close[past]
hold 7
stop 8 %; target 50 %`,
  },
  {
    id: 'macd-cross',
    title: 'MACD cross',
    source: 'G. Appel, Technical Analysis: Power Tools for Active Investors (2005)',
    interval: '4h',
    about: 'Always on the side of the MACD relative to its signal line.',
    text: `fast = 12 [6..18 step 2]; slow = 26 [20..40 step 2]; smooth = 9 [5..13 step 2]
long when crossover(macd(fast, slow, smooth).macd, macd(fast, slow, smooth).signal)
short when crossunder(macd(fast, slow, smooth).macd, macd(fast, slow, smooth).signal)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'macd-histogram',
    title: 'MACD histogram turn',
    source: 'A. Elder, Trading for a Living (1993)',
    interval: '4h',
    about: 'Buys the first upturn of the histogram below zero, sells the first downturn above it.',
    text: `bar = macd(12, 26, 9).histogram
long when bar[1] < 0 and bar[1] <= bar[2] and bar > bar[1]
short when bar[1] > 0 and bar[1] >= bar[2] and bar < bar[1]
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'supertrend',
    title: 'Supertrend',
    source: 'TradingView, Supertrend (documentation), after O. Seban',
    interval: '4h',
    about: 'Always on the side of a line that trails the price by three average true ranges.',
    text: `period = 10 [7..21 step 2]; multiple = 3 [1.5..4.5 step 0.5]
side = supertrend(period, multiple).direction
long when crossover(side, 0)
short when crossunder(side, 0)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'directional-movement',
    title: 'Directional movement',
    source: 'J. W. Wilder, New Concepts in Technical Trading Systems (1978)',
    interval: '1d',
    about: 'Takes the cross of +DI and -DI while the ADX shows a trend.',
    text: `least = 25 [15..35 step 5]
long when crossover(adx(14).plusDi, adx(14).minusDi) and adx(14) > least
short when crossunder(adx(14).plusDi, adx(14).minusDi) and adx(14) > least
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'ichimoku-cross',
    title: 'Ichimoku, Tenkan and Kijun',
    source: 'G. Hosoda, Ichimoku Kinko Hyo (1969)',
    interval: '1d',
    about: 'Takes the cross of Tenkan and Kijun beyond the cloud and leaves behind Kijun.',
    text: `top = max(ichimoku.senkouA, ichimoku.senkouB); bottom = min(ichimoku.senkouA, ichimoku.senkouB)
long when crossover(ichimoku.tenkan, ichimoku.kijun) and close > top
short when crossunder(ichimoku.tenkan, ichimoku.kijun) and close < bottom
exit long when close < ichimoku.kijun
exit short when close > ichimoku.kijun
stop 8 %; target 50 %`,
  },
  {
    id: 'elder-impulse',
    title: 'Impulse system',
    source: 'A. Elder, Come Into My Trading Room (2002)',
    interval: '1d',
    about: 'In the market while average and MACD histogram move to the same side.',
    text: `pace = 13 [9..21 step 2]
line = ema(pace); bar = macd(12, 26, 9).histogram
long when line > line[1] and bar > bar[1]
short when line < line[1] and bar < bar[1]
exit long when line < line[1] or bar < bar[1]
exit short when line > line[1] or bar > bar[1]
stop 8 %; target 50 %`,
  },
  {
    id: 'aroon',
    title: 'Aroon cross',
    source: 'T. Chande, A Time Price Oscillator, Stocks & Commodities (September 1995)',
    interval: '1d',
    about: 'Compares the age of the newest high with the age of the newest low.',
    text: `up = 100 * (25 - barssince(high == highest(high, 26))) / 25
down = 100 * (25 - barssince(low == lowest(low, 26))) / 25
long when crossover(up, down)
short when crossunder(up, down)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'vortex',
    title: 'Vortex cross',
    source: 'E. Botes, D. Siepman, The Vortex Indicator, Stocks & Commodities (January 2010)',
    interval: '1d',
    about: 'Compares upward with downward movement from one candle to the next.',
    text: `period = 14 [7..28 step 7]
up = sum(abs(high - low[1]), period); down = sum(abs(low - high[1]), period)
long when crossover(up, down)
short when crossunder(up, down)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'trix',
    title: 'TRIX',
    source: 'J. Hutson, Good TRIX, Stocks & Commodities (July 1983)',
    interval: '1d',
    about: 'Follows the turn of an average that is smoothed three times.',
    text: `period = 15 [9..21 step 2]
turn = change(ema(ema(ema(close, period), period), period))
long when crossover(turn, 0)
short when crossunder(turn, 0)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'awesome-oscillator',
    title: 'Awesome oscillator',
    source: 'B. Williams, New Trading Dimensions (1998)',
    interval: '1d',
    about: 'Follows the difference of two averages of the middle price through zero.',
    text: `awesome = sma(hl2, 5) - sma(hl2, 34)
long when crossover(awesome, 0)
short when crossunder(awesome, 0)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'heikin-ashi',
    title: 'Heikin-Ashi colour',
    source: 'D. Valcu, Using the Heikin-Ashi Technique, Stocks & Commodities (February 2004)',
    interval: '1d',
    about:
      'Follows the colour of averaged candles. Their open is an average of three candles, which is the same formula.',
    text: `first = ema(ohlc4, 3)[1]
up = ohlc4 > first; down = ohlc4 < first
long when up and not up[1]
short when down and not down[1]
on opposite reverse
stop 8 %; target 50 %`,
  },
];
