import type { RuleTemplate } from './template.ts';

/** New highs and lows, wide candles and quiet ranges that end. Entries wait for the close; most sources enter at the touch. */
export const breakoutTemplates: readonly RuleTemplate[] = [
  {
    id: 'turtle-1',
    title: 'Turtle system 1',
    source: 'C. Faith, Way of the Turtle (2007)',
    interval: '1d',
    about: 'Breakout of 20 candles, leaves at that of 10. Without the added units and the skip after a win.',
    text: `enter = 20 [10..40 step 5]; leave = 10 [5..20 step 5]
long when close > highest(high, enter)[1]
short when close < lowest(low, enter)[1]
exit long when close < lowest(low, leave)[1]
exit short when close > highest(high, leave)[1]
stop 2 * atr(20); target 50 %; risk 1 %`,
  },
  {
    id: 'turtle-2',
    title: 'Turtle system 2',
    source: 'C. Faith, Way of the Turtle (2007)',
    interval: '1d',
    about: 'Breakout of 55 candles, leaves at that of 20. Without the added units.',
    text: `enter = 55 [40..80 step 5]; leave = 20 [10..30 step 5]
long when close > highest(high, enter)[1]
short when close < lowest(low, enter)[1]
exit long when close < lowest(low, leave)[1]
exit short when close > highest(high, leave)[1]
stop 2 * atr(20); target 50 %; risk 1 %`,
  },
  {
    id: 'donchian-trend',
    title: 'Donchian trend',
    source: 'C. Faith, Way of the Turtle (2007)',
    interval: '1d',
    about: 'Turtle breakout on the side of two slow averages only.',
    text: `enter = 20 [10..40 step 5]; leave = 10 [5..20 step 5]
long when close > highest(high, enter)[1] and ema(25) > ema(350)
short when close < lowest(low, enter)[1] and ema(25) < ema(350)
exit long when close < lowest(low, leave)[1]
exit short when close > highest(high, leave)[1]
stop 2 * atr(20); target 50 %; risk 1 %`,
  },
  {
    id: 'four-week-rule',
    title: 'Four-week rule',
    source: 'R. Donchian, High Finance in Copper, Financial Analysts Journal 16 (1960)',
    interval: '1d',
    about: 'Always in the market, on the side of the last breakout of 20 candles.',
    text: `weeks = 20 [10..60 step 5]
long when close > highest(high, weeks)[1]
short when close < lowest(low, weeks)[1]
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'range-break',
    title: 'Trading range break',
    source:
      'W. Brock, J. Lakonishok, B. LeBaron, Simple Technical Trading Rules and the Stochastic Properties of Stock Returns, Journal of Finance 47 (1992)',
    interval: '1d',
    about: 'Takes a close beyond all closes of 50 candles and holds it for ten.',
    text: `past = 50 [50..200 step 50]
long when close > highest(close, past)[1]
short when close < lowest(close, past)[1]
hold 10
stop 8 %; target 50 %`,
  },
  {
    id: 'keltner-breakout',
    title: 'Keltner channel breakout',
    source: 'C. Keltner, How to Make Money in Commodities (1960)',
    interval: '1d',
    about: 'Always on the side of the last close beyond the average by the mean range of ten candles.',
    text: `period = 10 [10..30 step 5]
line = sma(hlc3, period); width = sma(high - low, period)
long when close > line + width
short when close < line - width
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'bollinger-breakout',
    title: 'Bollinger breakout',
    source: 'C. Faith, Way of the Turtle (2007)',
    interval: '1d',
    about: 'Takes a close beyond a very slow Bollinger band and leaves at its middle.',
    text: `period = 350 [100..350 step 50]; width = 2.5 [1.5..3 step 0.5]
long when close > boll(period, width).upper
short when close < boll(period, width).lower
exit long when close < boll(period, width).middle
exit short when close > boll(period, width).middle
stop 8 %; target 50 %`,
  },
  {
    id: 'bollinger-squeeze',
    title: 'Bollinger squeeze',
    source: 'J. Bollinger, Bollinger on Bollinger Bands (2001)',
    interval: '1d',
    about: 'Follows the break of a band soon after the narrowest bands of six months; leaves at the opposite band.',
    text: `past = 125 [60..185 step 25]
width = (boll(20, 2).upper - boll(20, 2).lower) / boll(20, 2).middle
narrow = barssince(width <= lowest(width, past)) <= 5
long when close > boll(20, 2).upper and narrow
short when close < boll(20, 2).lower and narrow
exit long when low < boll(20, 2).lower
exit short when high > boll(20, 2).upper
stop 8 %; target 50 %`,
  },
  {
    id: 'bollinger-money-flow',
    title: 'Bollinger bands with money flow',
    source: 'J. Bollinger, Bollinger on Bollinger Bands (2001)',
    interval: '1d',
    about: 'Follows strength near a band that volume confirms. Exits at the middle band, which is our choice.',
    text: `place = (close - boll(20, 2).lower) / (boll(20, 2).upper - boll(20, 2).lower)
long when place > 0.8 and mfi(10) > 80
short when place < 0.2 and mfi(10) < 20
exit long when close < boll(20, 2).middle
exit short when close > boll(20, 2).middle
stop 8 %; target 50 %`,
  },
  {
    id: 'squeeze-release',
    title: 'Squeeze release',
    source: 'J. Carter, Mastering the Trade (2005)',
    interval: '1h',
    about: 'When Bollinger bands leave the Keltner channel, takes the side of momentum until it weakens.',
    text: `calm = boll(20, 2).upper < sma(20) + 1.5 * atr(20)
pace = change(close, 12)
long when calm[1] and not calm and pace > 0
short when calm[1] and not calm and pace < 0
exit long when pace < pace[1]
exit short when pace > pace[1]
stop 8 %; target 50 %`,
  },
  {
    id: 'chandelier-exit',
    title: 'Chandelier exit',
    source: 'C. LeBeau in A. Elder, Come Into My Trading Room (2002)',
    interval: '1d',
    about: 'Exits three average true ranges below the high of 22 candles. The entry at a breakout is our choice.',
    text: `times = 3 [2..4 step 0.5]
long when close > highest(high, 22)[1]
short when close < lowest(low, 22)[1]
exit long when close < highest(high, 22) - times * atr(22)
exit short when close > lowest(low, 22) + times * atr(22)
stop 3 * atr(22); target 50 %; risk 1 %`,
  },
  {
    id: 'narrow-range-7',
    title: 'Narrow range, NR7',
    source: 'T. Crabel, Day Trading with Short Term Price Patterns and Opening Range Breakout (1990)',
    interval: '1d',
    about: 'Follows the break of the narrowest candle of seven for one candle.',
    text: `range = high - low
narrow = range < lowest(range, 6)[1]
long when narrow[1] and close > high[1]
short when narrow[1] and close < low[1]
hold 1
stop 8 %; target 50 %`,
  },
  {
    id: 'inside-narrow-4',
    title: 'Inside candle with NR4',
    source: 'T. Crabel, Opening Range Breakout, Part 6, Stocks & Commodities (May 1989)',
    interval: '1d',
    about: 'Follows the break of an inside candle that is also the narrowest of four, for one candle.',
    text: `range = high - low
inside = high < high[1] and low > low[1] and range < lowest(range, 3)[1]
long when inside[1] and close > high[1]
short when inside[1] and close < low[1]
hold 1
stop 8 %; target 50 %`,
  },
  {
    id: 'opening-range',
    title: 'Opening range breakout',
    source: 'T. Crabel, Day Trading with Short Term Price Patterns and Opening Range Breakout (1990)',
    interval: '15m',
    about: 'Follows the break of the first hour of the UTC day and leaves at 23:00.',
    text: `first = hour == 1 and hour[1] == 0
top = valuewhen(first, highest(high, 4)); bottom = valuewhen(first, lowest(low, 4))
long when crossover(close, top) and hour in 1..22
short when crossunder(close, bottom) and hour in 1..22
exit long when hour == 23
exit short when hour == 23
stop 8 %; target 50 %`,
  },
  {
    id: 'volatility-breakout',
    title: 'Volatility breakout',
    source: 'L. Williams, Long-Term Secrets to Short-Term Trading (1999)',
    interval: '1h',
    about: "Follows a move from the day's open by half of yesterday's range; leaves when the UTC day ends.",
    text: `part = 0.5 [0.3..1 step 0.1]
first = valuewhen(hour == 1 and hour[1] == 0, open)
range = 1d(high - low)
long when crossover(close, first + part * range)
short when crossunder(close, first - part * range)
exit long when hour == 0
exit short when hour == 0
stop 8 %; target 50 %`,
  },
  {
    id: 'dual-thrust',
    title: 'Dual thrust',
    source: 'QuantConnect, The Dual Thrust Trading Algorithm (documentation), after M. Chalek',
    interval: '1h',
    about: "Always on the side of the last break around the day's open, by half of the range of four days.",
    text: `part = 0.5 [0.3..0.9 step 0.1]; days = 4 [2..6 step 1]
first = valuewhen(hour == 1 and hour[1] == 0, open)
range = 1d(max(highest(high, days) - lowest(close, days), highest(close, days) - lowest(low, days)))
long when crossover(close, first + part * range)
short when crossunder(close, first - part * range)
on opposite reverse
stop 8 %; target 50 %`,
  },
  {
    id: 'volume-breakout',
    title: 'Breakout with volume',
    source: "W. O'Neil, How to Make Money in Stocks (1988)",
    interval: '1d',
    about: 'Buys a new high of 50 candles on half as much volume again; 8 % stop, 20 % target.',
    text: `times = 1.5 [1.2..2.4 step 0.3]
long when close > highest(high, 50)[1] and volume > times * sma(volume, 50)
stop 8 %; target 20 %`,
  },
  {
    id: 'balance-volume',
    title: 'On-balance volume breakout',
    source: 'J. Granville, New Key to Stock Market Profits (1963)',
    interval: '1d',
    about: 'Follows a new extreme of on-balance volume; periods of 20 and 10 candles are our choice.',
    text: `long when obv > highest(obv, 20)[1]
short when obv < lowest(obv, 20)[1]
exit long when obv < lowest(obv, 10)[1]
exit short when obv > highest(obv, 10)[1]
stop 8 %; target 50 %`,
  },
];
