import { SextantError } from './errors.ts';
import {
  backoffMs,
  errorOf,
  failureOf,
  pause,
  queryOf,
  readRateLimit,
  type RequestConfig,
  withKey,
} from './request.ts';
import type { components, paths } from './schema.gen.ts';

type Interval = paths['/api/klines']['get']['parameters']['query']['interval'];
type Signal = paths['/api/futures-signal']['post']['responses'][200]['content']['application/json'];
type Prices = components['schemas']['PriceBatchResponse'];

export interface StreamOptions {
  /** 1 to 100 symbols. */
  symbols: readonly string[];
  /** 1h when absent. */
  intervals?: readonly Interval[];
  /** Signals when absent. */
  events?: readonly ('signals' | 'candles' | 'prices')[];
  /** Id of the last event you have, to continue after a restart of your program. */
  lastEventId?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
}

/** A candle that has just closed. */
export interface StreamedCandle {
  symbol: string;
  interval: Interval;
  candle_close_at: string;
  /** Open of the candle, epoch ms (UTC). */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** A signal that could not be computed. */
export interface StreamedMiss {
  symbol: string;
  interval: Interval;
  candle_close_at: string;
  code?: string;
}

/**
 * `ready` follows each connection. After `resync` events are missing: fetch what you need. `id` is what to pass as `lastEventId`;
 * prices have none.
 */
export type StreamEvent = { id: string | undefined } & (
  | { event: 'ready' | 'resync'; data: { resumed: boolean } }
  | { event: 'signal'; data: Signal & { market: 'simulated' | 'replay' | 'live' } }
  | { event: 'candle'; data: StreamedCandle }
  | { event: 'missed'; data: StreamedMiss }
  | { event: 'prices'; data: Prices }
);

/** The server sends something every 15 seconds: longer silence means that the connection is gone. */
const SILENCE_MS_MAX = 40_000;
/** Failures that pass: the stream connects again. */
const passing = new Set([429, 502, 503, 504]);

interface Message {
  id: string | undefined;
  event: string;
  data: unknown;
}

/**
 * Reads `/api/stream` and reconnects after each break, from the last id it has. Events that a server repeats are dropped.
 * @throws {SextantError} a failure that another connection does not change, e.g. a revoked key
 */
export async function* openStream(
  config: RequestConfig,
  options: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal } = options;
  let lastId = options.lastEventId;
  const isNew = createFilter();
  const isStopped = (): boolean => signal?.aborted === true;
  for (let failures = 0; !isStopped();) {
    let error: SextantError | undefined;
    try {
      for await (const message of readConnection(config, options, lastId)) {
        failures = 0;
        lastId = message.id ?? lastId;
        if (message.event === 'end') error = endOf(message.data);
        else if (message.event !== 'beat' && isNew(message)) yield message as StreamEvent;
      }
    } catch (caught) {
      if (isStopped()) return;
      error = caught as SextantError;
    }
    if (error !== undefined && !isPassing(error)) throw error;
    failures += 1;
    try {
      await pause(Math.max((error?.retryAfterS ?? 0) * 1000, backoffMs(failures)), signal);
    } catch {
      return;
    }
  }
}

const isPassing = ({ code, status }: SextantError): boolean =>
  code === 'network' || code === 'timeout' || passing.has(status ?? 0);

/** A stream whose key has ended cannot be resumed; one that was slow, or whose server stops, can. */
function endOf(data: unknown): SextantError | undefined {
  const { reason } = data as { reason: string };
  return reason === 'key_ended'
    ? new SextantError({ code: 'not_authenticated', message: 'The key of this stream has ended.', status: 401 })
    : undefined;
}

/** After a change of server an event may be repeated: candles of a series are passed on once, oldest first. */
function createFilter(): (message: Message) => boolean {
  const newest = new Map<string, string>();
  return ({ event, data }) => {
    if (event !== 'signal' && event !== 'candle') return true;
    const { symbol, interval, candle_close_at: closeAt } = data as StreamedCandle;
    const series = `${event} ${symbol} ${interval}`;
    if (closeAt <= (newest.get(series) ?? '')) return false;
    newest.set(series, closeAt);
    return true;
  };
}

/** The messages of one connection. Returns at its end. */
async function* readConnection(
  config: RequestConfig,
  { symbols, intervals, events, signal }: StreamOptions,
  lastId: string | undefined,
): AsyncGenerator<Message, void, undefined> {
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (lastId !== undefined) headers['last-event-id'] = lastId;
  const silence = new AbortController();
  const timeoutMs = SILENCE_MS_MAX;
  let timer = setTimeout(() => silence.abort(), timeoutMs);
  try {
    const response = await config.fetch(`${config.baseUrl}/api/stream${queryOf({ symbols, intervals, events })}`, {
      headers: withKey(config, headers),
      redirect: 'error',
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    });
    readRateLimit(config, response);
    if (!response.ok) throw await errorOf(response);
    for await (const text of blocksOf(response)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), timeoutMs);
      const message = messageOf(text);
      if (message !== undefined) yield message;
    }
  } catch (error) {
    throw failureOf(error, { signal, timeout: silence.signal, timeoutMs });
  } finally {
    clearTimeout(timer);
    // Ends the connection when the reader stops early.
    silence.abort();
  }
}

/** Blocks of a stream of server-sent events, which end at an empty line. */
async function* blocksOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    yield* blocks;
  }
}

/** Undefined for a comment. @throws {SextantError} when the data is not JSON */
function messageOf(block: string): Message | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'data' && fields.has(name)) fields.set(name, `${fields.get(name) ?? ''}\n${value}`);
    else if (name !== '') fields.set(name, value);
  }
  const [event, data] = [fields.get('event'), fields.get('data')];
  if (event === undefined || data === undefined) return undefined;
  try {
    return { id: fields.get('id'), event, data: JSON.parse(data) };
  } catch {
    throw new SextantError({ code: 'bad_response', message: 'An event of the stream is not JSON.' });
  }
}
