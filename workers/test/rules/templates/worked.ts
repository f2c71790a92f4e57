import type { Bar } from './series.ts';

/** What a trader works out on paper: side, candle whose open is the entry, candle of the exit, and why it leaves. */
export type WorkedTrade = readonly [side: 'LONG' | 'SHORT', entry: number, exit: number, reason: string];

export interface Worked {
  id: string;
  bars: Bar[];
  /** All trades of the series. */
  trades: WorkedTrade[];
  why: string;
  /** The same with every price p as 200 - p has the opposite sides: the reasoning has no percent in it. */
  mirrors?: true;
  volumes?: Record<number, number>;
  /** Settlements: hour and rate. */
  funding?: readonly (readonly [hour: number, rate: number])[];
}
