import type { Statistic } from '@sextant/engine-as/abi/metrics.ts';
import { z } from 'zod';
import { StatisticWire } from './backtestResult.ts';

/** Figures of an account over many symbols: the only declaration of their fields, for the task and for the API. USDT unless they say otherwise. */

const count = z.int().min(0);
const Nullable = z.number().nullable();

/** Why signals were not entered, all symbols together. */
export const PortfolioSkipsWire = z.object({
  /** The position of the symbol is open. */
  held: count,
  positionsWanted: count,
  maxConcurrent: count,
  dailyLoss: count,
  stopStreak: count,
  drawdown: count,
  noVolume: count,
  tooSmall: count,
  marginShort: count,
  stopBeyondLiquidation: count,
  grossExposure: count,
  netExposure: count,
  stopLosses: count,
});

// The schema of a statistic is that of the API; the engine's type also says which fields come together.
const Figure = StatisticWire as unknown as z.ZodType<Statistic>;

export const PortfolioSummaryWire = z.object({
  symbolCount: count,
  tradeCount: count,
  /** Sum of the contributions, in the order of the names of the symbols. */
  netPnl: z.number(),
  finalEquity: z.number(),
  maxDrawdownFraction: z.number(),
  fees: z.number(),
  funding: z.number(),
  slippage: z.number(),
  turnover: z.number().meta({ description: 'Notional of all fills, USDT.' }),
  turnoverRatio: z.number().meta({ description: 'Turnover over the mean equity.' }),
  winRate: Nullable,
  profitFactor: Nullable,
  /** Part of the candles with an open position, and the mean number of them. */
  exposureFraction: z.number(),
  meanOpenCount: z.number(),
  maxOpenCount: count,
  /** Largest exposures, part of the equity at the time. */
  maxGrossFraction: z.number(),
  maxNetFraction: z.number(),
  ambiguousCount: count,
  /** Open of the candle in which the equity was used up; null: it never was. */
  ruinMs: Nullable,
  sharpe: Figure,
  sortino: Figure,
});

/** One symbol's part of the result. */
export const contributionFields = {
  symbol: z.string(),
  /** Opens of the first and the last scored candle, epoch ms. */
  firstMs: z.number(),
  lastMs: z.number(),
  tradeCount: count,
  /** Sum of the net PnL of its trades, in the order of their closes. */
  netPnl: z.number(),
  fees: z.number(),
  funding: z.number(),
  slippage: z.number(),
  /** Notional of all fills. */
  turnover: z.number(),
  /** Part of its candles with an open position. */
  exposureFraction: z.number(),
  /** Largest part of the turnover of its candle that an entry took; null without trades or turnover. */
  turnoverShareMax: Nullable,
  skips: PortfolioSkipsWire,
};
const Contribution = z.object(contributionFields);

/** One month. `month`: `2026-01`, UTC. `returnFraction`: change of mark-to-market equity over that at the start of the month. */
export const monthFields = { month: z.string(), returnFraction: z.number(), netPnl: z.number(), tradeCount: count };
const Month = z.object(monthFields);

/** Trades whose entry was decided in one state of the market of their symbol. */
export const regimeFields = {
  regime: z.enum(['trend', 'range', 'highVolatility', 'lowVolatility', 'unknown']),
  tradeCount: count,
  netPnl: z.number(),
  winRate: Nullable,
};
const Regime = z.object(regimeFields);

export type PortfolioSkips = z.output<typeof PortfolioSkipsWire>;
export type PortfolioSummary = z.output<typeof PortfolioSummaryWire>;
export type PortfolioContribution = z.output<typeof Contribution>;
export type PortfolioMonth = z.output<typeof Month>;
export type PortfolioRegime = z.output<typeof Regime>;
