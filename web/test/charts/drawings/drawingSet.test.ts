import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '../../../src/api/failure.ts';
import { localOwner } from '../../../src/api/ownerId.ts';
import { createDrawing, type Drawing } from '../../../src/charts/drawings/drawing.ts';
import { DrawingSet, type DrawingsBackend, parseStored } from '../../../src/charts/drawings/drawingSet.ts';

const line = (price: number): Drawing => createDrawing('horizontal', [{ time: 0, price }]);
const at = (drawing: Drawing, price: number): Drawing => ({ ...drawing, anchors: [{ time: 0, price }] });

/** A server that holds drawings as the real one does. */
function fakeServer() {
  const state = { version: 0, drawings: [] as Drawing[], isDown: false, sent: [] as number[] };
  const unreachable = new ApiFailure({ code: 'unreachable', status: 0, message: 'down' });
  const backend: DrawingsBackend = {
    read: () =>
      state.isDown
        ? Promise.reject(unreachable)
        : Promise.resolve({ version: state.version, drawings: state.drawings }),
    change: (_symbol, { version, put, remove }) => {
      if (state.isDown) return Promise.reject(unreachable);
      if (put.some(({ text }) => text === 'bad'))
        return Promise.reject(new ApiFailure({ code: 'conflict', status: 409, message: 'Limit reached' }));
      state.sent.push(put.length + remove.length);
      const isOther = version !== state.version;
      const rest = state.drawings.filter(({ id }) => !remove.includes(id) && !put.some((each) => each.id === id));
      state.drawings = [...rest, ...put];
      state.version++;
      return Promise.resolve({ version: state.version, drawings: isOther ? state.drawings : null, overwritten: [] });
    },
  };
  return { state, backend };
}

beforeEach(() => {
  localOwner.id = 'anna';
  vi.useFakeTimers();
});
afterEach(() => {
  localOwner.id = '';
  vi.useRealTimers();
});

const prices = (set: DrawingSet) => set.store.current.list.map(({ anchors }) => anchors[0]?.price);

describe('undo', () => {
  it('DESK-097 goes back and forth over adding, changing and deleting', () => {
    const set = new DrawingSet('UNDO1USDT', fakeServer().backend);
    const [first, second] = [line(1), line(2)];
    set.put(first);
    set.put(second);
    set.put(at(first, 5));
    set.remove(second.id);
    expect(prices(set)).toEqual([5]);
    const seen: unknown[] = [];
    while (set.store.current.canUndo) {
      set.undo();
      seen.push(prices(set));
    }
    expect(seen).toEqual([[5, 2], [1, 2], [1], []]);
    while (set.store.current.canRedo) set.redo();
    expect(prices(set)).toEqual([5]);
    set.undo();
    set.put(line(9));
    expect(set.store.current.canRedo).toBe(false);
    set.stop();
  });

  it('DESK-097 leaves what another page changed', async () => {
    const { state, backend } = fakeServer();
    const set = new DrawingSet('UNDO2USDT', backend);
    const own = line(1);
    set.put(own);
    await set.send();
    state.drawings = [...state.drawings, line(7)];
    state.version++;
    await set.load();
    set.put(at(own, 2));
    set.undo();
    expect(prices(set)).toEqual([1, 7]);
    set.stop();
  });
});

describe('sending', () => {
  it('DESK-098 drawings of an offline page are stored here and sent when the server responds', async () => {
    const { state, backend } = fakeServer();
    state.isDown = true;
    const set = new DrawingSet('OFF1USDT', backend);
    set.put(line(1), line(2));
    await set.send();
    expect(set.store.current).toMatchObject({ waitingCount: 2, isOffline: true });
    set.put(line(3));
    state.isDown = false;
    await vi.advanceTimersByTimeAsync(0);
    await set.send();
    expect(set.store.current).toMatchObject({ waitingCount: 0, isOffline: false });
    expect(state.drawings.map(({ anchors }) => anchors[0]?.price)).toEqual([1, 2, 3]);
  });

  it('DESK-098 a retry follows by itself', async () => {
    const { state, backend } = fakeServer();
    state.isDown = true;
    const set = new DrawingSet('OFF2USDT', backend);
    set.put(line(1));
    await vi.advanceTimersByTimeAsync(600);
    expect(set.store.current.isOffline).toBe(true);
    state.isDown = false;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(set.store.current).toMatchObject({ waitingCount: 0, isOffline: false });
    expect(state.sent).toEqual([1]);
  });

  it('DESK-094 what another page drew is merged, and a waiting change stays', async () => {
    const { state, backend } = fakeServer();
    const set = new DrawingSet('MERGE1USDT', backend);
    const shared = line(1);
    set.put(shared);
    await set.send();
    state.drawings = [at(shared, 4), line(8)];
    state.version++;
    set.put(at(shared, 2));
    await set.load();
    expect(prices(set)).toEqual([2, 8]);
    await set.send();
    expect(state.drawings.map(({ anchors }) => anchors[0]?.price)).toEqual([8, 2]);
    set.stop();
  });

  it('DESK-093 a late response from before a change does not undo it', async () => {
    const { state, backend } = fakeServer();
    const set = new DrawingSet('LATE1USDT', backend);
    await set.load();
    const old = { version: state.version, drawings: state.drawings };
    set.put(line(1));
    await set.send();
    backend.read = () => Promise.resolve(old);
    await set.load();
    expect(prices(set)).toEqual([1]);
    set.stop();
  });

  it('DESK-093 a change during a request is sent after it', async () => {
    const { state, backend } = fakeServer();
    const set = new DrawingSet('BUSY1USDT', backend);
    const own = line(1);
    set.put(own);
    const sending = set.send();
    set.put(at(own, 2));
    await sending;
    expect(set.store.current.waitingCount).toBe(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(state.drawings.map(({ anchors }) => anchors[0]?.price)).toEqual([2]);
    set.stop();
  });

  it('DESK-095 many changes are sent in parts, and a rejected one gives way to the server', async () => {
    const { state, backend } = fakeServer();
    const set = new DrawingSet('MANY1USDT', backend);
    set.put(...Array.from({ length: 250 }, (_, i) => line(i + 1)));
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.sent).toEqual([100, 100, 50]);
    set.put({ ...line(999), text: 'bad' });
    await set.send();
    expect(set.store.current.list).toHaveLength(250);
    expect(set.store.current.waitingCount).toBe(0);
    set.stop();
  });
});

it('DESK-095 what this browser stored is read with care', () => {
  const none = { version: 0, list: [], pending: [] };
  for (const text of [
    null,
    '',
    '{',
    '[]',
    '{"version":1}',
    '{"version":1,"list":[{}],"pending":[]}',
    '{"version":"1","list":[],"pending":[]}',
  ])
    expect(parseStored(text)).toEqual(none);
  const own = line(1);
  expect(parseStored(JSON.stringify({ version: 3, list: [own], pending: [own.id, 5] }))).toEqual({
    version: 3,
    list: [own],
    pending: [own.id],
  });
});

it('AUTH-043 what is on its way when the user changes is not shown, and sends and stores nothing any more', async () => {
  const { state, backend } = fakeServer();
  let respond: (() => void)[] = [];
  const held = <T>(value: () => Promise<T>): Promise<T> =>
    new Promise((done) => respond.push(() => done(value()))) as Promise<T>;
  const set = new DrawingSet('LATEUSDT', {
    read: (symbol) => held(() => backend.read(symbol)),
    change: (symbol, body) => held(() => backend.change(symbol, body)),
  });
  set.put(line(1));
  const loading = set.load();
  const sending = set.send();
  state.drawings = [line(7)];
  state.version = 3;
  set.stop();
  const before = respond;
  respond = [];
  before.forEach((done) => done());
  await Promise.all([loading, sending]);
  expect(prices(set)).toEqual([1]);
  await vi.advanceTimersByTimeAsync(60_000);
  await set.send();
  expect(respond).toEqual([]);

  const failing = new DrawingSet('LATE2USDT', { ...backend, change: () => Promise.reject(new Error('no')) });
  failing.put(line(2));
  const failed = failing.send();
  failing.stop();
  await failed;
  expect(failing.store.current.waitingCount).toBe(1);
});
