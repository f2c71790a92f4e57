import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AutoRunWire } from '../../../src/features/positions/runRepository.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type EventReader, listenOn, type ReadEvent, readEvents } from '../../support/readEvents.ts';
import { storeScan } from './support/scans.ts';

/** The position events of one user's stream arrive in the order in which they happened, over a reconnect too. */

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
let test: MarketApp;
let origin: string;
let anna: TestUser;
const readers: EventReader[] = [];
beforeAll(async () => {
  test = await createMarketApp();
  origin = await listenOn(test.app);
  anna = await test.signUp();
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
});

async function listen(lastId?: string): Promise<EventReader> {
  const resume = lastId === undefined ? {} : { 'last-event-id': lastId };
  let reader: EventReader | undefined;
  // One account has five streams at most, and a closed one frees its slot once the server has noticed.
  await expect
    .poll(async () => {
      reader = await readEvents(`${origin}/api/events`, { ...anna.bearer, ...resume });
      return reader.status;
    })
    .toBe(200);
  if (reader === undefined) throw new Error('there is no stream');
  const { events } = reader;
  readers.push(reader);
  await expect.poll(() => events.length).toBeGreaterThan(0);
  return reader;
}

async function openAndCloseAll(): Promise<string[]> {
  const prices = await Promise.all(
    symbols.map(async (symbol) => {
      const response = await test.app.inject({ url: `/api/price/batch?symbols=${symbol}`, headers: anna.bearer });
      return response.json<{ prices: { price: number }[] }>().prices[0]?.price ?? Number.NaN;
    }),
  );
  const given = symbols.map((symbol, at) => ({ symbol, price: prices[at] ?? Number.NaN, isApproved: true }));
  const scan_id = await storeScan({ db: test.deps.db, asOwner: test.database.asOwner }, anna.id, given);
  const opened = await test.app.inject({
    method: 'POST',
    url: '/api/positions/auto',
    headers: anna.bearer,
    payload: { scan_id },
  });
  const ids = opened.json<{ run: AutoRunWire }>().run.items.flatMap(({ position_id: id }) => (id === null ? [] : [id]));
  expect(ids).toHaveLength(symbols.length);
  // All at once: their transactions end in any order.
  const closed = await Promise.all(
    ids.map((id) => test.app.inject({ method: 'POST', url: `/api/positions/${id}/close`, headers: anna.bearer })),
  );
  expect(closed.map(({ statusCode }) => statusCode)).toEqual(ids.map(() => 200));
  return ids;
}

const changesOf = (events: readonly ReadEvent[], id: string): unknown[] =>
  events
    .filter(({ event, data }) => event === 'positions' && data['position_id'] === id)
    .map(({ data }) => data['change']);
const inOrder = ['opened', 'closed'];

it('opened comes before closed for each position, once each', async () => {
  const reader = await listen();
  const ids = await openAndCloseAll();
  for (const id of ids) await expect.poll(() => changesOf(reader.events, id)).toEqual(inOrder);
});

it('the same over a reconnect, at whichever event the page was cut off', async () => {
  const whole = await listen();
  const ids = await openAndCloseAll();
  for (const id of ids) await expect.poll(() => changesOf(whole.events, id)).toEqual(inOrder);
  const numbered = whole.events.filter(({ id }) => id !== undefined);
  expect(numbered.length).toBeGreaterThan(2 * symbols.length);
  for (const [at, { id: lastId }] of numbered.entries()) {
    const before = numbered.slice(0, at + 1);
    const after = await listen(lastId);
    expect(after.events[0]).toMatchObject({ event: 'ready', data: { resumed: true } });
    await expect
      .poll(() => ids.map((id) => changesOf([...before, ...after.events], id)))
      .toEqual(ids.map(() => inOrder));
    after.close();
  }
});
