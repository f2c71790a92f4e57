import type { FieldKind, FieldsOf } from './fields.ts';

/** Figures of an account over many symbols, USDT unless they say otherwise: the only declaration of their fields (fields.ts). */

export const skipFields = {
  /** The position of the symbol is open. */
  held: 'count',
  positionsWanted: 'count',
  maxConcurrent: 'count',
  dailyLoss: 'count',
  stopStreak: 'count',
  drawdown: 'count',
  noVolume: 'count',
  tooSmall: 'count',
  marginShort: 'count',
  stopBeyondLiquidation: 'count',
  grossExposure: 'count',
  netExposure: 'count',
  stopLosses: 'count',
} as const satisfies Record<string, FieldKind>;
/** Why signals were not entered, all symbols together. */
export type PortfolioSkips = FieldsOf<typeof skipFields>;

export const summaryFields = {
  symbolCount: 'count',
  tradeCount: 'count',
  /** Sum of the contributions, in the order of the names of the symbols. */
  netPnl: 'number',
  finalEquity: 'number',
  maxDrawdownFraction: 'number',
  fees: 'number',
  funding: 'number',
  slippage: 'number',
  /** Notional of all fills, and that over the mean equity. */
  turnover: 'number',
  turnoverRatio: 'number',
  winRate: 'number or null',
  profitFactor: 'number or null',
  /** Part of the candles with an open position, and the mean number of them. */
  exposureFraction: 'number',
  meanOpenCount: 'number',
  maxOpenCount: 'count',
  /** Largest exposures, part of the equity at the time. */
  maxGrossFraction: 'number',
  maxNetFraction: 'number',
  ambiguousCount: 'count',
  /** Open of the candle in which the equity was used up; null: it never was. */
  ruinMs: 'number or null',
  sharpe: 'statistic',
  sortino: 'statistic',
} as const satisfies Record<string, FieldKind>;
export type PortfolioSummary = FieldsOf<typeof summaryFields>;

export const contributionFields = {
  symbol: 'text',
  /** Opens of the first and the last scored candle, epoch ms. */
  firstMs: 'number',
  lastMs: 'number',
  tradeCount: 'count',
  /** Sum of the net PnL of its trades, in the order of their closes. */
  netPnl: 'number',
  fees: 'number',
  funding: 'number',
  slippage: 'number',
  /** Notional of all fills. */
  turnover: 'number',
  /** Part of its candles with an open position. */
  exposureFraction: 'number',
  /** Largest part of the turnover of its candle that an entry took; null without trades or turnover. */
  turnoverShareMax: 'number or null',
} as const satisfies Record<string, FieldKind>;
/** One symbol's part of the result. */
export interface PortfolioContribution extends FieldsOf<typeof contributionFields> {
  skips: PortfolioSkips;
}

export const monthFields = {
  /** `2026-01`, UTC. */
  month: 'text',
  /** Change of mark-to-market equity over that at the start of the month, a fraction. */
  returnFraction: 'number',
  netPnl: 'number',
  tradeCount: 'count',
} as const satisfies Record<string, FieldKind>;
export type PortfolioMonth = FieldsOf<typeof monthFields>;

/** States of the market of a symbol in which an entry is decided. */
export const regimes = ['trend', 'range', 'highVolatility', 'lowVolatility', 'unknown'] as const;
export const regimeFields = {
  tradeCount: 'count',
  netPnl: 'number',
  winRate: 'number or null',
} as const satisfies Record<string, FieldKind>;
/** Trades whose entry was decided in one state of the market of their symbol. */
export interface PortfolioRegime extends FieldsOf<typeof regimeFields> {
  regime: (typeof regimes)[number];
}
