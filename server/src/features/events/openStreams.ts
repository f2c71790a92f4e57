import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { EventHub } from '../../platform/events/eventHub.ts';
import type { StoredEvent } from '../../platform/events/eventRing.ts';
import { type EventStream, waitingMax } from '../../platform/events/eventStream.ts';
import type { PriceFeed } from './priceFeed.ts';

/** The sessions that are still valid. Read from the database: the session cache may be seconds behind. */
async function liveSessions(db: Db, sessionIds: readonly string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set();
  const rows = await withSystem(db, (tx) =>
    tx.selectFrom('sessions').select('id').where('id', 'in', sessionIds).where('expires_at', '>', new Date()).execute(),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Concurrent streams per user: a few pages and a phone. */
export const streamsPerUserMax = 5;
const connectWaitMs = 2000;

export interface Reader {
  userId: string;
  sessionId: string;
  symbols: ReadonlySet<string>;
  /** Id of the last event the client received. */
  sinceId: string | undefined;
}

interface OpenStream {
  sessionId: string;
  stream: EventStream;
}

/** Opens the response as a stream; `onClose` is called once, however it ends. */
export type OpenResponse = (onClose: () => void) => EventStream;

export interface OpenStreams {
  /** Streams until the client disconnects or its session ends. `full`: too many streams of this user; `over`: the session has ended. */
  serve: (reader: Reader, open: OpenResponse) => Promise<'open' | 'full' | 'over'>;
  /** Sends a heartbeat on open connections and closes those whose session has ended. */
  beat: () => Promise<void>;
  endAll: () => void;
  count: () => number;
}

interface Context {
  db: Db;
  events: EventHub;
  priceFeed: PriceFeed;
  openStreams: Set<OpenStream>;
  enter: (userId: string) => (() => void) | undefined;
}

/** The streams of this node. */
export function createOpenStreams(deps: { db: Db; events: EventHub; priceFeed: PriceFeed }): OpenStreams {
  const openStreams = new Set<OpenStream>();
  const context: Context = { ...deps, openStreams, enter: createSlots(streamsPerUserMax) };
  return {
    serve: (reader, openResponse) => serve(context, reader, openResponse),
    beat: async () => {
      for (const { stream } of openStreams) stream.beat();
      await endDead(deps.db, [...openStreams]);
    },
    endAll: () => {
      for (const { stream } of openStreams) stream.end();
    },
    count: () => openStreams.size,
  };
}

/** Acquires a stream slot of a user; undefined when all are taken. Call the result to release it. */
function createSlots(perUserMax: number): Context['enter'] {
  const takenBy = new Map<string, number>();
  return (userId) => {
    const taken = takenBy.get(userId) ?? 0;
    if (taken >= perUserMax) return undefined;
    takenBy.set(userId, taken + 1);
    return () => {
      const left = (takenBy.get(userId) ?? 1) - 1;
      if (left === 0) takenBy.delete(userId);
      else takenBy.set(userId, left);
    };
  };
}

async function serve(context: Context, reader: Reader, openResponse: OpenResponse): Promise<'open' | 'full' | 'over'> {
  const { db, events, priceFeed, openStreams } = context;
  const leave = context.enter(reader.userId);
  if (leave === undefined) return 'full';
  // Subscribed before the session check, so that an end in between is not missed.
  const early: StoredEvent[] = [];
  let take = (event: StoredEvent): void => {
    early.push(event);
  };
  const subscription = events.subscribe({ userId: reader.userId, deliver: (event) => take(event) }, reader.sinceId);
  const giveUp = (): void => {
    subscription.end();
    leave();
  };
  const isLive = await isSessionLive(context, reader.sessionId).catch((error: unknown) => {
    giveUp();
    throw error;
  });
  if (!isLive) {
    giveUp();
    return 'over';
  }
  let stopPrices = (): void => undefined;
  const stream = openResponse(() => {
    openStreams.delete(open);
    stopPrices();
    giveUp();
  });
  const open: OpenStream = { sessionId: reader.sessionId, stream };
  openStreams.add(open);
  stream.send(...openingOf(subscription.missed !== undefined, subscription.lastId, reader.sinceId));
  take = (event) => deliver(db, open, event);
  for (const event of [...(subscription.missed ?? []), ...early]) take(event);
  stopPrices = priceFeed.add({
    symbols: reader.symbols,
    isReady: () => stream.waitingBytes() < waitingMax / 4,
    send: (batch) => stream.send('prices', batch),
  });
  priceFeed.poll();
  return 'open';
}

async function isSessionLive({ db, events }: Context, sessionId: string): Promise<boolean> {
  await events.isListening(connectWaitMs);
  return (await liveSessions(db, [sessionId])).has(sessionId);
}

function deliver(db: Db, open: OpenStream, { id, topic, data }: StoredEvent): void {
  if (topic === 'session' && data['ended'] === open.sessionId) {
    finish(open);
    return;
  }
  // Other sessions get a notice that the list changed, without the session that ended.
  open.stream.send(topic, topic === 'session' ? {} : data, id);
  // The session may have ended during the gap.
  if (topic === 'resync') void endDead(db, [open]).catch(() => undefined);
}

function finish({ stream }: OpenStream): void {
  stream.send('session', { ended: true });
  stream.end();
}

async function endDead(db: Db, streams: readonly OpenStream[]): Promise<void> {
  const live = await liveSessions(
    db,
    streams.map(({ sessionId }) => sessionId),
  );
  for (const each of streams) if (!live.has(each.sessionId)) finish(each);
}

/** A resumed stream continues from the client's last id: missed events carry their own ids. */
function openingOf(isResumed: boolean, lastId: string, sinceId: string | undefined): [string, object, string?] {
  if (isResumed) return ['ready', { resumed: true }];
  return [sinceId === undefined ? 'ready' : 'resync', { resumed: false }, lastId];
}
