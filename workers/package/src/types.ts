import type { IntervalName } from '../../../engine-as/abi/intervals.ts';
import type { CostNumbers } from '../../../engine-as/abi/costParameters.ts';
import type { ClassicNumbers } from '../../../engine-as/abi/runParameters.ts';
import type { Strategy } from '../../../engine-as/abi/strategy.ts';
import type { VenueId } from '../../../engine-as/abi/costs.ts';
import type { LeverageTier } from '../../src/protocol/backtest.ts';
import type { OptimizeTarget } from '../../src/protocol/optimize.ts';

/**
 * Requests of the package: those of the command line and the HTTP interface, with typed arrays where these have lists. `slPct`, `tpPct`
 * and their like are fractions, as there: 0.02 is 2 %. Every field that is not marked as required has the product's default.
 */

export type Column = Float64Array | readonly number[];

/** Closed candles, oldest first, all columns of one length. `time`: opens, epoch ms UTC. */
export interface CandleColumns {
  time: Column;
  open: Column;
  high: Column;
  low: Column;
  close: Column;
  /** Base units. */
  volume: Column;
}

export interface TrailingRequest extends Partial<ClassicNumbers<'trailing', 'wire'>> {
  enabled?: boolean;
  mode?: 'percent' | 'atr';
}

export interface ParamsRequest extends Partial<ClassicNumbers<'params', 'wire'>> {
  /** By vote id, 0 to 2 in tenths. */
  weights?: Record<string, number>;
  trailing?: TrailingRequest;
}

export interface CostsRequest extends Partial<CostNumbers> {
  takeProfitOrder?: 'market' | 'limit';
  funding?: { time: Column; rate: Column; mark?: Column };
  fundingSource?: 'history' | 'assumed' | 'off';
  sameBar?: 'stop' | 'target';
  liquidationModel?: VenueId;
  tiers?: LeverageTier[];
  /** Whether a position may leave in the candle of its entry. */
  entryCandleExits?: boolean;
  /** How the last candle closes what is open: by an order with its costs, or at its close. */
  lastClose?: 'order' | 'mark';
}

/** What is run: own rules as text, a strategy, or the parameters of the classic rules. */
interface Rules {
  /** Own rules: `long when rsi(14) < 30`. */
  rules?: string;
  /** Interval of the candles, for `rules`; the shortest step between two of them when absent. */
  interval?: IntervalName;
  strategy?: Strategy;
  params?: ParamsRequest;
  /** Candles of each longer interval of the rules, the shortest first. */
  context?: CandleColumns[];
  /** What the news said at the close of each candle: -1, 0 or 1. */
  news?: Int8Array | readonly number[];
}

export interface RunRequest extends Rules {
  candles: CandleColumns;
  costs?: CostsRequest;
  /** Mark prices of the candles: they trigger liquidation. */
  markPrices?: { open: Column; high: Column; low: Column };
  /** Settle which of stop and target came first. */
  fineCandles?: CandleColumns;
  /** Trades may open on the last so many candles. */
  scored?: number;
}

export interface Range {
  min: number;
  max: number;
}

export interface SearchOptions {
  samples?: number;
  target?: OptimizeTarget;
  seed?: number;
  trainOn?: 'earlier' | 'scored';
  refine?: boolean;
  guide?: boolean;
  /** Ranges of `params`. */
  space?: Record<string, unknown>;
  /** Ranges of `strategy`. */
  rulesSpace?: Record<string, unknown>;
  walkForward?: { kind?: 'rolling' | 'anchored'; folds?: number; purgeBars?: number; embargoBars?: number };
}

export interface SearchRequest extends RunRequest {
  optimize?: SearchOptions;
}

export type HonestyRequest =
  | {
      search: SearchRequest;
      /** Sets that were tried before on these candles. */
      earlierTrialCount?: number;
      /** Results on the scored candles that were viewed before. */
      earlierLookCount?: number;
    }
  | {
      /** One column for each trial: change of equity in each bar over the starting equity. */
      returns: Column[];
      bestIndex: number;
      barMs: number;
      tradeCount?: number;
      seed?: number;
      earlierTrialCount?: number;
    };

export interface PortfolioRequest {
  strategy: Strategy;
  symbols: (Pick<RunRequest, 'candles' | 'context' | 'news' | 'markPrices' | 'fineCandles'> & {
    symbol: string;
    costs?: CostsRequest;
  })[];
  costs?: CostsRequest;
  limits?: Record<string, number | boolean>;
  from?: number;
  judge?: { seed?: number; earlierTrialCount?: number } | null;
}

export interface MonteCarloRequest extends Omit<RunRequest, 'markPrices' | 'fineCandles'> {
  /** The same seed makes the same markets; 1 when absent. */
  seed?: number;
  /** 1 to 2,000; 200 when absent. */
  marketCount?: number;
  /** Candles of a block. */
  blockLength?: number;
}

/** A name, or a name with parameters: `{ id: 'ema', period: 50, as: 'slow' }`. */
export type IndicatorRequestItem =
  | string
  | { id: string; as?: string; [parameter: string]: string | number | undefined };

export interface IndicatorsRequest {
  candles: CandleColumns;
  indicators: IndicatorRequestItem[];
}

export interface RunControl {
  /** Aborting ends the run with the code `cancelled`. */
  signal?: AbortSignal;
  /** Work that is done, in the task's own unit. */
  onProgress?: (done: number, total: number) => void;
}
