import type { FundingRate, SymbolList, Venue, VenueFeed } from '../../features/market/port.ts';
import { ok, type Outcome } from '../../platform/errors.ts';
import { readCandles } from './candles.ts';
import { type CcxtClient, createCcxtClient } from './ccxtClient.ts';
import type { VenueContext, VenueOptions } from './context.ts';
import { readFunding, readFundingHistory } from './funding.ts';
import { keptUniverse } from './keptUniverse.ts';
import { readPrices } from './prices.ts';
import { StreamFeed } from './streams/feed.ts';
import { streamDialects } from './streams/streamDialects.ts';
import type { Call } from './call.ts';
import { usualTimings } from './streams/connection.ts';
import { knownTurnovers } from './turnovers.ts';
import type { Universe } from './universe.ts';
import { refusalOf, UpstreamError } from './upstreamError.ts';

export interface ExchangeVenue extends Venue {
  close: () => Promise<void>;
}

const listOf = ({ listed, leftOut }: Universe): SymbolList => ({
  symbols: [...listed.values()].map(({ listing }) => listing),
  leftOut,
});

export function createVenue(options: VenueOptions): ExchangeVenue {
  const { rules, dialect, transport, clock } = options;
  const feeds: VenueFeed[] = [];
  let clientPromise: Promise<CcxtClient> | undefined;
  const client = (): Promise<CcxtClient> => {
    clientPromise ??= createCcxtClient(dialect.exchange, transport.fetch);
    return clientPromise;
  };
  const universe = keptUniverse(options, client);
  const listed = async () => (await universe()).listed;
  const context: VenueContext = {
    ...options,
    client,
    async listed(symbol) {
      const found = (await listed()).get(symbol);
      if (found !== undefined) return found;
      throw new UpstreamError('symbolUnknown', `${options.rules.name} does not trade ${symbol}.`);
    },
  };
  /** One port call: a failure of the exchange is a value, a bug stays an exception. */
  async function answer<T>(signal: AbortSignal | undefined, work: (call: Call) => Promise<T>): Promise<Outcome<T>> {
    try {
      return ok(await transport.call(signal, work));
    } catch (error) {
      if (error instanceof UpstreamError) return refusalOf(error);
      throw error;
    }
  }

  return {
    exchange: dialect.exchange,
    state: transport.state,
    close: async () => {
      for (const feed of feeds) feed.close();
      await transport.close();
    },
    symbols: (signal) => answer(signal, async () => listOf(await universe())),
    candles: (request) => answer(request.signal, (call) => readCandles(context, call, request)),
    turnovers: (signal) =>
      answer(signal, async () => knownTurnovers(await dialect.turnovers(transport), await listed(), rules.name)),
    feed(listener) {
      const { streamOrigin, streamTimings } = options;
      const feed = new StreamFeed(
        {
          rules,
          dialect: streamDialects[dialect.exchange],
          origin: streamOrigin ?? streamDialects[dialect.exchange].liveOrigin,
          timings: { ...usualTimings, ...streamTimings },
          clock,
          guard: transport.guard,
          universe: () => answer(undefined, listed),
        },
        listener,
      );
      feeds.push(feed);
      return feed;
    },
    prices: (signal) => answer(signal, async () => readPrices(context, await listed())),
    funding: (symbol, signal): Promise<Outcome<FundingRate>> => answer(signal, () => readFunding(context, symbol)),
    fundingHistory: (request, signal) => answer(signal, () => readFundingHistory(context, request)),
  };
}
