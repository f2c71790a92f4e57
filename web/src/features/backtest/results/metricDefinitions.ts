import type { Definition } from '../../../ui/Hint.tsx';

/** Every figure on screen with its exact meaning, its formula and a case to check by head. */
export const metricDefinitions = {
  netPnl: {
    name: 'Net PnL',
    meaning: 'What all trades earned after slippage, fees and funding, in USDT.',
    formula: 'net = gross - fees - funding',
    example: 'Gross 12.00, fees 1.00, funding 0.20: net +10.80.',
  },
  optimistic: {
    name: 'Optimistic bound',
    meaning:
      'Net PnL when in every bar that holds both stop and target the target came first. The figure shown as net PnL takes the stop first; the truth lies between them.',
  },
  winRate: {
    name: 'Win rate',
    meaning:
      'Share of the trades with a net PnL above 0. High win rates are easy to buy with small targets: read it with the expectancy.',
    formula: 'winners / trades',
    example: '18 of 40 trades: 45 %.',
  },
  trades: {
    name: 'Trades',
    meaning:
      'Closed trades, one at a time. A trade that is open at the last candle is closed by force and counted apart as END.',
  },
  maxDrawdown: {
    name: 'Max drawdown',
    meaning:
      'Largest fall of mark-to-market equity from its highest point so far, open positions included. Above 10 % it is marked.',
    formula: 'max((peak - equity) / peak)',
    example: 'From 1,050 down to 987: 6 %.',
  },
  pnlOverDrawdown: {
    name: 'PnL / drawdown',
    meaning: 'Net return for each unit of the worst fall. 1 means the run earned once what it at worst had lost.',
    formula: '(net PnL / start equity) / max drawdown',
  },
  sharpe: {
    name: 'Sharpe ratio',
    meaning:
      'Mean daily return over its deviation, per year. From UTC days of mark-to-market equity; needs 30 days, else it would mislead.',
    formula: 'mean / sample deviation x sqrt(365)',
    example: 'Mean 0.1 % a day, deviation 1 %: 1.91.',
  },
  sortino: {
    name: 'Sortino ratio',
    meaning: 'Like the Sharpe ratio, but only falling days count as risk.',
    formula: 'mean / downside deviation x sqrt(365)',
  },
  profitFactor: {
    name: 'Profit factor',
    meaning: 'Net winnings over net losses. Above 1 the trades earned; without a loss there is no figure.',
    formula: 'sum of wins / sum of losses',
    example: 'Wins 30, losses 20: 1.50.',
  },
  expectancy: {
    name: 'Expectancy',
    meaning: 'Average net PnL of a trade, in USDT.',
    formula: 'net PnL / trades',
  },
  exposure: {
    name: 'Exposure',
    meaning: 'Share of the scored candles with an open position.',
  },
  fees: {
    name: 'Fees',
    meaning:
      'All fees paid, entries and exits, in USDT. A liquidation loses the whole margin; its fee is inside that loss.',
    formula: 'sum of notional x rate',
  },
  ambiguous: {
    name: 'Ambiguous exits',
    meaning:
      'Share of the trades that ended in a bar which held both stop and target: which came first cannot be known from the candle. The stop is taken.',
  },
  buyAndHold: {
    name: 'Buy and hold',
    meaning:
      'Return of one position of the same size, bought at the start of the window and sold at its end, fees included, on the start equity.',
  },
  gross: { name: 'Gross', meaning: 'Price differences before every cost, at undisturbed prices.' },
  slippage: { name: 'Slippage', meaning: 'What the fills lost against the undisturbed prices.' },
  funding: {
    name: 'Funding',
    meaning: 'Payments between longs and shorts at the funding times the position was held. Longs pay a positive rate.',
  },
} as const satisfies Record<string, Definition>;

export const exitNames = {
  TP: 'Target',
  SL: 'Stop',
  LIQ: 'Liquidation',
  END: 'End of data',
  TIME: 'Time limit',
} as const;
