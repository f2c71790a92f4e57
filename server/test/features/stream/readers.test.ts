// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClosedBar, ExchangeId } from '../../../src/features/market/port.ts';
import { CandleEvents } from '../../../src/features/stream/candleEvents.ts';
import type { StreamKind } from '../../../src/features/stream/contract.ts';
import { Readers } from '../../../src/features/stream/readers.ts';
import type { ReplayedEvent } from '../../../src/features/stream/replay.ts';
import type { Outcome } from '../../../src/platform/errors.ts';
import type { Transport } from '../../../src/features/stream/transports.ts';

/** 64 KiB may be buffered per connection; the event that exceeds the limit is written too. */
const waitingBytesMax = 64 * 1024 + 512;
const slowMs = 30_000;

let nowMs = Date.UTC(2026, 2, 14, 10);
let report: (exchange: ExchangeId, bar: ClosedBar) => void = () => undefined;
let events: CandleEvents;
let readers: Readers;
const failures: unknown[] = [];
/** Result of a replay, set by the test. */
let replayed: (sinceMs: number, signal: AbortSignal) => Promise<ReplayedEvent[] | undefined> = () =>
  Promise.resolve(undefined);

/** Result of the signal of each candle. */
let computed: Outcome<unknown>[] = [];

beforeEach(() => {
  computed = [];
  events = new CandleEvents({
    market: {
      onCandle: (listener) => {
        report = listener;
        return () => undefined;
      },
      keep: () => () => undefined,
    },
    mode: 'simulated',
    signals: { computeBatch: (requests) => Promise.resolve(requests.map(() => computed[0]) as never) },
    now: () => nowMs,
    onError: (error) => failures.push(error),
  });
  readers = makeReaders();
});

const makeReaders = (replayWaitMs?: number): Readers =>
  new Readers({
    events,
    priceFeed: { add: () => () => undefined, poll: () => undefined } as never,
    replay: (_keys, { sinceMs, signal }) => replayed(sinceMs, signal),
    ...(replayWaitMs === undefined ? {} : { replayWaitMs }),
    nowMs: () => nowMs,
    onError: (error) => failures.push(error),
  });
afterEach(() => {
  readers.endAll();
  events.close();
  expect(failures).toEqual([]);
});

/** A connection whose other side reads when the test says so. */
class TestTransport implements Transport {
  readonly sent: { event: string; data: { volume?: number; reason?: string }; id: string | undefined }[] = [];
  waiting = 0;
  waitingMost = 0;
  isEnded = false;
  readonly #isQuick: boolean;

  constructor(isQuick: boolean) {
    this.#isQuick = isQuick;
  }
  send(event: string, data: string, id?: string): void {
    this.sent.push({ event, data: JSON.parse(data) as { volume?: number }, id });
    if (this.#isQuick) return;
    this.waiting += event.length + data.length + (id?.length ?? 0);
    this.waitingMost = Math.max(this.waitingMost, this.waiting);
  }
  waitingBytes(): number {
    return this.waiting;
  }
  beat(): boolean {
    return true;
  }
  end(): void {
    this.isEnded = true;
  }
  volumes(): number[] {
    return this.sent.filter(({ event }) => event === 'candle').map(({ data }) => data.volume ?? NaN);
  }
}

function open(isQuick: boolean, sinceId?: string, userId = 'anna', kinds: readonly StreamKind[] = ['candles']) {
  const transport = new TestTransport(isQuick);
  const request = { userId, symbols: ['BTCUSDT'], intervals: ['1m'], kinds, sinceId };
  const slot = readers.enter({ ...request, isAllowed: () => Promise.resolve(true) }, () => undefined);
  if (slot === undefined) throw new Error('the node has no room');
  slot.open(transport);
  return { transport, place: slot };
}

/** Closes `count` candles at once, numbered by their volume. */
async function closeMany(from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at += 1) {
    const time = Math.floor(nowMs / intervalMs['1m']) * intervalMs['1m'];
    report('binance', { symbol: 'BTCUSDT', interval: '1m', time, open: 1, high: 2, low: 1, close: 2, volume: at });
  }
  await turn();
}
const numbers = (from: number, count: number) => Array.from({ length: count }, (_each, at) => from + at);

describe('a reader that does not read', () => {
  it('is cut when an event has waited for it 30 s, with a last event, and does not affect others', async () => {
    const slow = open(false);
    const quick = open(true);
    await closeMany(0, 5000);
    expect(quick.transport.volumes()).toEqual(numbers(0, 5000));
    // Five thousand events are 800 KiB: what it has not read stays in the list shared by all readers.
    expect(slow.transport.waitingMost).toBeGreaterThan(60 * 1024);
    expect(slow.transport.waitingMost).toBeLessThan(waitingBytesMax);
    const got = slow.transport.volumes();
    expect(got).toEqual(numbers(0, got.length));
    expect(got.length).toBeLessThan(5000);

    nowMs += slowMs;
    await closeMany(5000, 10);
    await readers.checkReaders();
    expect(slow.transport.isEnded).toBe(false);
    expect(slow.transport.volumes()).toEqual(got);
    nowMs += 1;
    await readers.checkReaders();
    expect(slow.transport.isEnded).toBe(true);
    const last = slow.transport.sent.at(-1);
    expect(last).toMatchObject({ event: 'end', data: { reason: 'slow_reader' } });
    await closeMany(5010, 1);
    expect(slow.transport.sent.at(-1)).toBe(last);
    expect(quick.transport.isEnded).toBe(false);
    expect(quick.transport.volumes()).toHaveLength(5011);

    // The id of its last event resumes without a loss.
    const again = open(true, last?.id);
    expect(again.transport.sent[0]).toMatchObject({ event: 'ready', data: { resumed: true } });
    expect(again.transport.volumes()).toEqual(numbers(got.length, 5011 - got.length));
  });

  it('stays when it has read everything within 30 s, and gets what waited for it', async () => {
    const { transport, place } = open(false);
    await closeMany(0, 1000);
    const before = transport.volumes().length;
    expect(before).toBeLessThan(1000);
    nowMs += slowMs - 1;
    while (transport.volumes().length < 1000) {
      transport.waiting = 0;
      place.drain();
    }
    transport.waiting = 0;
    nowMs += slowMs * 10;
    await readers.checkReaders();
    expect(transport.isEnded).toBe(false);
    expect(transport.volumes()).toEqual(numbers(0, 1000));
  });

  it('is cut at once when events it has not read are no longer stored', async () => {
    const { transport } = open(false);
    // The list of a node holds 25,000 events, and is trimmed from 27,500 on.
    for (let at = 0; at < 28_000; at += 4000) await closeMany(at, 4000);
    expect(transport.isEnded).toBe(true);
    expect(transport.sent.at(-1)).toMatchObject({ event: 'end', data: { reason: 'slow_reader' } });
    expect(transport.waitingMost).toBeLessThan(waitingBytesMax);
  });
});

describe('a reader that reconnects from another node', () => {
  const minute = (count: number): number => Math.floor(nowMs / 60_000) * 60_000 + count * 60_000;
  const candle = (volume: number, closeMs: number): ReplayedEvent => ({
    key: 'candles BTCUSDT 1m',
    event: 'candle',
    data: JSON.stringify({ volume }),
    closeMs,
  });
  const comes = (events: ReplayedEvent[], isQuick = true) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    replayed = async () => {
      await released;
      return events;
    };
    const opened = open(isQuick, `0123456789ab-7-${nowMs - 30_000}`);
    return {
      ...opened,
      read: async () => {
        release();
        await turn();
      },
    };
  };
  const closeOf = (volume: number, closeMs: number): void =>
    report('binance', {
      symbol: 'BTCUSDT',
      interval: '1m',
      time: closeMs - 60_000,
      open: 1,
      high: 2,
      low: 1,
      close: 2,
      volume,
    });

  it('gets what it missed before what happens meanwhile, and nothing twice', async () => {
    const { transport, read } = comes([candle(1, minute(-1)), candle(2, minute(0))]);
    // While its candles are read, the newest of them is published here too, and another one.
    closeOf(2, minute(0));
    closeOf(3, minute(1));
    await turn();
    expect(transport.sent).toEqual([]);
    await read();
    expect(transport.sent[0]).toMatchObject({ event: 'ready', data: { resumed: true } });
    expect(transport.volumes()).toEqual([1, 2, 3]);
    closeOf(4, minute(2));
    await turn();
    expect(transport.volumes()).toEqual([1, 2, 3, 4]);
    // A break in the middle of it starts where this one started.
    const ids = transport.sent.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(Array(3).fill(`0123456789ab-7-${nowMs - 30_000}`));
    expect(new Set(ids.slice(2)).size).toBe(3);
  });

  it('is sent only as much as it takes, and is cut when it takes nothing for 30 s', async () => {
    const many = Array.from({ length: 3000 }, (_each, at) => candle(at, minute(0)));
    const { transport, read, place } = comes(many, false);
    await read();
    expect(transport.waitingMost).toBeLessThan(waitingBytesMax);
    const first = transport.volumes().length;
    expect(first).toBeLessThan(3000);
    transport.waiting = 0;
    place.drain();
    expect(transport.volumes().length).toBeGreaterThan(first);
    nowMs += slowMs + 1;
    await readers.checkReaders();
    expect(transport.sent.at(-1)).toMatchObject({ event: 'end', data: { reason: 'slow_reader' } });
    // Its position is still the one it connected with: unsent events are not skipped.
    expect(transport.sent.at(-1)?.id).toMatch(/^0123456789ab-7-/);
  });

  it('gets a resync when the replay fails, or the break was longer than ten minutes and the two that a mark may be old', async () => {
    replayed = () => Promise.resolve(undefined);
    const failing = open(true, `0123456789ab-7-${nowMs - 30_000}`);
    await turn();
    expect(failing.transport.sent.map(({ event }) => event)).toEqual(['resync']);
    replayed = () => Promise.reject(new Error('the exchange is away'));
    const rejected = open(true, `0123456789ab-7-${nowMs - 30_000}`);
    await turn();
    expect(rejected.transport.sent.map(({ event }) => event)).toEqual(['resync']);
    expect(failures.splice(0)).toHaveLength(1);
    const late = open(true, `0123456789ab-7-${nowMs - 720_001}`);
    expect(late.transport.sent.map(({ event }) => event)).toEqual(['resync']);
    const future = open(true, `0123456789ab-7-${nowMs + 1}`);
    expect(future.transport.sent.map(({ event }) => event)).toEqual(['resync']);
  });
});

describe('readers that reconnect together', () => {
  const closeMs = (): number => Math.floor(nowMs / 60_000) * 60_000;
  const candle = (volume: number): ReplayedEvent => ({
    key: 'candles BTCUSDT 1m',
    event: 'candle',
    data: JSON.stringify({ volume }),
    closeMs: closeMs(),
  });
  /** Running replays: each ends when the test says so. */
  let underWay: { signal: AbortSignal; end: (events: ReplayedEvent[]) => void }[];
  beforeEach(() => {
    underWay = [];
    replayed = async (_sinceMs, signal) => {
      const done = Promise.withResolvers<ReplayedEvent[]>();
      const own = { signal, end: done.resolve };
      underWay.push(own);
      const events = await done.promise;
      underWay = underWay.filter((each) => each !== own);
      return events;
    };
  });
  const comeBack = (userId: string, isQuick = true) => open(isQuick, `0123456789ab-7-${nowMs - 30_000}`, userId);
  const names = ({ transport }: { transport: TestTransport }) => transport.sent.map(({ event }) => event);

  it('each get what they missed, eight at once: the ninth waits for its turn', async () => {
    const all = Array.from({ length: 50 }, (_each, at) => comeBack(`user ${at}`));
    await turn();
    let most = 0;
    while (underWay.length > 0) {
      most = Math.max(most, underWay.length);
      underWay[0]?.end([candle(1)]);
      await turn();
    }
    expect(most).toBe(8);
    for (const each of all) expect(names(each)).toEqual(['ready', 'candle']);
  });

  it('of one account get it one after the other, so that other accounts get a turn', async () => {
    const own = Array.from({ length: 9 }, () => comeBack('anna'));
    const other = comeBack('ben');
    await turn();
    expect(underWay).toHaveLength(2);
    underWay[1]?.end([candle(1)]);
    await turn();
    expect(names(other)).toEqual(['ready', 'candle']);
    for (let done = 1; done <= own.length; done += 1) {
      expect(underWay).toHaveLength(1);
      underWay[0]?.end([candle(1)]);
      await turn();
      expect(own.filter((each) => names(each).length > 0)).toHaveLength(done);
    }
  });

  it('keep their turn until they have taken everything', async () => {
    const slow = comeBack('anna', false);
    const next = comeBack('anna');
    await turn();
    underWay[0]?.end(Array.from({ length: 3000 }, (_each, at) => candle(at)));
    await turn();
    expect(underWay).toEqual([]);
    while (slow.transport.volumes().length < 3000) {
      slow.transport.waiting = 0;
      slow.place.drain();
    }
    await turn();
    expect(underWay).toHaveLength(1);
    underWay[0]?.end([candle(1)]);
    await turn();
    expect(names(next)).toEqual(['ready', 'candle']);
  });

  it('cost nothing more when they leave: a running read is aborted, a waiting one does not start', async () => {
    const [first, second] = [comeBack('anna'), comeBack('anna')];
    await turn();
    second.place.leave();
    first.place.leave();
    expect(underWay.map(({ signal }) => signal.aborted)).toEqual([true]);
    const third = comeBack('anna');
    await turn();
    // The aborted read holds its slot until it has stopped.
    expect(underWay).toHaveLength(1);
    underWay[0]?.end([]);
    await turn();
    expect(underWay.map(({ signal }) => signal.aborted)).toEqual([false]);
    underWay[0]?.end([candle(1)]);
    await turn();
    expect([names(first), names(second), names(third)]).toEqual([[], [], ['ready', 'candle']]);
  });

  it('get a resync when their turn does not come in time', async () => {
    readers = makeReaders(1);
    const [first, second] = [comeBack('anna'), comeBack('anna')];
    while (names(second).length === 0) await delay(1);
    expect([names(first), names(second)]).toEqual([[], ['resync']]);
    first.place.leave();
    underWay[0]?.end([]);
    await turn();
  });

  it('get no heartbeat before their first event', async () => {
    const { transport } = comeBack('anna');
    await turn();
    nowMs += 20_000;
    await readers.checkReaders();
    expect(transport.sent).toEqual([]);
    underWay[0]?.end([candle(1)]);
    await turn();
    nowMs += 20_000;
    await readers.checkReaders();
    expect(names({ transport })).toEqual(['ready', 'candle', 'beat']);
  });
});

describe('a signal that a replay could not compute', () => {
  it('is sent when it is computed after all', async () => {
    const wire = { candle_close_at: new Date(Math.floor(nowMs / 60_000) * 60_000).toISOString() };
    computed = [ok({ wire })];
    const key = 'signals BTCUSDT 1m';
    const missed = { key, event: 'missed' as const, data: '{}', closeMs: Date.parse(wire.candle_close_at) };
    replayed = () => Promise.resolve([missed]);
    const { transport } = open(true, `0123456789ab-7-${nowMs - 30_000}`, 'anna', ['candles', 'signals']);
    await turn();
    const time = missed.closeMs - 60_000;
    report('binance', { symbol: 'BTCUSDT', interval: '1m', time, open: 1, high: 2, low: 1, close: 2, volume: 1 });
    while (transport.sent.length < 4) await turn();
    expect(transport.sent.map(({ event }) => event)).toEqual(['ready', 'missed', 'candle', 'signal']);
  });
});

describe('the mark of an id', () => {
  const markOf = (id: string | undefined): number => Number(id?.split('-')[2]);

  it('is the moment before the next candle that was not published', async () => {
    nowMs = Date.UTC(2026, 2, 14, 10, 30, 20);
    const { transport } = open(true);
    // The candle that closed 20 s ago may not have been published yet.
    expect(markOf(transport.sent[0]?.id)).toBe(Date.UTC(2026, 2, 14, 10, 30) - 1);
    const time = Date.UTC(2026, 2, 14, 10, 29);
    report('binance', { symbol: 'BTCUSDT', interval: '1m', time, open: 1, high: 2, low: 1, close: 2, volume: 1 });
    await turn();
    // The next one closes at 10:31, later than now.
    expect(markOf(transport.sent.at(-1)?.id)).toBe(nowMs);
  });

  it('does not wait longer than two minutes for a market that is halted', async () => {
    nowMs = Date.UTC(2026, 2, 14, 11, 0, 20);
    open(true);
    nowMs += 5 * 60_000;
    await closeMany(1, 0);
    const { transport } = open(true);
    expect(markOf(transport.sent[0]?.id)).toBe(nowMs - 120_000);
  });
});
