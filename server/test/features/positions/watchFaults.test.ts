import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { type BookPosition, CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import { PositionBook } from '@sextant/workers/src/positions/positionBook.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewPosition } from '../../../src/features/positions/eventWriter.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, openOne, until } from './support/positions.ts';
import { MINUTE_MS, type ScriptedMarket } from './support/scriptedMarket.ts';
import type { ChildMessage } from './support/watcherChild.ts';

/** K1 of the watch: 3 kills in the usual run, 100 with WATCH_KILLS=100. A fifth of them cut every connection of the database too. */
const kills = Number(process.env['WATCH_KILLS'] ?? 3);
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
const perSymbol = Math.max(12, Math.ceil(kills / 2));
const start = 1_767_225_600_000;

type Bar = Parameters<ScriptedMarket['candle']>[1];

let database: TestDatabase;
let module: WebAssembly.Module;
const children: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  ({ module } = await loadModule());
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

async function spawnNode(bars: Record<string, Bar[]>): Promise<ChildProcess> {
  const path = join(import.meta.dirname, 'support/watcherChild.ts');
  const child = fork(path, { env: { ...process.env, WATCH_DATABASE_URL: database.serverUrl }, stdio: 'inherit' });
  children.push(child);
  child.on('error', () => undefined);
  await once(child, 'message');
  child.send({ kind: 'history', bars } satisfies ChildMessage);
  return child;
}

function walk(random: () => number, count: number): Bar[] {
  let price = 100;
  return Array.from({ length: count }, (_, minute) => {
    const open = price;
    const close = Number((open * (1 + 0.004 * (random() + random() - 1))).toFixed(2));
    const high = Number((Math.max(open, close) * (1 + 0.003 * random())).toFixed(2));
    const low = Number((Math.min(open, close) * (1 - 0.003 * random())).toFixed(2));
    price = close;
    return { time: start + minute * MINUTE_MS, open, high, low, close, volume: 1 };
  });
}

/** What the candles alone do to a position, in one go and without anybody dying. */
function truthOf(position: NewPosition, bars: readonly Bar[]) {
  const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
  const { trailing } = position;
  book.add('one', {
    ...{ id: 'one', side: position.side, entryTimeMs: position.openedAtMs, entryPrice: position.entryPrice },
    ...{ quantity: position.quantity, leverage: position.leverage, bestPrice: position.entryPrice, isArmed: false },
    ...{
      stopPrice: position.stopPrice,
      targetPrice: position.targetPrice,
      liquidationPrice: position.liquidationPrice,
    },
    ...{ tickSize: position.tickSize, takerFeeFraction: position.takerFeeFraction, atr: null },
    trailing:
      trailing.mode === null
        ? { mode: 'off' }
        : {
            mode: 'percent',
            callbackFraction: (trailing.callbackPct ?? 0) / 100,
            stepFraction: (trailing.stepPct ?? 0) / 100,
          },
  } satisfies BookPosition);
  let raised = 0;
  for (const { time: timeMs, ...bar } of bars) {
    for (const event of book.candle('one', { timeMs, spanMs: MINUTE_MS, ...bar })) {
      if (event.kind === 'trail_raised') raised += 1;
      if (event.kind === 'closed') return { price: event.price, reason: event.reason, atMs: event.atMs, raised };
    }
  }
  return { price: null, reason: null, atMs: null, raised };
}

function randomPosition(random: () => number, userId: string, symbol: string, bars: readonly Bar[]): NewPosition {
  const minute = Math.floor(random() * bars.length * 0.6);
  const entryPrice = bars[minute]?.open ?? 100;
  const side = random() < 0.5 ? 'LONG' : 'SHORT';
  const sign = side === 'LONG' ? 1 : -1;
  const level = (fraction: number) => Number((entryPrice * (1 + sign * fraction)).toFixed(2));
  const trails = random() < 0.5;
  const none = { mode: null, callbackPct: null, stepPct: null, atrMultiplier: null, atrPeriod: null };
  return newPosition(userId, {
    ...{
      symbol,
      side,
      entryPrice,
      stopPrice: level(-0.004 - 0.03 * random()),
      targetPrice: level(0.004 + 0.03 * random()),
    },
    ...{ liquidationPrice: level(-0.095), openedAtMs: start + minute * MINUTE_MS - Math.floor(random() * 50_000) },
    trailing: trails ? { ...none, mode: 'percent', callbackPct: 0.3 + random(), stepPct: 0.05 + 0.2 * random() } : none,
  });
}

const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = 'sextant_server'`;

it(
  `${kills} kills of the leader at random instants: no close twice, none missed, each as if nothing had happened`,
  async () => {
    const random = seededRandom(20260103);
    const minutes = 40 + kills * 4;
    const bars = Object.fromEntries(symbols.map((symbol) => [symbol, walk(random, minutes)]));
    const known: Record<string, Bar[]> = Object.fromEntries(symbols.map((symbol) => [symbol, []]));
    const wanted: { id: string; position: NewPosition }[] = [];
    for (const symbol of symbols) {
      for (let i = 0; i < perSymbol; i++) {
        const position = randomPosition(random, await database.addUser(), symbol, bars[symbol] ?? []);
        wanted.push({ position, id: await openOne(database, position) });
      }
    }
    const nodes = [await spawnNode(known), await spawnNode(known)];
    let killed = 0;
    for (let minute = 0; minute < minutes; minute++) {
      for (const symbol of symbols) {
        const bar = bars[symbol]?.[minute] as Bar;
        known[symbol]?.push(bar);
        for (const child of nodes) if (child.connected) child.send({ kind: 'bar', symbol, bar } satisfies ChildMessage);
      }
      await pause(40 + random() * 120);
      if (killed >= kills || random() > (kills + 2) / (minutes - 20)) continue;
      killed += 1;
      // Now and then the database is gone for everybody, too.
      if (killed % 5 === 0) await database.asOwner(cutAll);
      const [leader] = await database.asOwner<{ pid: string }>(
        `select split_part(node, ' ', 2) as pid from leaderships`,
      );
      const index = nodes.findIndex(({ pid }) => String(pid) === leader?.pid);
      nodes[Math.max(0, index)]?.kill('SIGKILL');
      nodes[Math.max(0, index)] = await spawnNode(known);
    }
    expect(killed).toBeGreaterThanOrEqual(Math.min(kills, 3));
    const last = new Date(start + minutes * MINUTE_MS);
    await until(
      'every candle of a series that is in use is judged',
      async () => {
        const rows = await database.asOwner(
          `select 1 from positions p left join position_watch w using (exchange, symbol)
         where p.closed_at is null and coalesce(w.next_candle_at, 'epoch') < $1`,
          [last],
        );
        return rows.length === 0;
      },
      60_000,
    );
    const rows = new Map(
      (
        await database.asOwner<{
          id: string;
          close_price: string | null;
          close_reason: string | null;
          closed_at: Date | null;
          closes: number;
          raises: number;
        }>(
          `select p.id, close_price, close_reason, closed_at,
           count(*) filter (where kind = 'closed')::int as closes, count(*) filter (where kind = 'trail_raised')::int as raises
         from positions p join position_events e on e.position_id = p.id group by p.id`,
        )
      ).map((row) => [row.id, row]),
    );
    const found = wanted.map(({ id }) => {
      const row = rows.get(id);
      return {
        price: row?.close_price == null ? null : Number(row.close_price),
        reason: row?.close_reason ?? null,
        atMs: row?.closed_at?.getTime() ?? null,
        raised: row?.raises ?? -1,
      };
    });
    expect(found).toEqual(wanted.map(({ position }) => truthOf(position, bars[position.symbol] ?? [])));
    const closed = found.filter(({ reason }) => reason !== null).length;
    expect([...rows.values()].reduce((sum, { closes }) => sum + closes, 0)).toBe(closed);
    expect(closed).toBeGreaterThan(wanted.length / 4);
    process.stdout.write(`kills ${killed}, positions ${wanted.length}, closed ${closed}, double 0, missed 0\n`);
  },
  60_000 + kills * 8000,
);
