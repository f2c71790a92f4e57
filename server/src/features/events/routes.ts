import type { MarketMode } from '../../config.ts';
import { credentialsOf } from '../../platform/auth/requireUser.ts';
import type { Db } from '../../platform/db/scope.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { EventHub } from '../../platform/events/eventHub.ts';
import { openEventStream } from '../../platform/events/eventStream.ts';
import type { App } from '../../platform/http/app.ts';
import type { StreamCounts } from '../../platform/events/streamCounts.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import type { AuthProvider } from '../auth/provider.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import { createShownMarket } from '../market/shownMarket.ts';
import { EventsResponse, EventsQuery } from './contract.ts';
import { createOpenStreams, streamsPerUserMax } from './openStreams.ts';
import { createPriceFeed } from './priceFeed.ts';

export interface EventsDeps {
  db: Db;
  events: EventHub;
  auth: AuthProvider;
  market: Market;
  /** Whether an exchange does not serve the region of this server. */
  isRegionBlocked: (exchange: ExchangeId) => boolean;
  config: { market: MarketMode };
  /** Counts the streams of this node, for the metrics. */
  streamCounts: StreamCounts;
}

/** Well below the minute after which silent connections are cut, and below the timeouts of proxies. */
const beatMs = 15_000;

export function eventRoutes(
  app: App,
  { db, events, auth, market, isRegionBlocked, config, streamCounts }: EventsDeps,
): void {
  const priceFeed = createPriceFeed({
    market: createShownMarket(market, isRegionBlocked),
    mode: config.market,
    onError: (error) => app.log.warn({ err: error }, 'prices were not read for open streams'),
  });
  const streams = createOpenStreams({ db, events, priceFeed });
  streamCounts.use('page', streams.count);
  const beating = setInterval(() => {
    streams.beat().catch((error: unknown) => app.log.warn({ err: error }, 'sessions of open streams were not checked'));
  }, beatMs).unref();
  // Runs before the server waits for its connections: these would never end otherwise.
  app.addHook('preClose', (done) => {
    clearInterval(beating);
    streams.endAll();
    done();
  });
  app.get(
    '/api/events',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags: ['Events'],
        summary: 'Stream changes of your account',
        querystring: EventsQuery,
        response: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: EventsResponse } } },
          ...problems('validation_failed', 'not_authenticated', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const session = await auth.getSession(credentialsOf(request));
      const over = { code: 'not_authenticated', message: apiErrors.not_authenticated.title } as const;
      if (session === null) return sendProblem(reply, over);
      const header = request.headers['last-event-id'];
      const { symbols = [], last_event_id: sinceId = typeof header === 'string' ? header : undefined } = request.query;
      const { id: sessionId, account } = session;
      const reader = { userId: account.id, sessionId, symbols: new Set(symbols), sinceId };
      const outcome = await streams.serve(reader, (onClose) => openEventStream(reply, onClose));
      if (outcome === 'open') return reply;
      if (outcome === 'over') return sendProblem(reply, over);
      const message = `At most ${streamsPerUserMax} event streams at once. Close another one.`;
      return sendProblem(reply, { code: 'rate_limited', message, retryAfterS: 30 });
    },
  );
}
