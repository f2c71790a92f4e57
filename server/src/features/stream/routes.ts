import type { MarketMode } from '../../config.ts';
import type { Rejection } from '../../platform/errors.ts';
import type { Db } from '../../platform/db/scope.ts';
import type { StreamCounts } from '../../platform/events/streamCounts.ts';
import type { EventHub } from '../../platform/events/eventHub.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import type { ApiAccess } from '../apiKeys/apiAccess.ts';
import { createPriceFeed } from '../events/priceFeed.ts';
import type { Market } from '../market/port.ts';
import { createSignals, type SignalDeps } from '../signals/computeSignal.ts';
import { CandleEvents } from './candleEvents.ts';
import { StreamResponse, StreamQuery } from './contract.ts';
import { createStreamSlots, openMax, type StreamOwner, type StreamSlots } from './slots.ts';
import { type Slot, Readers, type ReadersOptions, type StreamRequest } from './readers.ts';
import { replayEvents } from './replay.ts';
import { openSse, routeUpgrades, type TransportEvents } from './transports.ts';

export interface StreamDeps extends SignalDeps {
  db: Db;
  api: ApiAccess;
  events: EventHub;
  config: { market: MarketMode };
  /** Counts the streams of this node, for the metrics. */
  streamCounts: StreamCounts;
}

/** Interval of the key check, for revocations whose notification was lost; a notification checks at once. */
const pollMs = 1500;

const handlersOf = (slot: Slot): TransportEvents => ({
  onOpen: slot.open,
  onDrain: slot.drain,
  onClose: slot.leave,
});

const schema = {
  access: 'read:signals',
  sandbox: 'none',
  tags: ['Signals'],
  summary: 'Stream signals, closed candles and prices by server-sent events or WebSocket',
  description:
    'Signals are sent as their candle closes. Send the id of the last event as `Last-Event-ID` (or ' +
    `last_event_id) after a break to replay the last ten minutes, or get \`resync\`. At most ${openMax.perKey} streams for a key and ` +
    `${openMax.perUser} for an account. Needs an API key.`,
  querystring: StreamQuery,
  response: {
    200: { description: 'The stream.', content: { 'text/event-stream': { schema: StreamResponse } } },
    ...problems('validation_failed', 'not_authenticated', 'forbidden', 'symbol_unknown', 'rate_limited'),
    ...problems('upstream_unavailable', 'upstream_rate_limited', 'deadline_exceeded', 'database_unavailable'),
  },
} as const;

export function streamRoutes(app: App, deps: StreamDeps): void {
  const { api, market, config, now = Date.now } = deps;
  const onError = (error: unknown): void => app.log.warn({ err: error }, 'a stream of the API has failed');
  const signals = createSignals(deps);
  const { market: mode } = config;
  const events = new CandleEvents({ market, mode, signals, now, onError });
  const priceFeed = createPriceFeed({ market, mode: config.market, onError });
  const replay: ReadersOptions['replay'] = (keys, missed) => replayEvents({ market, signals, mode, now }, keys, missed);
  const readers = new Readers({ events, priceFeed, replay, onError });
  const upgrades = routeUpgrades(app);
  const slots = createStreamSlots(deps.db, onError);
  deps.streamCounts.use('api', slots.count);
  const checkReaders = (): void => void readers.checkReaders().catch(onError);
  const polling = setInterval(() => {
    checkReaders();
    slots.sendHeartbeat().catch(onError);
  }, pollMs).unref();
  // Without it a stream ends with its key at the next check.
  let stopFollowing: (() => void) | undefined;
  const followKeys = (): void => {
    stopFollowing ??= deps.events.onTopic((topic) => {
      if (topic === 'api' || topic === 'resync') checkReaders();
    });
  };
  // Runs before the server waits for its connections: these would never end otherwise.
  app.addHook('preClose', (done) => {
    clearInterval(polling);
    stopFollowing?.();
    readers.endAll();
    events.close();
    done();
  });
  app.addHook('onClose', () => slots.close().catch(onError));
  app.get('/api/stream', { onRequest: app.requireUser, schema }, async (request, reply) => {
    const { id: userId, apiKeyId: keyId } = request.user;
    const { symbols, intervals, events: kinds, last_event_id: queryId } = request.query;
    const mayRead = kinds.every((kind) => kind === 'signals') || api.hasScope(request, 'read:market');
    if (keyId === undefined || !mayRead) return sendProblem(reply, keyId === undefined ? noKey : noMarket);
    const rejection = await rejectUnknown(market, symbols);
    if (rejection !== undefined) return sendProblem(reply, rejection);
    const header = request.headers['last-event-id'];
    const sinceId = queryId ?? (typeof header === 'string' ? header : undefined);
    followKeys();
    const isAllowed = () => api.isStillAllowed(request);
    const subscription = { userId, symbols, intervals, kinds, sinceId, isAllowed };
    const slot = await enter({ slots, readers }, { userId, keyId }, subscription);
    if (slot === undefined) return sendProblem(reply, full);
    const isUpgrade = upgrades.isUpgrade(request);
    if (isUpgrade) upgrades.open(request, reply, handlersOf(slot));
    else openSse(reply, handlersOf(slot));
    // Logged at the start: a stream that is open for days would otherwise be missing from the log until its end.
    api.logOpened(request, reply, isUpgrade ? 101 : 200);
    return reply;
  });
}

/** Acquires a slot among all nodes, then capacity on this one. */
async function enter(
  { slots, readers }: { slots: StreamSlots; readers: Readers },
  owner: StreamOwner,
  subscription: StreamRequest,
): Promise<Slot | undefined> {
  const leave = await slots.take(owner);
  if (leave === undefined) return undefined;
  const slot = readers.enter(subscription, leave);
  if (slot === undefined) leave();
  return slot;
}

const noKey: Rejection = { code: 'forbidden', message: 'Streams need an API key with the scope read:signals.' };
const noMarket: Rejection = {
  code: 'forbidden',
  message: 'API key lacks required permissions. Candles and prices need the scope read:market too.',
};
const full: Rejection = {
  code: 'rate_limited',
  message: `At most ${openMax.perKey} open streams for a key and ${openMax.perUser} for an account. Close one first.`,
  retryAfterS: 30,
};

async function rejectUnknown(market: Market, symbols: readonly string[]): Promise<Rejection | undefined> {
  const known = await market.symbols();
  if (!known.ok) return known.error;
  const trading = new Set(known.value.value.filter(({ status }) => status === 'trading').map((each) => each.symbol));
  const unknown = symbols.find((symbol) => !trading.has(symbol));
  if (unknown === undefined) return undefined;
  return { code: 'symbol_unknown', message: `${unknown} is not traded on binance.`, field: 'symbols' };
}
