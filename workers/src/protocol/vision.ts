import type { Candles } from './backtest.ts';
import type { GroundMatch, GroundSeries, PictureCloses } from '../vision/ground.ts';

/** Contract of the tasks behind a chart picture: candlestick patterns and swing formations, their record, and the market that a picture shows. */

export interface PatternsInput {
  candles: Candles;
  /** Only patterns completed by one of this many last candles are given. */
  lastCount: number;
}

/** The high or low of a swing, or the close that left the formation. */
export interface PatternPoint {
  index: number;
  side: 'high' | 'low' | 'close';
}

/** A pattern or formation that one candle completed. */
export interface PatternHit {
  /** Id of engine-as/abi/patterns.ts or formations.ts. */
  id: string;
  /** The candle that completes it. */
  index: number;
  /** As the engine gives it: above 0 bullish, below 0 bearish. */
  value: number;
  /** Points through which a swing formation is drawn; absent for candlestick patterns. */
  points?: PatternPoint[];
}

export interface PatternsResult {
  hits: PatternHit[];
}

export interface PatternRecordInput {
  series: Candles[];
  /** A pattern is followed by its direction when the close this many candles later is beyond its own close. */
  horizonCount: number;
}

export interface PatternCount {
  count: number;
  followedCount: number;
}

export interface PatternRecordResult {
  /** By pattern id, bullish and bearish ones apart. Patterns that did not occur are left out. */
  patterns: Record<string, { bullish: PatternCount; bearish: PatternCount }>;
  /** All candles: how often the close this many candles later was above, and below. */
  all: { count: number; higherCount: number; lowerCount: number };
  seriesCount: number;
  horizonCount: number;
}

export interface GroundInput {
  picture: PictureCloses;
  series: GroundSeries[];
}

export interface GroundResult {
  match: GroundMatch | null;
  seriesCount: number;
  candleCount: number;
}
