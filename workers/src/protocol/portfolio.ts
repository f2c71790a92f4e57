import type { HonestyResult } from './honesty.ts';
import type { StrategyInput } from './strategy.ts';
import type { BacktestHashes, Costs, Trade } from './backtest.ts';
import type {
  PortfolioContribution,
  PortfolioMonth,
  PortfolioRegime,
  PortfolioSkips,
  PortfolioSummary,
} from './portfolioFigures.ts';
import type { Strategy, StrategyExits } from '@sextant/engine-as/abi/strategy.ts';

/** Contract of the `portfolio` task: one strategy and one account over many symbols. Rules: docs/portfolio.md. */

/** Limits of the account, all optional: an absent one or 0 limits nothing. */
export interface PortfolioLimits {
  /** Positions open at a time. */
  positionsMax?: number;
  /** Positions opened in one candle. */
  openingsMax?: number;
  /** Guards of automatic opening, percent of the initial equity and of the peak. */
  dailyLossPct?: number;
  stopStreak?: number;
  cooldownMinutes?: number;
  drawdownPct?: number;
  /** Long and short notional together, and the difference of them, as part of the balance: 2 is twice the balance. */
  grossMaxFraction?: number;
  netMaxFraction?: number;
  /** Loss when every position meets its stop, part of the balance. */
  stopLossMaxFraction?: number;
  /** Skips an entry that would be liquidated before its stop; true when absent. */
  skipsStopBeyondLiquidation?: boolean;
}

export interface PortfolioSymbol extends Omit<StrategyInput, 'strategy' | 'scoredCount' | 'costs'> {
  symbol: string;
  /** Costs of this symbol and its exchange; the initial equity is that of the account, the same for all. */
  costs: Costs;
}

export interface PortfolioInput {
  strategy: Strategy;
  /** In any order, at most PORTFOLIO_SYMBOLS_MAX, each symbol once. */
  symbols: PortfolioSymbol[];
  limits: PortfolioLimits;
  /** Candles that open at or after this, epoch ms, may trade; all when absent. The earlier ones warm the indicators up. */
  fromMs?: number;
  /** Judges how much of the result is luck, with the sets of rules that were tried before on these candles. */
  judge?: { seed: number; earlierTrialCount: number };
}

/** What one of many sets changes. Votes are the same in all of them; other values of own rules make other scores. */
export interface PortfolioSet {
  /** In place of those of the strategy. */
  strategy?: Partial<StrategyExits & Pick<Strategy, 'entryThreshold'>>;
  /** Values of parameters of own rules that have a range, by name; those of the text when absent. */
  values?: Record<string, number>;
  /** In place of those of the account. */
  limits?: PortfolioLimits;
}

/** Contract of the task `portfolioSets`: figures of one account under many sets. */
export interface PortfolioSetsInput extends Omit<PortfolioInput, 'judge'> {
  /** 1 to PORTFOLIO_SETS_MAX. */
  sets: PortfolioSet[];
  /** Returns the equity of each set too, from which the honesty of a search is computed. */
  withEquity?: boolean;
}

export interface PortfolioSetsResult {
  /** Summary of each set, in their order: what a run of `portfolio` with the same strategy and limits has, to the bit. */
  summaries: PortfolioSummary[];
  hashes: Pick<BacktestHashes, 'engine' | 'data'>;
  /** Set by set, USDT at the close of each candle of the account; f64[sets * candles]. With `withEquity` alone. */
  equity?: Float64Array<ArrayBuffer>;
}

export interface PortfolioTrade extends Trade {
  symbol: string;
  /** Index into `time` of the result of the candle in which it closed. */
  exitStep: number;
}

export interface PortfolioResult {
  summary: PortfolioSummary;
  trades: PortfolioTrade[];
  /** Open of each candle of the account, epoch ms; the columns below belong to its close. */
  time: Float64Array;
  equity: Float64Array;
  /** Fall from the highest equity so far, a fraction. */
  drawdown: Float64Array;
  /** USDT at the last closes. */
  longNotional: Float64Array;
  shortNotional: Float64Array;
  margin: Float64Array;
  openCount: Float64Array;
  /** By name of the symbol. */
  contributions: PortfolioContribution[];
  months: PortfolioMonth[];
  regimes: PortfolioRegime[];
  /** Correlation of the daily net PnL of each two symbols, row by row; NaN where one of them had none. */
  correlation: { symbols: string[]; values: Float64Array; mean: number | null };
  skips: PortfolioSkips;
  /** Symbols that could not trade: no candle from `fromMs` on, or too few for the votes. */
  idleSymbols: string[];
  /** The panel of docs/honesty.md on the returns of the account; null unless requested. */
  honesty: HonestyResult | null;
  hashes: BacktestHashes;
}
