import { ANALYSIS_TRADES_MIN, STATISTIC_DAYS_MIN } from './backtest.ts';

// Long because it is one table: an entry for each figure.

/**
 * The figures of a backtest, each declared once: where the engine keeps it, what it means, its unit, its formula, a case to check
 * by head, and when there is none. The engine's records, the host's reader, the wire schema, the hover texts of the web, the units
 * of exports, the API's documentation and docs/metrics.md are made from this list. Read by tsc only.
 */
export interface MetricEntry {
  id: string;
  /** Its name in the engine, in a result and on the wire; null when a screen derives it from other fields. */
  field: string | null;
  /**
   * The engine's record that holds it. The summary is part of the result's hash, so its slots are numbers that never change; a
   * figure of the summary without a slot is derived by the reader. The analysis is not hashed: its slots follow the order of this
   * list, and a new figure belongs there.
   */
  record?: 'summary' | 'analysis';
  slot?: number;
  /** `statistic`: with its count and error or reason; `flag`: true or false. Absent: a number, or null when there is none. */
  kind?: 'statistic' | 'flag';
  name: string;
  /** One to three sentences for a trader. */
  meaning: string;
  formula?: string;
  example?: string;
  unit: 'USDT' | 'fraction' | 'ratio' | 'count' | 'candle' | 'index' | 'true or false';
  /** A number of candles that is counted, not a mean. */
  isWhole?: true;
  /** When there is no figure; absent when there always is one. */
  notEnoughData?: string;
  /** A gain or a loss: shown with its sign. */
  isSigned?: boolean;
  /** Which of two runs of the same market and length did better by it; absent where neither more nor less is better by itself. */
  better?: 'higher' | 'lower';
  /** Part of the table of all figures it stands in; absent: not in that table. */
  group?: 'return' | 'risk' | 'trades';
  /** The counts of `notEnoughData` in numbers, and what else it can be. */
  needs?: { days?: number; trades?: number };
  besides?: string;
}

const days = `less than ${STATISTIC_DAYS_MIN} days, no variation, or an equity that was used up` as const;
const lasting = `less than ${STATISTIC_DAYS_MIN} days, or an equity that was used up` as const;
const month = { days: STATISTIC_DAYS_MIN };
const sample = { trades: ANALYSIS_TRADES_MIN };
const tooFewTrades = `fewer than ${ANALYSIS_TRADES_MIN} trades`;

export const metricRegistry = [
  {
    id: 'netPnl',
    field: 'netPnl',
    record: 'summary',
    slot: 14,
    name: 'Net PnL',
    meaning: 'What all trades earned after slippage, fees and funding, in USDT.',
    formula: 'net = gross PnL - fees - funding',
    example: 'Gross PnL 12.00, fees 1.00, funding 0.20: net +10.80.',
    unit: 'USDT',
    better: 'higher',
  },
  {
    id: 'pessimistic',
    field: 'pessimisticNetPnl',
    record: 'summary',
    slot: 37,
    name: 'Pessimistic bound',
    meaning:
      'Net PnL when in every bar that holds both stop and target the stop came first. It is the net PnL shown unless the target is taken first.',
    unit: 'USDT',
  },
  {
    id: 'optimistic',
    field: 'optimisticNetPnl',
    record: 'summary',
    slot: 31,
    name: 'Optimistic bound',
    meaning:
      'Net PnL when in every bar that holds both stop and target the target came first. The net PnL takes the stop first unless the setup says otherwise; the truth is most often between the two bounds: another exit can lead to other trades.',
    unit: 'USDT',
  },
  {
    id: 'winRate',
    field: 'winRate',
    record: 'summary',
    slot: 20,
    name: 'Win rate',
    meaning:
      'Share of the trades with a net PnL above 0. High win rates are easy to buy with small targets: read it with the expectancy.',
    formula: 'winners / trades',
    example: '18 of 40 trades: 45 %.',
    unit: 'fraction',
    better: 'higher',
    notEnoughData: 'no trade',
  },
  {
    id: 'trades',
    field: 'tradeCount',
    record: 'summary',
    slot: 2,
    name: 'Trades',
    meaning:
      'Closed trades, one at a time. A trade that is open at the last candle is closed by force and counted apart as END.',
    unit: 'count',
  },
  {
    id: 'maxDrawdown',
    field: 'maxDrawdownFraction',
    record: 'summary',
    slot: 21,
    name: 'Max drawdown',
    meaning:
      'Largest fall of mark-to-market equity from its highest point so far, open positions included. Above 10 % it is marked.',
    formula: 'max((peak - equity) / peak)',
    example: 'From 1,050 down to 987: 6 %.',
    unit: 'fraction',
    better: 'lower',
  },
  {
    id: 'pnlOverDrawdown',
    field: null,
    name: 'PnL / drawdown',
    meaning: 'Net return for each unit of the worst fall. 1 means the run earned once what it at worst had lost.',
    formula: '(net PnL / start equity) / max drawdown',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: 'no drawdown',
  },
  {
    id: 'sharpe',
    field: 'sharpe',
    kind: 'statistic',
    record: 'summary',
    slot: 26,
    name: 'Sharpe ratio',
    meaning:
      'Mean daily return over its deviation, per year. From UTC days of mark-to-market equity; needs 30 days from the first open to the last close, else it would mislead.',
    formula: 'mean / sample deviation x sqrt(365)',
    example: 'Mean 0.1 % a day, deviation 1 %: 1.91.',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: days,
  },
  {
    id: 'sortino',
    field: 'sortino',
    kind: 'statistic',
    record: 'summary',
    slot: 29,
    name: 'Sortino ratio',
    meaning: 'Like the Sharpe ratio, but only falling days count as risk.',
    formula: 'mean / downside deviation x sqrt(365)',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: `${days}, or no day that lost`,
  },
  {
    id: 'profitFactor',
    field: 'profitFactor',
    record: 'summary',
    slot: 22,
    name: 'Profit factor',
    meaning: 'Net winnings over net losses. Above 1 the trades earned; without a loss there is no figure.',
    formula: 'sum of wins / sum of losses',
    example: 'Wins 30, losses 20: 1.50.',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: 'no losing trade',
  },
  {
    id: 'expectancy',
    field: 'expectancy',
    record: 'summary',
    slot: 23,
    name: 'Expectancy',
    meaning: 'Average net PnL of a trade, in USDT.',
    formula: 'net PnL / trades',
    unit: 'USDT',
    better: 'higher',
    notEnoughData: 'no trade',
  },
  {
    id: 'exposure',
    field: 'exposureFraction',
    record: 'summary',
    slot: 24,
    name: 'Exposure',
    meaning: 'Share of the scored candles with an open position.',
    unit: 'fraction',
  },
  {
    id: 'fees',
    field: 'fees',
    record: 'summary',
    slot: 16,
    name: 'Fees',
    meaning:
      'All fees paid, entries and exits, in USDT. A liquidation loses the whole margin; its fee is inside that loss.',
    formula: 'sum of notional x rate',
    unit: 'USDT',
  },
  {
    id: 'ambiguous',
    field: 'ambiguousFraction',
    record: 'summary',
    slot: 32,
    name: 'Ambiguous exits',
    meaning:
      'Share of all trades that ended in a bar which held both the target and the stop or liquidation price: which came first cannot be known from the candle. The loss is taken, unless the run says target first.',
    unit: 'fraction',
  },
  {
    id: 'buyAndHold',
    field: 'buyAndHoldFraction',
    record: 'summary',
    slot: 33,
    name: 'Buy and hold',
    meaning:
      'Return of one position of the same size, bought at the start of the window and sold at its end, fees included, on the start equity.',
    unit: 'fraction',
  },
  {
    id: 'gross',
    field: null,
    name: 'Gross',
    meaning: 'Price differences before every cost, at undisturbed prices.',
    formula: 'gross PnL + slippage',
    unit: 'USDT',
  },
  {
    id: 'grossPnl',
    field: 'grossPnl',
    record: 'summary',
    slot: 15,
    name: 'Gross PnL',
    meaning: 'Price differences at the fills, before fees and funding. Slippage is already inside.',
    formula: 'sum of (exit - entry) x side x quantity',
    unit: 'USDT',
  },
  {
    id: 'slippage',
    field: 'slippage',
    record: 'summary',
    slot: 18,
    name: 'Slippage',
    meaning: 'What the fills lost against the undisturbed prices.',
    unit: 'USDT',
  },
  {
    id: 'funding',
    field: 'funding',
    record: 'summary',
    slot: 17,
    name: 'Funding',
    meaning: 'Payments between longs and shorts at the funding times the position was held. Longs pay a positive rate.',
    formula: 'side x quantity x mark x rate',
    unit: 'USDT',
  },
  {
    id: 'ruin',
    field: 'ruinIndex',
    record: 'summary',
    slot: 34,
    name: 'Ruin',
    meaning: 'Loaded candle in which a close left no equity. Trading stops there.',
    unit: 'index',
    notEnoughData: 'the equity was never used up',
  },
  {
    id: 'gaps',
    field: 'gapCount',
    record: 'summary',
    slot: 35,
    name: 'Holes in the data',
    meaning: 'Places where the next loaded candle is late. Indicators and holding times count candles, not hours.',
    unit: 'count',
  },
  {
    id: 'missingCandles',
    field: 'missingCandleCount',
    record: 'summary',
    slot: 36,
    name: 'Missing candles',
    meaning: 'Candles that are missing in the holes of the data.',
    unit: 'candle',
    isWhole: true,
  },
  {
    id: 'loaded',
    field: 'loadedCount',
    record: 'summary',
    slot: 0,
    name: 'Loaded candles',
    meaning: 'Candles the run was given: those that warm up the indicators and those that are scored.',
    unit: 'candle',
    isWhole: true,
  },
  {
    id: 'scored',
    field: 'scoredCount',
    record: 'summary',
    slot: 1,
    name: 'Scored candles',
    meaning: 'Candles the run trades on, at the end of the loaded ones. Every figure rests on them.',
    unit: 'candle',
    isWhole: true,
  },
  {
    id: 'longs',
    field: 'longCount',
    record: 'summary',
    slot: 3,
    name: 'Long trades',
    meaning: 'Closed trades that were long.',
    unit: 'count',
  },
  {
    id: 'shorts',
    field: 'shortCount',
    record: 'summary',
    slot: 4,
    name: 'Short trades',
    meaning: 'Closed trades that were short.',
    unit: 'count',
  },
  {
    id: 'stopBeyondLiquidation',
    field: 'stopBeyondLiquidationCount',
    record: 'summary',
    slot: 11,
    name: 'Stops beyond liquidation',
    meaning: 'Trades whose stop was not nearer than the liquidation price: it could not protect them.',
    unit: 'count',
  },
  {
    id: 'fundingKnown',
    field: 'isFundingKnown',
    record: 'summary',
    slot: 19,
    kind: 'flag',
    name: 'Funding known',
    meaning: 'False when funding is assumed or off, or its history is absent or has a hole of more than 8 hours.',
    unit: 'true or false',
  },
  {
    id: 'days',
    field: 'dayCount',
    record: 'analysis',
    name: 'Days',
    meaning: 'UTC days with a scored candle; the daily figures rest on them.',
    unit: 'count',
  },
  {
    id: 'annualReturn',
    field: 'annualReturnFraction',
    record: 'analysis',
    name: 'Annual return (CAGR)',
    meaning:
      'Growth of the equity as if it went on like this for a year, compounded. Not given below 30 days: a short run would promise the absurd.',
    formula: '(end equity / start equity)^(365 / days) - 1',
    example: 'From 1,000 to 1,100 in 73 days: 1.1^5 - 1 = 61.05 %.',
    unit: 'fraction',
    better: 'higher',
    isSigned: true,
    notEnoughData: lasting,
    group: 'return',
    needs: month,
  },
  {
    id: 'marketChange',
    field: 'marketChangeFraction',
    record: 'analysis',
    name: 'Market change',
    meaning: 'Change of the price itself from the open of the first scored candle to the close of the last.',
    formula: 'last close / first open - 1',
    unit: 'fraction',
    isSigned: true,
    group: 'return',
  },
  {
    id: 'alpha',
    field: 'alphaFraction',
    record: 'analysis',
    name: 'Alpha',
    meaning:
      'Return per year that is left on days when the market stands still: what does not come from being long or short of it.',
    formula: '(mean daily return - beta x mean daily market return) x 365',
    example: 'Mean 0.2 % a day, beta 0.5, market 0.1 % a day: (0.2 - 0.05) x 365 = 54.75 %.',
    unit: 'fraction',
    better: 'higher',
    isSigned: true,
    notEnoughData: `${lasting}, or a market that did not move`,
    group: 'return',
    needs: month,
    besides: 'the market did not move',
  },
  {
    id: 'beta',
    field: 'beta',
    record: 'analysis',
    name: 'Beta',
    meaning:
      'How far the equity moves with the market: 1 like holding the whole equity long, 0 not at all, below 0 against it.',
    formula: 'covariance(daily return, market return) / variance(market return)',
    unit: 'ratio',
    notEnoughData: `${lasting}, or a market that did not move`,
    group: 'return',
    needs: month,
    besides: 'the market did not move',
  },
  {
    id: 'bestDay',
    field: 'bestDayFraction',
    record: 'analysis',
    name: 'Best day',
    meaning: 'Largest daily return of mark-to-market equity, by UTC days.',
    unit: 'fraction',
    better: 'higher',
    isSigned: true,
    notEnoughData: 'the equity was used up',
    group: 'return',
    besides: 'the equity was used up',
  },
  {
    id: 'worstDay',
    field: 'worstDayFraction',
    record: 'analysis',
    name: 'Worst day',
    meaning: 'Smallest daily return of mark-to-market equity, by UTC days.',
    unit: 'fraction',
    better: 'higher',
    isSigned: true,
    notEnoughData: 'the equity was used up',
    group: 'return',
    besides: 'the equity was used up',
  },
  {
    id: 'wonDays',
    field: 'wonDayCount',
    record: 'analysis',
    name: 'Winning days',
    meaning: 'UTC days that ended with more equity than they began with.',
    unit: 'count',
    notEnoughData: 'the equity was used up',
    group: 'return',
    besides: 'the equity was used up',
  },
  {
    id: 'flatDays',
    field: 'flatDayCount',
    record: 'analysis',
    name: 'Flat days',
    meaning: 'UTC days whose equity did not change: no position was held.',
    unit: 'count',
    notEnoughData: 'the equity was used up',
    group: 'return',
    besides: 'the equity was used up',
  },
  {
    id: 'lostDays',
    field: 'lostDayCount',
    record: 'analysis',
    name: 'Losing days',
    meaning: 'UTC days that ended with less equity than they began with.',
    unit: 'count',
    notEnoughData: 'the equity was used up',
    group: 'return',
    besides: 'the equity was used up',
  },
  {
    id: 'calmar',
    field: 'calmar',
    record: 'analysis',
    name: 'Calmar ratio',
    meaning: 'Net profit per year, not compounded, for each unit of the worst fall.',
    formula: '(net PnL / start equity) x (365 / days) / max drawdown',
    example: '+10 % in 73 days with a drawdown of 5 %: 0.1 x 5 / 0.05 = 10.',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: 'less than 30 days, or no drawdown',
    group: 'risk',
    needs: month,
    besides: 'no drawdown',
  },
  {
    id: 'omega',
    field: 'omega',
    record: 'analysis',
    name: 'Omega ratio',
    meaning: 'All that the rising days gave over all that the falling days took. Above 1 the days earned.',
    formula: 'sum of daily gains / sum of daily losses',
    example: 'Days of +2 %, -1 % and +1 %: 3 / 1 = 3.',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: `${lasting}, or no day that lost`,
    group: 'risk',
    needs: month,
    besides: 'no day that lost',
  },
  {
    id: 'maxDrawdownUsdt',
    field: 'maxDrawdownUsdt',
    record: 'analysis',
    name: 'Deepest fall',
    meaning: 'Largest fall of mark-to-market equity from its highest point so far, in USDT.',
    formula: 'max(peak - equity)',
    unit: 'USDT',
    better: 'lower',
    group: 'risk',
  },
  {
    id: 'intrabarDrawdown',
    field: 'intrabarDrawdownFraction',
    record: 'analysis',
    name: 'Intrabar drawdown',
    meaning:
      'Largest fall of equity from its highest close so far when every held candle counts at its worst price, the low of a long or the high of a short, with the costs so far. The candle of an exit counts its open, because the order inside it is unknown.',
    formula: 'max((peak - equity at the worst price) / peak)',
    example:
      'Peak 1,050, a long of 2 units, a candle that closes at 1,040 with its low 10 below the close: 1,020, so 2.86 %.',
    unit: 'fraction',
    better: 'lower',
    group: 'risk',
  },
  {
    id: 'longestUnderwater',
    field: 'longestUnderwaterCandles',
    record: 'analysis',
    name: 'Longest under water',
    meaning: 'Most candles in a row that closed below the highest equity so far. It may not have ended yet.',
    unit: 'candle',
    isWhole: true,
    better: 'lower',
    group: 'risk',
  },
  {
    id: 'underwater',
    field: 'underwaterFraction',
    record: 'analysis',
    name: 'Time under water',
    meaning: 'Share of the scored candles that closed below the highest equity so far.',
    unit: 'fraction',
    better: 'lower',
    group: 'risk',
  },
  {
    id: 'sqn',
    field: 'sqn',
    record: 'analysis',
    name: 'Quality (SQN)',
    meaning: 'Mean net PnL of a trade over its deviation, times the root of their number: the t value of the mean.',
    formula: 'mean / sample deviation x sqrt(trades)',
    example: '36 trades, mean 1, deviation 3: 1 / 3 x 6 = 2.',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: `${tooFewTrades}, or no variation`,
    group: 'risk',
    needs: sample,
    besides: 'the trades do not vary',
  },
  {
    id: 'meanPValue',
    field: 'meanPValue',
    record: 'analysis',
    name: 'p-value of the mean',
    meaning:
      'How often trades without any edge would have a mean this good or better, if they were independent and this the only set ever tried. The honesty panel counts the others.',
    formula: 'P(T >= SQN), Student t with trades - 1 degrees of freedom',
    example: '30 trades with an SQN of 2.045: 2.5 %.',
    unit: 'fraction',
    better: 'lower',
    notEnoughData: `${tooFewTrades}, or no variation`,
    group: 'risk',
    needs: sample,
    besides: 'the trades do not vary',
  },
  {
    id: 'kelly',
    field: 'kellyFraction',
    record: 'analysis',
    name: 'Kelly share',
    meaning:
      'Share of the equity to put at risk for the fastest growth, if the future had exactly these rates. It has not: treat it as a ceiling. Below 0: do not bet.',
    formula: 'win rate - (1 - win rate) / payoff ratio',
    example: 'Win rate 50 %, payoff 2: 0.5 - 0.5 / 2 = 25 %.',
    unit: 'fraction',
    better: 'higher',
    notEnoughData: `${tooFewTrades}, no winner, or no loser`,
    group: 'risk',
    needs: sample,
    besides: 'no winner, or no loser',
  },
  {
    id: 'winRateLong',
    field: 'winRateLong',
    record: 'analysis',
    name: 'Win rate, long',
    meaning: 'Share of the long trades with a net PnL above 0.',
    unit: 'fraction',
    better: 'higher',
    notEnoughData: 'no long trade',
    group: 'trades',
    besides: 'no long trade',
  },
  {
    id: 'winRateShort',
    field: 'winRateShort',
    record: 'analysis',
    name: 'Win rate, short',
    meaning: 'Share of the short trades with a net PnL above 0.',
    unit: 'fraction',
    better: 'higher',
    notEnoughData: 'no short trade',
    group: 'trades',
    besides: 'no short trade',
  },
  {
    id: 'averageWin',
    field: 'averageWin',
    record: 'analysis',
    name: 'Average win',
    meaning: 'Mean net PnL of the trades that won.',
    unit: 'USDT',
    better: 'higher',
    isSigned: true,
    notEnoughData: 'no winning trade',
    group: 'trades',
    besides: 'no winning trade',
  },
  {
    id: 'averageLoss',
    field: 'averageLoss',
    record: 'analysis',
    name: 'Average loss',
    meaning: 'Mean net PnL of the trades that lost.',
    unit: 'USDT',
    better: 'higher',
    isSigned: true,
    notEnoughData: 'no losing trade',
    group: 'trades',
    besides: 'no losing trade',
  },
  {
    id: 'payoff',
    field: 'payoffRatio',
    record: 'analysis',
    name: 'Payoff ratio',
    meaning: 'Average win for each unit of the average loss.',
    formula: 'average win / average loss',
    example: 'Wins of 30 and losses of 20: 1.50.',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: 'no winner, or no loser',
    group: 'trades',
    besides: 'no winner, or no loser',
  },
  {
    id: 'expectancyRatio',
    field: 'expectancyRatio',
    record: 'analysis',
    name: 'Expectancy ratio',
    meaning: 'Average net PnL of a trade for each unit of the average loss.',
    formula: 'expectancy / average loss',
    example: 'Win rate 40 %, wins 30, losses 10: (12 - 6) / 10 = 0.60.',
    unit: 'ratio',
    better: 'higher',
    notEnoughData: 'no losing trade',
    group: 'trades',
    besides: 'no losing trade',
  },
  {
    id: 'bestTrade',
    field: 'bestTrade',
    record: 'analysis',
    name: 'Best trade',
    meaning: 'Largest net PnL of a trade.',
    unit: 'USDT',
    better: 'higher',
    isSigned: true,
    notEnoughData: 'no trade',
    group: 'trades',
    besides: 'no trade',
  },
  {
    id: 'worstTrade',
    field: 'worstTrade',
    record: 'analysis',
    name: 'Worst trade',
    meaning: 'Smallest net PnL of a trade.',
    unit: 'USDT',
    better: 'higher',
    isSigned: true,
    notEnoughData: 'no trade',
    group: 'trades',
    besides: 'no trade',
  },
  {
    id: 'winsInARow',
    field: 'winsInARow',
    record: 'analysis',
    name: 'Wins in a row',
    meaning: 'Most trades in a row with a net PnL above 0.',
    unit: 'count',
    better: 'higher',
    group: 'trades',
  },
  {
    id: 'lossesInARow',
    field: 'lossesInARow',
    record: 'analysis',
    name: 'Losses in a row',
    meaning: 'Most trades in a row with a net PnL below 0.',
    unit: 'count',
    better: 'lower',
    group: 'trades',
  },
  {
    id: 'candlesWon',
    field: 'candlesHeldByWinners',
    record: 'analysis',
    name: 'Winners held',
    meaning: 'Mean candles from entry to exit of the trades that won. 0: out in the candle of the entry.',
    unit: 'candle',
    notEnoughData: 'no winning trade',
    group: 'trades',
    besides: 'no winning trade',
  },
  {
    id: 'candlesLost',
    field: 'candlesHeldByLosers',
    record: 'analysis',
    name: 'Losers held',
    meaning: 'Mean candles from entry to exit of the trades that lost. 0: out in the candle of the entry.',
    unit: 'candle',
    notEnoughData: 'no losing trade',
    group: 'trades',
    besides: 'no losing trade',
  },
  {
    id: 'dropped',
    field: 'droppedSignalCount',
    record: 'summary',
    name: 'Dropped signals',
    meaning:
      'Signals that could not be filled: the next candle had no volume, the size was below the minimum, or the equity left did not cover the smallest order.',
    unit: 'count',
    better: 'lower',
    group: 'trades',
  },
  {
    id: 'skipped',
    field: 'skippedSignalCount',
    record: 'summary',
    slot: 7,
    name: 'Skipped signals',
    meaning: 'Signals that met an open position. There is one position at a time.',
    unit: 'count',
    group: 'trades',
  },
  {
    id: 'liquidations',
    field: 'liquidationCount',
    record: 'summary',
    slot: 6,
    name: 'Liquidations',
    meaning: 'Positions that the venue closed because their margin no longer held them. Each loses its whole margin.',
    unit: 'count',
    better: 'lower',
    group: 'trades',
  },
  {
    id: 'forcedCloses',
    field: 'forcedCloseCount',
    record: 'summary',
    slot: 5,
    name: 'Forced closes',
    meaning: 'Trades that were open at the last candle and closed there. They say nothing about the exits.',
    unit: 'count',
    group: 'trades',
  },
] as const satisfies readonly MetricEntry[];

type Entry = (typeof metricRegistry)[number];

/** A statistic, or why there is none: a number that would mislead is not shown. */
export type Statistic =
  | { value: number; count: number; standardError?: number }
  | { value: null; count: number; reason: string };

type ValueOf<E> = E extends { kind: 'statistic' }
  ? Statistic
  : E extends { kind: 'flag' }
    ? boolean
    : E extends { notEnoughData: string }
      ? number | null
      : number;

/** The figures of one record as a result carries them. */
export type FiguresOf<R extends 'summary' | 'analysis'> = {
  [E in Extract<Entry, { record: R }> as E['field']]: ValueOf<E>;
};

export const metricById = Object.fromEntries(metricRegistry.map((entry) => [entry.id, entry])) as {
  readonly [E in Entry as E['id']]: MetricEntry & { readonly id: E['id'] };
};

/** The entries of one record, those with a slot first to last. */
export function figuresOf(record: 'summary' | 'analysis'): (MetricEntry & { field: string })[] {
  const entries: readonly MetricEntry[] = metricRegistry;
  return entries.filter((entry): entry is MetricEntry & { field: string } => entry.record === record);
}

/** The figure as one paragraph, for the API's documentation. */
export function metricText({ meaning, formula, notEnoughData }: MetricEntry): string {
  return [
    meaning,
    ...(formula === undefined ? [] : [`Formula: ${formula}.`]),
    ...(notEnoughData === undefined ? [] : [`None when: ${notEnoughData}.`]),
  ].join(' ');
}
