import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createVenues, type ExchangeHosts } from './adapters/exchanges/createVenues.ts';
import { closeListeners } from './closeListeners.ts';
import type { MarketMode } from './config.ts';
import { createMarket, type LiveMarket } from './features/market/createMarket.ts';
import type { StreamPlan } from './features/market/live/liveMarket.ts';
import { createNewsVotes } from './features/news/newsVotes.ts';
import { startAlertWatch } from './features/alerts/watch/startAlertWatch.ts';
import { createRestingOrders } from './features/orders/restingOrders.ts';
import { reportWatchFigures } from './features/status/metrics/reportWatchFigures.ts';
import type { WatchFigures } from './features/status/metrics/watchFigures.ts';
import { startWatching } from './features/positions/watch/startWatching.ts';
import { guardProcess } from './platform/failures/failures.ts';
import { type Database, openDatabase } from './platform/db/database.ts';
import { createGatewayLink } from './features/market/gateway/gatewayLink.ts';
import { createRemoteVenues } from './features/market/gateway/remoteVenues.ts';
import type { NodeVenue } from './features/market/gateway/wire.ts';
import type { ExchangeId } from './features/market/port.ts';
import { openBuses } from './platform/bus/openBuses.ts';
import { eventNotices } from './platform/events/notify.ts';

/** Data passed by the server thread. */
export interface WatchThreadData {
  /** Connection URL with the server's login, not the owner's. */
  databaseUrl: string;
  databaseSessionUrl: string;
  exchangesUrl: string | undefined;
  exchangeHosts: ExchangeHosts;
  market: MarketMode;
  historySource: string;
  isMarketStreamed: boolean;
  isGatewayUsed: boolean;
  natsUrl: string | undefined;
}

/** `claimed`: the first claim of the lease has completed. Errors are for the log; `unexpected` ones were uncaught. */
export type WatchThreadMessage =
  | { kind: 'claimed' }
  | { kind: 'figures'; figures: WatchFigures }
  | { kind: 'warning'; text: string; error: unknown }
  | { kind: 'unexpected'; origin: string; error: unknown };

/** Streams only series of open positions, which the watch adds. */
const watchedOnly = { symbolCount: 0, candles: [] };
const plan: StreamPlan = byVenue(() => watchedOnly);

/** For candles of strategies and ranges of open positions. */
const candleBytesMax = 16 * 1024 * 1024;
const connectionsMax = 6;

/** Copies only plain fields: driver errors hold connections, which cannot be cloned into a message. */
function plainError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return String(thrown);
  const { name, message, stack, cause } = thrown;
  const plain = new Error(message, cause === undefined ? {} : { cause: plainError(cause) });
  return Object.assign(plain, { name, stack });
}

/** A frozen database fails the thread's queries after 2 s, as those of the server, instead of after 12 s. */
function openOwn({ databaseUrl, databaseSessionUrl }: WatchThreadData, onError: (error: Error) => void): Database {
  const database = openDatabase({ url: databaseUrl, sessionUrl: databaseSessionUrl, connectionsMax, onError });
  database.watch.start();
  return database;
}

/** Reads the figures of this thread's streams and limits. */
const createFigures = (
  { dataAtMs, warmth }: Pick<LiveMarket, 'dataAtMs' | 'warmth'>,
  { byExchange }: { byExchange: Record<ExchangeId, NodeVenue> },
): (() => Pick<WatchFigures, 'dataAtMs' | 'silentTopics' | 'budgets'>) => {
  const venues = Object.values(byExchange);
  return () => ({
    dataAtMs: dataAtMs(),
    silentTopics: Object.fromEntries(
      Object.entries(warmth().feeds).map(([exchange, { silentTopics }]) => [exchange, silentTopics.length]),
    ),
    budgets: venues.flatMap(({ exchange, budgets }) => budgets().map((use) => ({ exchange, ...use }))),
  });
};

/** Database, bus, and the exchanges: its own, or those of the gateway. */
function openSources(data: WatchThreadData, warn: (text: string) => (error: unknown) => void) {
  const { exchangesUrl, exchangeHosts, isGatewayUsed, natsUrl } = data;
  const database = openOwn(data, warn('database connection of the watch lost'));
  const { db, newClient } = database;
  const onError = warn('the bus of the watch was lost');
  const buses = openBuses({ db, newClient, natsUrl, notices: eventNotices, onError });
  const venues = isGatewayUsed
    ? createRemoteVenues(createGatewayLink(buses.main))
    : createVenues({ exchangesUrl, exchangeHosts });
  return { database, buses, venues };
}

/**
 * Runs the position watch in a thread with its own database connections and price streams, so that a request that blocks the server
 * thread delays no stop.
 */
async function run(port: MessagePort, data: WatchThreadData): Promise<void> {
  const send = (message: WatchThreadMessage): void => port.postMessage(message);
  const warn =
    (text: string) =>
    (error: unknown): void =>
      send({ kind: 'warning', text, error: plainError(error) });
  guardProcess({ record: (error, origin) => send({ kind: 'unexpected', origin, error: plainError(error) }) });
  const { market: mode, historySource, isMarketStreamed } = data;
  const config = { market: mode, historySource };
  const { database, buses, venues } = openSources(data, warn);
  const market = createMarket({ venues: venues.byExchange, plan, candleBytesMax });
  const newsVotes = createNewsVotes({ db: database.db, market: mode });
  const stopNews = newsVotes.start(warn('news votes of the watch were not refreshed'));
  const { module } = await loadModule();
  if (isMarketStreamed) market.start(undefined, warn('a check of the watch streams failed'));
  const kernel = instantiate(module);
  const watching = startWatching({
    db: database.db,
    config,
    closeListeners,
    market,
    newsVotes,
    newEngine: () => instantiate(module),
    orders: createRestingOrders({ kernel: () => kernel, config: { market: mode } }),
    newClient: database.newClient,
    warn: warn('a position task failed'),
    onError: warn('this node no longer watches positions'),
  });
  const alerting = startAlertWatch({
    db: database.db,
    market,
    config,
    newsVotes,
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    warn: warn('a task of the alerts failed'),
    onError: warn('this node no longer evaluates alerts'),
  });
  const stopReporting = reportWatchFigures(createFigures(market, venues), (figures) =>
    send({ kind: 'figures', figures }),
  );
  port.once('message', () => {
    void Promise.all([watching.close(), alerting.close()])
      .then(async () => {
        stopNews();
        stopReporting();
        market.stop();
        await venues.close();
        await buses.close();
        await database.close();
      })
      .finally(() => process.exit(0));
  });
  await Promise.all([watching.attempted, alerting.attempted]);
  send({ kind: 'claimed' });
}

if (parentPort !== null) await run(parentPort, workerData as WatchThreadData);
