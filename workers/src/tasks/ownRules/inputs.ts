import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Costs } from '../../protocol/backtest.ts';

/** Input columns of own rules beside the candles, each as it is known at the close of its candle. */

const FUNDING_STEP_MS = 8 * HOUR_MS;
/** A settlement that is older than this is unknown: the history has a gap there. */
const FUNDING_FRESH_MS = DAY_MS;

/** UTC hour and weekday (0 is Monday) of the close of each candle. */
export function clockColumns(time: Float64Array, stepMs: number): { hour: Float64Array; weekday: Float64Array } {
  return {
    hour: time.map((open) => Math.floor((open + stepMs) / HOUR_MS) % 24),
    // The epoch was a Thursday.
    weekday: time.map((open) => (Math.floor((open + stepMs) / DAY_MS) + 3) % 7),
  };
}

/** What of the costs the columns are made from. */
export type FundingCosts = Pick<Costs, 'funding' | 'fundingSource' | 'assumedFundingFraction'>;

export interface FundingColumns {
  /** Rate of the last settlement at or before the close; NaN where none is known. */
  rate: Float64Array;
  /** Hours from the close to the next settlement, by the distance of the last two; NaN where none is known. */
  hours: Float64Array;
}

/** From the history, else from the assumed rate; undefined without either. */
export function fundingColumns(time: Float64Array, stepMs: number, costs: FundingCosts): FundingColumns | undefined {
  const { funding, fundingSource, assumedFundingFraction = 0 } = costs;
  if (funding !== undefined) return fundingOf(time, stepMs, funding);
  if (fundingSource !== 'assumed') return undefined;
  return {
    rate: time.map(() => assumedFundingFraction),
    hours: time.map((open) => hoursTo(open + stepMs, 0, FUNDING_STEP_MS)),
  };
}

function fundingOf(time: Float64Array, stepMs: number, funding: NonNullable<Costs['funding']>): FundingColumns {
  const rate = new Float64Array(time.length).fill(Number.NaN);
  const hours = new Float64Array(time.length).fill(Number.NaN);
  let known = -1;
  time.forEach((open, i) => {
    const close = open + stepMs;
    while ((funding.time[known + 1] ?? Infinity) <= close) known++;
    const at = funding.time[known];
    if (at === undefined || close - at > FUNDING_FRESH_MS) return;
    const before = funding.time[known - 1];
    rate[i] = funding.rate[known] ?? Number.NaN;
    hours[i] = hoursTo(close, at, before === undefined ? FUNDING_STEP_MS : Math.min(at - before, FUNDING_FRESH_MS));
  });
  return { rate, hours };
}

/** Hours from `close` to the next multiple of `stepMs` after `from`. */
const hoursTo = (close: number, from: number, stepMs: number): number => (stepMs - ((close - from) % stepMs)) / HOUR_MS;
