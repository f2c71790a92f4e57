import type { ExchangeId } from '../../features/market/port.ts';
import { type Clock, systemClock } from './clock.ts';
import { dialects } from './dialect.ts';
import { rulesOf } from './rules.ts';
import type { StreamTimings } from './streams/connection.ts';
import { createTransport } from './transport.ts';
import { createVenue, type ExchangeVenue } from './venue.ts';

export interface VenuesOptions {
  /** One server that speaks all exchanges' formats; the real hosts when absent. */
  exchangesUrl?: string | undefined;
  clock?: Clock;
  requestTimeoutMs?: number;
  callDeadlineMs?: number;
  streamTimings?: Partial<StreamTimings>;
}

export interface Venues {
  byExchange: Record<ExchangeId, ExchangeVenue>;
  close: () => Promise<void>;
}

const liveHosts: Record<ExchangeId, string> = {
  binance: 'https://fapi.binance.com',
  bybit: 'https://api.bybit.com',
  okx: 'https://www.okx.com',
};

/** The three exchanges, ready to be asked; nothing is loaded or connected before the first question. */
export function createVenues(options: VenuesOptions = {}): Venues {
  const { exchangesUrl, clock = systemClock, requestTimeoutMs = 6000, callDeadlineMs = 12_000 } = options;
  const make = (exchange: ExchangeId): ExchangeVenue => {
    const rules = rulesOf[exchange];
    const baseUrl = exchangesUrl ?? liveHosts[exchange];
    const transport = createTransport({ rules, baseUrl, clock, requestTimeoutMs, callDeadlineMs });
    const streams = {
      ...(exchangesUrl === undefined ? {} : { streamOrigin: exchangesUrl.replace(/^http/, 'ws').replace(/\/$/, '') }),
      ...(options.streamTimings === undefined ? {} : { streamTimings: options.streamTimings }),
    };
    return createVenue({ rules, dialect: dialects[exchange], transport, clock, ...streams });
  };
  const byExchange = { binance: make('binance'), bybit: make('bybit'), okx: make('okx') };
  return {
    byExchange,
    close: async () => {
      await Promise.all(Object.values(byExchange).map((venue) => venue.close()));
    },
  };
}
