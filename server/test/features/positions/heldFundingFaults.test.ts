import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePart } from '../../../src/features/positions/closePosition.ts';
import { createFundingCharger } from '../../../src/features/positions/watch/chargeFunding.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { openOne, until } from './support/positions.ts';
import { type Bar, randomPosition, symbols, truthOf, walk, type Wanted } from './support/replay.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from './support/scriptedMarket.ts';
import type { ChildMessage } from './support/watcherChild.ts';

/** Downtimes: 4 in the usual run, more with FUNDING_DOWNTIMES. */
const downtimes = Number(process.env['FUNDING_DOWNTIMES'] ?? 4);
const perSymbol = 12;
const minutes = 150 + downtimes * 60;
const start = 1_767_225_600_000;

let module: WebAssembly.Module;
let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ module } = await loadModule());
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

type Bars = Record<string, Bar[]>;
type Fundings = Record<string, { time: number; rate: number }[]>;

async function spawnNode(bars: Bars, fundings: Fundings): Promise<ChildProcess> {
  const path = join(import.meta.dirname, 'support/watcherChild.ts');
  const child = fork(path, { env: { ...process.env, WATCH_DATABASE_URL: database.serverUrl }, stdio: 'inherit' });
  children.push(child);
  child.on('error', () => undefined);
  await once(child, 'message');
  child.send({ kind: 'history', bars, fundings } satisfies ChildMessage);
  return child;
}

interface Fill {
  id: string;
  kind: string;
  /** Hundredths. */
  quantity: number;
  atMs: number;
}

/**
 * The plain reference: a position owes a settlement that lies after its first fill and before its last, on what its fills left open.
 * Amounts are whole hundred-millionths: hundredths of a coin x cents x ten-thousandths.
 */
function owed(fills: readonly Fill[], isLong: boolean, bars: readonly Bar[], stamps: Fundings[string]) {
  const isEntry = ({ kind }: Fill) => kind === 'open' || kind === 'add';
  const openedMs = Math.min(...fills.map(({ atMs }) => atMs));
  const endMs = fills.find(({ kind }) => kind === 'close')?.atMs ?? Infinity;
  return stamps.flatMap(({ time, rate }): [number, number][] => {
    if (!(openedMs < time && time < endMs)) return [];
    let open = 0;
    for (const fill of fills) {
      if (isEntry(fill) && fill.atMs < time) open += fill.quantity;
      if (!isEntry(fill) && fill.atMs <= time) open -= fill.quantity;
    }
    const cents = Math.round((bars.find((bar) => bar.time === time)?.open ?? NaN) * 100);
    return [[time, (isLong ? 1 : -1) * open * cents * Math.round(rate * 10_000)]];
  });
}

/** What each position paid, by its events: settlement and hundred-millionths. */
async function paid(): Promise<Map<string, [number, number][]>> {
  const rows = await database.asOwner<{ id: string; at: Date; amount: string }>(
    `select position_id as id, at, data ->> 'amount' as amount from position_events where kind = 'funding' order by at, seq`,
  );
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => [
      id,
      own.map(({ at, amount }) => [at.getTime(), Math.round(Number(amount) * 1e8)]),
    ]),
  );
}

it(
  `POS-024 POS-025 ${downtimes} downtimes with killed nodes: each settlement that was held through is charged once`,
  async () => {
    const random = seededRandom(20261130);
    const bars: Bars = Object.fromEntries(symbols.map((symbol) => [symbol, walk(random, minutes)]));
    const fundings: Fundings = Object.fromEntries(
      symbols.map((symbol) => {
        const count = Math.floor(minutes / 60);
        const hours = Array.from({ length: count }, (_, hour) => start + hour * 60 * MINUTE_MS);
        const rate = () => (1 + Math.floor(random() * 9)) * (random() < 0.5 ? 1e-4 : -1e-4);
        return [symbol, hours.map((time) => ({ time, rate: rate() }))];
      }),
    );
    const pending: Wanted[] = [];
    const wanted: Wanted[] = [];
    for (const symbol of symbols) {
      for (let i = 0; i < perSymbol; i++) {
        const drawn = randomPosition(random, await database.addUser(), symbol, bars[symbol] ?? []);
        const targets = [0.5, 2].map((part) => ({
          price: Number((drawn.entryPrice + (drawn.targetPrice - drawn.entryPrice) * part).toFixed(2)),
          fraction: 0.5,
        }));
        const several = i % 3 === 0 ? { targets, targetPrice: targets[0]?.price ?? NaN } : {};
        pending.push({ id: '', position: { ...drawn, stepSize: 0.01, minNotional: 5, ...several } });
      }
    }
    const known: Bars = Object.fromEntries(symbols.map((symbol) => [symbol, []]));
    const market = new ScriptedMarket();
    for (const symbol of symbols) market.fundings.set(symbol, fundings[symbol] ?? []);
    const free = { db: database.db, market, config: simulated, assertLeader: () => Promise.resolve() };
    let charge = createFundingCharger(free);
    const touched = new Set<string>();
    let node: ChildProcess | undefined;
    let minute = 0;
    const advance = async (count: number): Promise<void> => {
      for (let i = 0; i < count && minute < minutes; i++, minute++) {
        const nowMs = start + (minute + 1) * MINUTE_MS;
        for (const symbol of symbols) {
          const bar = bars[symbol]?.[minute] as Bar;
          known[symbol]?.push(bar);
          market.bars.set(symbol, known[symbol] ?? []);
          if (node?.connected) node.send({ kind: 'bar', symbol, bar } satisfies ChildMessage);
        }
        for (const each of pending.filter(({ position }) => position.openedAtMs < nowMs)) {
          pending.splice(pending.indexOf(each), 1);
          wanted.push({ ...each, id: await openOne(database, each.position) });
        }
      }
    };
    const nowMs = () => start + minute * MINUTE_MS;
    const closeSome = async (): Promise<void> => {
      const drawn = wanted[Math.floor(random() * wanted.length)];
      if (drawn === undefined) return;
      const { id, position } = drawn;
      const price = bars[position.symbol]?.[minute - 1]?.close ?? 100;
      const body = random() < 0.5 ? { quantity: 0.5 } : {};
      const fill = { price, atMs: nowMs(), role: 'taker' as const, orderId: null, market: null };
      const quote = { last: price, mark: null, bid: null, ask: null };
      const part = { userId: position.userId, id, body, quote, fill };
      const done = await withSystem(database.db, (tx) => closePart(tx, part));
      if (done.ok) touched.add(id);
    };
    await advance(40);
    for (let down = 0; down <= downtimes; down++) {
      node = await spawnNode(known, fundings);
      await advance(5 + Math.floor(random() * 25));
      // While the watch catches up, the settlements become known, and owners close.
      await Promise.all([charge(nowMs()), pause(random() * 400)]);
      await closeSome();
      await charge(nowMs());
      await pause(random() * 400);
      node.kill('SIGKILL');
      node = undefined;
      if (random() < 0.5) charge = createFundingCharger(free);
      await advance(20 + Math.floor(random() * 60));
      if (random() < 0.5) await closeSome();
      await charge(nowMs());
    }
    await advance(minutes);
    node = await spawnNode(known, fundings);
    const waiting = `select 1 from positions p left join position_watch w using (exchange, symbol)
      where p.closed_at is null and coalesce(w.next_candle_at, 'epoch') < $1`;
    const last = new Date(nowMs());
    await until('every candle is judged', async () => (await database.asOwner(waiting, [last])).length === 0, 60_000);
    for (const laterMs of [0, 3, 4, 5]) await charge(nowMs() + laterMs * 60 * MINUTE_MS);
    const fills = await database.asOwner<Fill & Record<string, unknown>>(
      `select position_id as id, kind, (quantity * 100)::int as quantity, extract(epoch from at) * 1000 as at from position_fills`,
    );
    const byId = Map.groupBy(
      fills.map((fill) => ({ ...fill, atMs: Math.round(Number(fill['at'])) })),
      ({ id }) => id,
    );
    const payments = await paid();
    const expected = wanted.map(({ id, position: { side, symbol } }) =>
      owed(byId.get(id) ?? [], side === 'LONG', bars[symbol] ?? [], fundings[symbol] ?? []),
    );
    expect(wanted.map(({ id }) => payments.get(id) ?? [])).toEqual(expected);
    const rows = await database.asOwner<{ id: string; funding: string; closed_at: Date | null }>(
      'select id, funding, closed_at from positions',
    );
    const sums = new Map(rows.map(({ id, funding }) => [id, Math.round(Number(funding) * 1e8)]));
    expect(wanted.map(({ id }) => sums.get(id))).toEqual(
      expected.map((own) => own.reduce((sum, [, amount]) => sum + amount, 0)),
    );
    // The candles alone decide when a position closes that its owner left alone.
    const closed = new Map(rows.map(({ id, closed_at: at }) => [id, at?.getTime() ?? null]));
    const alone = wanted.filter(({ id, position }) => !touched.has(id) && position.targets === undefined);
    expect(alone.map(({ id }) => closed.get(id))).toEqual(
      alone.map(({ position }) => truthOf(module, position, bars[position.symbol] ?? []).atMs),
    );
    const charges = expected.flat().length;
    process.stdout.write(`downtimes ${downtimes}, positions ${wanted.length}, settlements charged ${charges}\n`);
    expect(charges).toBeGreaterThan(wanted.length / 2);
  },
  180_000 + downtimes * 20_000,
);
