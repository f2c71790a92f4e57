import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventConnection } from '../../src/api/eventConnection.ts';

/** The other end of the connections that were opened, newest last. */
class FakeSource {
  readonly path: string;
  isClosed = false;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();
  constructor(path: string) {
    this.path = path;
  }
  addEventListener(name: string, listener: (event: MessageEvent<string>) => void): void {
    this.#listeners.set(name, listener);
  }
  close(): void {
    this.isClosed = true;
  }
  say(name: string, data: object = {}, lastEventId = ''): void {
    this.#listeners.get(name)?.({ data: JSON.stringify(data), lastEventId } as MessageEvent<string>);
  }
}

let sources: FakeSource[];
let received: string[];
let lives: boolean[];
const newest = () => sources.at(-1)!;
function connection(startId?: string) {
  return createEventConnection({
    ...(startId === undefined ? {} : { startId }),
    openSource: (path) => {
      const source = new FakeSource(path);
      sources.push(source);
      return source;
    },
    names: ['ready', 'credits'],
    onEvent: (name) => received.push(name),
    onLive: (isLive) => lives.push(isLive),
  });
}
beforeEach(() => {
  vi.useFakeTimers();
  [sources, received, lives] = [[], [], []];
});
afterEach(() => vi.useRealTimers());

describe('the connection for events', () => {
  it('requests its symbols, each once, and resumes after the last event received', () => {
    const { open } = connection();
    open(['ETHUSDT', 'BTCUSDT', 'ETHUSDT']);
    expect(newest().path).toBe('/api/events?symbols=BTCUSDT%2CETHUSDT');
    newest().say('ready', {}, 'a-1');
    newest().say('credits', {}, 'a-2');
    newest().say('credits');
    open(['BTCUSDT']);
    expect(sources[0]?.isClosed).toBe(true);
    expect(newest().path).toBe('/api/events?symbols=BTCUSDT&last_event_id=a-2');
    expect(received).toEqual(['ready', 'credits', 'credits']);
  });

  it('starts at the event before the first fetch of the page, and keeps that position until there is an event', () => {
    const { open } = connection('a-7');
    open([]);
    expect(newest().path).toBe('/api/events?last_event_id=a-7');
    newest().say('ready', { resumed: true });
    open(['BTCUSDT']);
    expect(newest().path).toBe('/api/events?symbols=BTCUSDT&last_event_id=a-7');
    newest().say('credits', {}, 'a-8');
    open([]);
    expect(newest().path).toBe('/api/events?last_event_id=a-8');
  });

  it('is unchanged when the same symbols are requested again', () => {
    const { open } = connection();
    open(['A', 'B']);
    open(['B', 'A']);
    expect(sources).toHaveLength(1);
  });

  it('comes back after a failure, later each time, and soon again once it has received an event', () => {
    connection().open([]);
    for (const delayMs of [1000, 1500, 2250, 3375, 5062.5, 7593.75, 7593.75]) {
      const before = sources.length;
      newest().say('error');
      vi.advanceTimersByTime(Math.floor(delayMs) - 1);
      expect(sources).toHaveLength(before);
      vi.advanceTimersByTime(2);
      expect(sources).toHaveLength(before + 1);
    }
    newest().say('ready');
    newest().say('error');
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(9);
    expect(lives.at(-1)).toBe(false);
  });

  it('ignores events of a closed connection', () => {
    const { open, close } = connection();
    open([]);
    const left = newest();
    open(['A']);
    left.say('credits', {}, 'a-9');
    left.say('error');
    expect(received).toEqual([]);
    close();
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(2);
    open(['A']);
    expect(newest().path).toBe('/api/events?symbols=A');
  });
});
