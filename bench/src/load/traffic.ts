import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { randomStream } from '../../data/random.ts';
import { poissonArrivals } from '../api/openLoop.ts';
import type { LoadUser, Population } from './population.ts';

/** Requests and event streams of pages. A client goes to the next web node when one does not respond, as a balancer does. */

const RESPONSE_MS = 10_000;
const RECONNECT_MS = 500;
/** Streams are opened this many at a time, as after a deployment, not in one instant. */
const OPENED_AT_ONCE = 25;

export interface Read {
  path: string;
  /** `performance.now()` at which it was due, and ms from then to its last byte. */
  dueMs: number;
  latencyMs: number;
  /** 0: no web node responded. */
  status: number;
}

/** Reads of pages and their shares of all. */
const pathsOf = (symbol: string): readonly [share: number, path: string][] => [
  [0.4, `/api/price/batch?symbols=${symbol}`],
  [0.25, '/api/positions'],
  [0.25, `/api/klines?symbol=${symbol}&interval=1h&limit=500`],
  [0.1, '/api/preferences'],
];

export interface Client {
  urls: readonly string[];
  /** One request. Repeats on the next web node after a connection error or 503. */
  request: (
    at: number,
    path: string,
    init: { headers: Record<string, string>; body?: object },
  ) => Promise<{ status: number; text: string }>;
}

export function createClient(urls: readonly string[]): Client {
  async function once(url: string, { headers, body }: Parameters<Client['request']>[2]) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...json, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(RESPONSE_MS),
    });
    return { status: response.status, text: await response.text() };
  }
  return {
    urls,
    async request(at, path, init) {
      let last = { status: 0, text: '' };
      for (let turn = 0; turn < urls.length; turn++) {
        const url = urls[(at + turn) % urls.length] ?? '';
        last = await once(`${url}${path}`, init).catch((error: unknown) => ({ status: 0, text: String(error) }));
        if (last.status !== 0 && last.status !== 503) return last;
      }
      return last;
    },
  };
}

/** Starts reads when they are due, whatever is still pending, and charges the wait to the product. */
export async function readPages(
  client: Client,
  { users, symbols }: Population,
  { ratePerS, durationMs, seed }: { ratePerS: number; durationMs: number; seed: number },
): Promise<Read[]> {
  const random = randomStream(seed);
  const reads: Read[] = [];
  const running = new Set<Promise<void>>();
  const startMs = performance.now();
  for (const [at, arrivalMs] of poissonArrivals({ ratePerS, durationMs, seed }).entries()) {
    const dueMs = startMs + arrivalMs;
    const leftMs = dueMs - performance.now();
    if (leftMs > 0) await pause(leftMs);
    const user = users[Math.floor(random() * users.length)];
    const symbol = symbols[Math.floor(random() * symbols.length)] ?? 'BTCUSDT';
    let share = random();
    const [, path = ''] = pathsOf(symbol).find(([each]) => (share -= each) < 0) ?? [];
    if (user === undefined) continue;
    const request = client.request(at, path, { headers: user.headers }).then(({ status }) => {
      const latencyMs = performance.now() - dueMs;
      reads.push({ path: path.split('?')[0] ?? '', dueMs, latencyMs, status });
    });
    running.add(request);
    void request.finally(() => running.delete(request));
  }
  await Promise.all(running);
  return reads;
}

/** Starts scans; a careful client repeats one with the same key until it gets its id. @returns their ids */
export async function startScans(
  client: Client,
  { scanners }: Population,
  { ratePerS, durationMs, seed }: { ratePerS: number; durationMs: number; seed: number },
): Promise<string[]> {
  const ids: string[] = [];
  const running: Promise<void>[] = [];
  const startMs = performance.now();
  async function order({ headers }: LoadUser, at: number): Promise<void> {
    for (let turn = 0; turn < 60; turn++) {
      const init = { body: {}, headers: { ...headers, 'idempotency-key': `load-${at}` } };
      const { status, text } = await client.request(at + turn, '/api/scan', init);
      if (status === 202) return void ids.push((JSON.parse(text) as { scan_id: string }).scan_id);
      await pause(1000);
    }
  }
  for (const [at, arrivalMs] of poissonArrivals({ ratePerS, durationMs, seed }).entries()) {
    await pause(Math.max(0, startMs + arrivalMs - performance.now()));
    const user = scanners[at % scanners.length];
    if (user !== undefined) running.push(order(user, at));
  }
  await Promise.all(running);
  return ids;
}

export interface StreamFigures {
  open: number;
  events: number;
  resyncs: number;
  reconnects: number;
}

/** Open pages that reconnect as a browser does, with the id of the last event. */
export async function openStreams(
  { urls }: Client,
  users: readonly LoadUser[],
): Promise<{ figures: StreamFigures; close: () => void }> {
  const figures: StreamFigures = { open: 0, events: 0, resyncs: 0, reconnects: 0 };
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  let isClosed = false;
  function open({ headers }: LoadUser, at: number, lastId: string | undefined, onOpen: () => void): void {
    let id = lastId;
    let rest = '';
    let isEnded = false;
    const resume = id === undefined ? {} : { 'last-event-id': id };
    const sent = get(`${urls[at % urls.length] ?? ''}/api/events`, { agent, headers: { ...headers, ...resume } });
    const again = (wasOpen: boolean): void => {
      if (isEnded) return;
      isEnded = true;
      if (wasOpen) figures.open -= 1;
      if (isClosed) return;
      figures.reconnects += 1;
      setTimeout(() => open({ headers, id: '' }, at + 1, id, onOpen), RECONNECT_MS).unref();
    };
    sent.on('error', () => again(false));
    sent.on('response', (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        again(false);
        return;
      }
      figures.open += 1;
      onOpen();
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line.startsWith('event: ')) figures.events += 1;
          if (line === 'event: resync') figures.resyncs += 1;
          if (line.startsWith('id: ')) id = line.slice('id: '.length);
        }
      });
      response.on('close', () => again(true));
      response.on('error', () => again(true));
    });
  }
  for (let from = 0; from < users.length; from += OPENED_AT_ONCE) {
    const batch = users.slice(from, from + OPENED_AT_ONCE);
    await Promise.all(
      batch.map((user, at) => new Promise<void>((resolve) => open(user, from + at, undefined, resolve))),
    );
  }
  figures.reconnects = 0;
  return {
    figures,
    close() {
      isClosed = true;
      agent.destroy();
    },
  };
}
