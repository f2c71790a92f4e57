import type { Candle } from '../market/seededMarket.ts';
import type { Listing } from '../market/venues.ts';
import { candleRow, funding, intervalNames, mark, ticker } from './rest.ts';
import { intervalMs, type Wire } from '../wire.ts';
import { parsed, type Reaction, type Session, type StreamDialect, type Topic } from '../streams/streamWire.ts';

/**
 * OKX v5 streams: `{"op":"subscribe","args":[{channel, instId}]}`, one response per argument; the response to the text `ping` is `pong`.
 * Candles are on /business, everything else on /public. Source: OKX's public API documentation.
 */
const publicPath = '/ws/v5/public';
const connId = 'a4d3ae55';
/** Subscriptions per connection and hour. */
const requestsPerHour = 480;

interface Arg {
  channel: string;
  instId: string;
}
const isArg = (value: unknown): value is Arg =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Arg).channel === 'string' &&
  typeof (value as Arg).instId === 'string';

const nameOf = ({ channel, instId }: Arg): string => `${channel} ${instId}`;

const states: Record<string, { everyMs: number; one: (wire: Wire, shown: Listing) => object }> = {
  tickers: { everyMs: 1000, one: ticker },
  'mark-price': { everyMs: 3000, one: mark },
  'funding-rate': { everyMs: 60_000, one: funding },
};

function topicOf(wire: Wire, path: string, { channel, instId }: Arg): Topic | undefined {
  const listing = wire.listings.get(instId);
  if (listing === undefined) return undefined;
  const name = nameOf({ channel, instId });
  const state = states[channel];
  if (state !== undefined && path === publicPath) {
    const frames: (Topic & { kind: 'state' })['first'] = (now, foreign) => [
      { arg: { channel, instId }, data: [state.one(now, foreign(listing))] },
    ];
    return { name, kind: 'state', listing, everyMs: state.everyMs, first: frames, next: frames };
  }
  const interval = channel.startsWith('candle') ? intervalNames[channel.slice('candle'.length)] : undefined;
  if (interval === undefined || path === publicPath) return undefined;
  return { name, kind: 'candle', listing, interval };
}

const requestCounts = new WeakMap<Session, number>();

function react(session: Session, text: string): Reaction {
  if (text === 'ping') return { replies: ['pong'] };
  const body = parsed(text);
  const id = body?.['id'];
  const fail = (code: string, msg: string): string => JSON.stringify({ id, event: 'error', code, msg, connId });
  if (body === undefined) return { replies: [fail('60012', 'Illegal request')] };
  const count = (requestCounts.get(session) ?? 0) + 1;
  requestCounts.set(session, count);
  if (count > requestsPerHour) return { replies: [fail('60014', 'Requests too frequent')] };
  const args = Array.isArray(body['args']) ? (body['args'] as unknown[]).filter(isArg) : [];
  const op = body['op'];
  if (op === 'unsubscribe') {
    return {
      replies: args.map((arg) => JSON.stringify({ id, event: 'unsubscribe', arg, connId })),
      unsubscribe: args.map(nameOf),
    };
  }
  if (op !== 'subscribe') return { replies: [fail('60012', 'Illegal request')] };
  if (session.isRejecting && session.rejectionForm === 'connectionCount') {
    const responses = args.flatMap(({ channel, instId }) => [
      JSON.stringify({ id, event: 'subscribe', arg: { channel, instId }, connId }),
      JSON.stringify({ event: 'channel-conn-count-error', channel, connCount: '30', connId }),
    ]);
    return { replies: responses };
  }
  const topics: Topic[] = [];
  const responses = args.map((arg) => {
    const topic = session.isRejecting ? undefined : topicOf(session.wire, session.path, arg);
    const text = `channel:${arg.channel},instId:${arg.instId} doesn't exist`;
    if (topic === undefined) return fail('60018', `Wrong URL or ${text}`);
    topics.push(topic);
    return JSON.stringify({ id, event: 'subscribe', arg: { channel: arg.channel, instId: arg.instId }, connId });
  });
  return { replies: responses, subscribe: topics };
}

function candle(
  wire: Wire,
  { name, interval }: Topic & { kind: 'candle' },
  shown: Listing,
  bar: Candle,
  isClosed: boolean,
): object {
  const [channel, instId] = name.split(' ');
  const row = candleRow(wire, shown, bar, intervalMs[interval] as number);
  return { arg: { channel, instId }, data: [[...row.slice(0, 8), isClosed ? '1' : '0']] };
}

export const okxStreams: StreamDialect = {
  venue: 'okx',
  paths: [publicPath, '/ws/v5/business'],
  react,
  candle,
  messagesPerSecond: 50,
  quietMsMax: 30_000,
};
