import type { PortfolioLimits, PortfolioSet } from './portfolio.ts';
import type { PortfolioSummary } from './portfolioFigures.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';

/** A search over sets of one account: what may differ, and how the sets are drawn. Rules: docs/portfolio.md, section 7. */

/** Lowest and highest value of a parameter, both included. */
export interface PortfolioRange {
  min: number;
  max: number;
}

interface RangeRule extends PortfolioRange {
  /** Distance of two values. */
  step: number;
  /** What the page proposes. */
  proposed: PortfolioRange;
  /** Own rules have no votes, and their exits and other ranges stand in their text. */
  isOfVotes: boolean;
}

/** Every parameter that a search of an account can vary. A factor multiplies the stop or the target of the strategy. */
export const portfolioRangeRules = {
  entryThreshold: { min: 0.01, max: 1, step: 0.01, proposed: { min: 0.1, max: 0.6 }, isOfVotes: true },
  stopFactor: { min: 0.1, max: 10, step: 0.05, proposed: { min: 0.5, max: 2 }, isOfVotes: true },
  targetFactor: { min: 0.1, max: 10, step: 0.05, proposed: { min: 0.5, max: 2 }, isOfVotes: true },
  positionsMax: { min: 1, max: 128, step: 1, proposed: { min: 1, max: 10 }, isOfVotes: false },
  openingsMax: { min: 1, max: 128, step: 1, proposed: { min: 1, max: 5 }, isOfVotes: false },
} as const satisfies Record<string, RangeRule>;
export type PortfolioRangeName = keyof typeof portfolioRangeRules;
export const portfolioRangeNames = Object.keys(portfolioRangeRules) as PortfolioRangeName[];
export type PortfolioRanges = Partial<Record<PortfolioRangeName, PortfolioRange>>;

/** What a search can rank by: figures of `PortfolioSummary`, all computed by the engine. */
export const portfolioTargets = ['pnl', 'sharpe', 'sortino', 'profitFactor'] as const;
export type PortfolioTarget = (typeof portfolioTargets)[number];

export const PORTFOLIO_SAMPLES = { min: 10, max: 1000, default: 200 } as const;
export const PORTFOLIO_SEED_MAX = 2 ** 31 - 1;
/** Share of the time that is searched; the rest stays unseen. */
export const PORTFOLIO_TRAIN_SHARE = 0.7;

/** A drawn set: levels and limits in place of those of the run. */
export interface SearchedSet extends PortfolioSet {
  strategy?: Partial<Pick<Strategy, 'entryThreshold' | 'stop' | 'target'>>;
  limits?: Pick<PortfolioLimits, 'positionsMax' | 'openingsMax'>;
}

/** Which sets are drawn, and what ranks them. */
export interface AccountSearch {
  ranges: PortfolioRanges;
  /** Sets in all; set 0 is the account as it is. */
  samples: number;
  seed: number;
  target: PortfolioTarget;
}

/** A set of a search with its figures. */
export interface SearchedRow {
  index: number;
  /** Threshold, levels and values of this set; empty: those of the run. */
  set: NonNullable<SearchedSet['strategy']> & Pick<SearchedSet, 'values'>;
  limits: NonNullable<SearchedSet['limits']>;
  train: PortfolioSummary;
  /** null: not run on the unseen candles. */
  unseen: PortfolioSummary | null;
}

/** Epoch ms of the first open and the last close, and the number of candles. */
interface Span {
  from: number;
  to: number;
  candles: number;
}

/** What a search over one account found. */
export interface SearchedAccount extends Omit<AccountSearch, 'ranges'> {
  train: Span;
  unseen: Span;
  /** Sets with at least 10 trades and the figure of the target. */
  ranked: number;
  /** null: no set was ranked. */
  best: SearchedRow | null;
  own: SearchedRow;
  /** Best first. */
  leaders: SearchedRow[];
  /** Symbols that trade on the unseen candles alone: they have too few before. */
  left_out: { symbol: string; reason: 'too_few_before_unseen' }[];
}
