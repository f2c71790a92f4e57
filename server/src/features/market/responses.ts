import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { FundingResponse, KlinesResponse, MinutesResponse, PriceResponse, SymbolsResponse } from './contract.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type {
  CandleWindow,
  CountedSymbols,
  FundingHistory,
  FundingRate,
  FuturesSymbol,
  Interval,
  PriceQuote,
  Sourced,
} from './port.ts';

/** Converts the port's values to wire values. */

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

export interface Moment {
  market: MarketMode;
  nowMs: number;
}

export const sourceOf = ({ exchange, fetchedAtMs }: Sourced<unknown>, { market, nowMs }: Moment) => ({
  exchange,
  market,
  data_age_ms: Math.max(0, Math.round(nowMs - fetchedAtMs)),
});

type SymbolCounts = z.input<typeof SymbolsResponse>['counts'];
type SymbolRow = z.input<typeof SymbolsResponse>['symbols'][number];
export const symbolRow = (symbol: FuturesSymbol): SymbolRow => ({
  symbol: symbol.symbol,
  base: symbol.base,
  tick_size: symbol.tickSize,
  step_size: symbol.stepSize,
  min_notional: symbol.minNotional,
  max_quantity: symbol.maxQuantity,
  max_leverage: symbol.maxLeverage,
  listed_at: symbol.listedAtMs === null ? null : iso(symbol.listedAtMs),
  status: symbol.status,
});

/** Counts of perpetuals. Every screen and response that states a number uses it. */
export function countsOf({ value, leftOut }: Pick<CountedSymbols, 'value' | 'leftOut'>): SymbolCounts {
  const trading = value.filter(({ status }) => status === 'trading').length;
  return { trading, suspended: value.length - trading, left_out: leftOut };
}

type Quote = Pick<z.input<typeof PriceResponse>, 'symbol' | 'price' | 'bid' | 'ask' | 'mark' | 'at'>;
export const quoteRow = ({ symbol, last, bid, ask, mark, atMs }: PriceQuote): Quote => ({
  symbol,
  price: last,
  bid,
  ask,
  mark,
  at: iso(atMs),
});

const columnsOf = ({ time, open, high, low, close, volume }: Candles) => ({
  time: Array.from(time),
  open: Array.from(open),
  high: Array.from(high),
  low: Array.from(low),
  close: Array.from(close),
  volume: Array.from(volume),
});

export const minutesResponse = (
  symbol: string,
  result: Sourced<Candles>,
  moment: Moment,
): z.input<typeof MinutesResponse> => ({
  symbol,
  ...sourceOf(result, moment),
  candles: columnsOf(result.value),
});

export function klinesResponse(
  symbol: string,
  interval: Interval,
  result: Sourced<CandleWindow>,
  moment: Moment,
): z.input<typeof KlinesResponse> {
  const { candles, gaps } = result.value;
  const lastOpenMs = candles.time.at(-1);
  return {
    symbol,
    interval,
    ...sourceOf(result, moment),
    candles: columnsOf(candles),
    candle_close_at: lastOpenMs === undefined ? null : iso(lastOpenMs + intervalMs[interval]),
    gaps: gaps.map(({ fromMs, toMs, missingCount }) => ({ from: iso(fromMs), to: iso(toMs), missing: missingCount })),
  };
}

export function fundingResponse(
  current: Sourced<FundingRate>,
  history: FundingHistory,
  moment: Moment,
): z.input<typeof FundingResponse> {
  const { symbol, rate, nextFundingAtMs, intervalHours, intervalSource = 'exchange' } = current.value;
  return {
    symbol,
    ...sourceOf(current, moment),
    funding_rate: rate,
    next_funding_at: iso(nextFundingAtMs),
    interval_hours: intervalHours,
    interval_source: intervalHours === null ? null : intervalSource,
    history: Array.from(history.time, (timeMs, index) => ({
      at: iso(timeMs),
      funding_rate: history.rate[index] as number,
    })),
  };
}
