/**
 * The figures of a backtest: what each means, its formula, a case to check by head, and when there is none. The hover texts of
 * the web, the API's documentation and docs/metrics.md are made from this list. Read by tsc only.
 */
export interface MetricEntry {
  id: string;
  /** Field of the summary; null when it is derived from other fields. */
  field: string | null;
  name: string;
  /** One to three sentences for a trader. */
  meaning: string;
  formula?: string;
  example?: string;
  unit: 'USDT' | 'fraction' | 'ratio' | 'count' | 'candle';
  /** When there is no figure; absent when there always is one. */
  notEnoughData?: string;
}

const days = 'fewer than 30 UTC days, no variation, or an equity that was used up';

export const metricRegistry = [
  {
    id: 'netPnl',
    field: 'netPnl',
    name: 'Net PnL',
    meaning: 'What all trades earned after slippage, fees and funding, in USDT.',
    formula: 'net = gross PnL - fees - funding',
    example: 'Gross PnL 12.00, fees 1.00, funding 0.20: net +10.80.',
    unit: 'USDT',
  },
  {
    id: 'optimistic',
    field: 'optimisticNetPnl',
    name: 'Optimistic bound',
    meaning:
      'Net PnL when in every bar that holds both stop and target the target came first. The figure shown as net PnL takes the stop first; the truth lies between them.',
    unit: 'USDT',
  },
  {
    id: 'winRate',
    field: 'winRate',
    name: 'Win rate',
    meaning:
      'Share of the trades with a net PnL above 0. High win rates are easy to buy with small targets: read it with the expectancy.',
    formula: 'winners / trades',
    example: '18 of 40 trades: 45 %.',
    unit: 'fraction',
    notEnoughData: 'no trade',
  },
  {
    id: 'trades',
    field: 'tradeCount',
    name: 'Trades',
    meaning:
      'Closed trades, one at a time. A trade that is open at the last candle is closed by force and counted apart as END.',
    unit: 'count',
  },
  {
    id: 'maxDrawdown',
    field: 'maxDrawdownFraction',
    name: 'Max drawdown',
    meaning:
      'Largest fall of mark-to-market equity from its highest point so far, open positions included. Above 10 % it is marked.',
    formula: 'max((peak - equity) / peak)',
    example: 'From 1,050 down to 987: 6 %.',
    unit: 'fraction',
  },
  {
    id: 'pnlOverDrawdown',
    field: null,
    name: 'PnL / drawdown',
    meaning: 'Net return for each unit of the worst fall. 1 means the run earned once what it at worst had lost.',
    formula: '(net PnL / start equity) / max drawdown',
    unit: 'ratio',
    notEnoughData: 'no drawdown',
  },
  {
    id: 'sharpe',
    field: 'sharpe',
    name: 'Sharpe ratio',
    meaning:
      'Mean daily return over its deviation, per year. From UTC days of mark-to-market equity; needs 30 days, else it would mislead.',
    formula: 'mean / sample deviation x sqrt(365)',
    example: 'Mean 0.1 % a day, deviation 1 %: 1.91.',
    unit: 'ratio',
    notEnoughData: days,
  },
  {
    id: 'sortino',
    field: 'sortino',
    name: 'Sortino ratio',
    meaning: 'Like the Sharpe ratio, but only falling days count as risk.',
    formula: 'mean / downside deviation x sqrt(365)',
    unit: 'ratio',
    notEnoughData: `${days}, or no day that lost`,
  },
  {
    id: 'profitFactor',
    field: 'profitFactor',
    name: 'Profit factor',
    meaning: 'Net winnings over net losses. Above 1 the trades earned; without a loss there is no figure.',
    formula: 'sum of wins / sum of losses',
    example: 'Wins 30, losses 20: 1.50.',
    unit: 'ratio',
    notEnoughData: 'no losing trade',
  },
  {
    id: 'expectancy',
    field: 'expectancy',
    name: 'Expectancy',
    meaning: 'Average net PnL of a trade, in USDT.',
    formula: 'net PnL / trades',
    unit: 'USDT',
    notEnoughData: 'no trade',
  },
  {
    id: 'exposure',
    field: 'exposureFraction',
    name: 'Exposure',
    meaning: 'Share of the scored candles with an open position.',
    unit: 'fraction',
  },
  {
    id: 'fees',
    field: 'fees',
    name: 'Fees',
    meaning:
      'All fees paid, entries and exits, in USDT. A liquidation loses the whole margin; its fee is inside that loss.',
    formula: 'sum of notional x rate',
    unit: 'USDT',
  },
  {
    id: 'ambiguous',
    field: 'ambiguousFraction',
    name: 'Ambiguous exits',
    meaning:
      'Share of the trades that ended in a bar which held both stop and target: which came first cannot be known from the candle. The stop is taken.',
    unit: 'fraction',
  },
  {
    id: 'buyAndHold',
    field: 'buyAndHoldFraction',
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
    name: 'Gross PnL',
    meaning: 'Price differences at the fills, before fees and funding. Slippage is already inside.',
    formula: 'sum of (exit - entry) x side x quantity',
    unit: 'USDT',
  },
  {
    id: 'slippage',
    field: 'slippage',
    name: 'Slippage',
    meaning: 'What the fills lost against the undisturbed prices.',
    unit: 'USDT',
  },
  {
    id: 'funding',
    field: 'funding',
    name: 'Funding',
    meaning: 'Payments between longs and shorts at the funding times the position was held. Longs pay a positive rate.',
    formula: 'side x quantity x mark x rate',
    unit: 'USDT',
  },
  {
    id: 'dropped',
    field: 'droppedSignalCount',
    name: 'Dropped signals',
    meaning:
      'Signals that could not be filled: the next candle had no volume, the size was below the minimum, or margin and entry fee exceeded the equity.',
    unit: 'count',
  },
  {
    id: 'skipped',
    field: 'skippedSignalCount',
    name: 'Skipped signals',
    meaning: 'Signals that met an open position. There is one position at a time.',
    unit: 'count',
  },
  {
    id: 'liquidations',
    field: 'liquidationCount',
    name: 'Liquidations',
    meaning: 'Positions that the venue closed because their margin no longer held them. Each loses its whole margin.',
    unit: 'count',
  },
  {
    id: 'forcedCloses',
    field: 'forcedCloseCount',
    name: 'Forced closes',
    meaning: 'Trades that were open at the last candle and closed there. They say nothing about the exits.',
    unit: 'count',
  },
  {
    id: 'ruin',
    field: 'ruinIndex',
    name: 'Ruin',
    meaning: 'Loaded candle in which a close left no equity. Trading stops there.',
    unit: 'candle',
    notEnoughData: 'the equity was never used up',
  },
  {
    id: 'gaps',
    field: 'gapCount',
    name: 'Holes in the data',
    meaning: 'Places where the next loaded candle is late. Indicators and holding times count candles, not hours.',
    unit: 'count',
  },
  {
    id: 'missingCandles',
    field: 'missingCandleCount',
    name: 'Missing candles',
    meaning: 'Candles that are missing in the holes of the data.',
    unit: 'count',
  },
] as const satisfies readonly MetricEntry[];

export type MetricId = (typeof metricRegistry)[number]['id'];

/** The figure as one paragraph, for the API's documentation; throws when no entry has this summary field. */
export function metricText(field: string): string {
  const entry: MetricEntry | undefined = metricRegistry.find((metric) => metric.field === field);
  if (entry === undefined) throw new Error(`no metric for ${field}`);
  const { meaning, formula, notEnoughData } = entry;
  return [
    meaning,
    ...(formula === undefined ? [] : [`Formula: ${formula}.`]),
    ...(notEnoughData === undefined ? [] : [`None when: ${notEnoughData}.`]),
  ].join(' ');
}
