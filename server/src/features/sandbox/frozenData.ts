import { readFileSync } from 'node:fs';
import type { PackedCandles } from '@sextant/workers/src/candles/packedCandles.ts';
import { once } from '../../platform/once.ts';
import type {
  ExchangeId,
  FundingHistory,
  FundingRate,
  Interval,
  LeftOut,
  OrderBook,
  PriceQuote,
  FuturesSymbol,
  TopQuote,
  Turnover,
} from '../market/port.ts';

/** Sandbox data of one exchange; records are keyed by symbol. */
export interface FrozenVenue {
  symbols: FuturesSymbol[];
  leftOut: LeftOut;
  prices: PriceQuote[];
  tops: TopQuote[];
  turnovers: Turnover[];
  books: Record<string, OrderBook>;
  funding: Record<string, FundingRate>;
  fundingHistory: Record<string, Record<keyof FundingHistory, number[]>>;
  /** Only the first exchange has candles. */
  candles: Record<string, Partial<Record<Interval, PackedCandles>>>;
}

export interface FrozenData {
  origin: string;
  venues: Record<ExchangeId, FrozenVenue>;
}

/** The bundled market, written by server/fakes/exchanges/sandboxMarket.ts. Loaded at the first use. */
export const readFrozenData = once(
  () => JSON.parse(readFileSync(new URL('./market.gen.json', import.meta.url), 'utf8')) as FrozenData,
);
