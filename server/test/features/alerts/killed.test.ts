import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { comparisons, type Comparison } from '@sextant/workers/src/alerts/conditions.ts';
import { type Evidence, recompute } from '@sextant/workers/src/alerts/recompute.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertAlert } from '../../../src/features/alerts/alertRepository.ts';
import { withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { until } from '../positions/support/positions.ts';
import { MINUTE_MS } from '../positions/support/scriptedMarket.ts';
import type { EvaluatorMessage } from './support/evaluatorChild.ts';

/** Kills of the evaluating node: 2 in the usual run, 50 with ALERT_KILLS=50. */
const kills = Number(process.env['ALERT_KILLS'] ?? 2);
const minutes = 20 + kills * 10;
const start = (Math.floor(Date.now() / MINUTE_MS) - minutes - 60) * MINUTE_MS;
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];

type Bar = Extract<EvaluatorMessage, { kind: 'bar' }>['bar'];

let database: TestDatabase;
const children: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

async function spawnNode(bars: Record<string, Bar[]>): Promise<ChildProcess> {
  const path = join(import.meta.dirname, 'support/evaluatorChild.ts');
  const child = fork(path, { env: { ...process.env, ALERTS_DATABASE_URL: database.serverUrl }, stdio: 'inherit' });
  children.push(child);
  child.on('error', () => undefined);
  await once(child, 'message');
  child.send({ kind: 'history', bars } satisfies EvaluatorMessage);
  return child;
}

/** Whole prices, so that candles meet levels exactly. */
function walk(random: () => number): Bar[] {
  let price = 100;
  return Array.from({ length: minutes }, (_, minute) => {
    const open = price;
    const close = Math.max(80, Math.min(120, open + Math.round((random() - 0.5) * 8)));
    const high = Math.max(open, close) + Math.floor(random() * 3);
    const low = Math.min(open, close) - Math.floor(random() * 3);
    price = close;
    return { time: start + minute * MINUTE_MS, open, high, low, close, volume: 1 };
  });
}

type Side = 'below' | 'above' | null;
const sideOf = (value: number, level: number): Side => (value > level ? 'above' : value < level ? 'below' : null);

/** Fires when an extreme reaches the level from the other side; the close then sets the side. */
function crossIn({ high, low, close }: Bar, side: Side, level: number): { side: Side; fires: boolean } {
  if (side === null) return { side: sideOf(close, level), fires: false };
  const isReached = side === 'below' ? high >= level : low <= level;
  return isReached ? { side: sideOf(close, level), fires: true } : { side, fires: false };
}

/** Whether the value is on the side of the condition; fires when it arrives there. */
function comeIn(bar: Bar, when: 'above' | 'below', isMet: boolean, level: number): { isMet: boolean; fires: boolean } {
  const [best, worst] = when === 'above' ? [bar.high, bar.low] : [bar.low, bar.high];
  const holds = (value: number): boolean => (when === 'above' ? value >= level : value <= level);
  if (!isMet) return { isMet: holds(best) && holds(bar.close), fires: holds(best) };
  // It left and came back within the candle, or left for good.
  return { isMet: holds(bar.close), fires: !holds(worst) && holds(bar.close) };
}

/** Opens of the candles that fire, by the definition: one node, candle by candle, without a kill. */
function firingsOf(bars: readonly Bar[], when: Comparison, level: number, first: 'below' | 'above'): number[] {
  let side: Side = first;
  let isMet = false;
  return bars.flatMap((bar) => {
    if (when === 'cross') {
      const next = crossIn(bar, side, level);
      side = next.side;
      return next.fires ? [bar.time] : [];
    }
    const next = comeIn(bar, when, isMet || (side === when && bar === bars[0]), level);
    isMet = next.isMet;
    return next.fires ? [bar.time] : [];
  });
}

async function setAlerts(
  userId: string,
  symbol: string,
  bars: readonly Bar[],
  random: () => number,
): Promise<Map<string, number[]>> {
  const expected = new Map<string, number[]>();
  for (let i = 0; i < 12; i++) {
    const when = comparisons[i % 3] ?? 'cross';
    const level = 92 + Math.floor(random() * 17);
    const side = level > 100 || (level === 100 && i % 2 === 0) ? 'below' : 'above';
    const alert = await withUser(database.db, userId, (tx) =>
      insertAlert(tx, userId, {
        market: 'simulated',
        condition: { kind: 'price', exchange: 'binance', symbol, when, level },
        repeats: true,
        pauseS: 1,
        channels: ['page', 'email'],
        note: null,
        expiresAt: null,
        side,
        sinceMs: start,
      }),
    );
    if (alert !== null) expected.set(alert.id, firingsOf(bars, when, level, side));
  }
  return expected;
}

/** Sends the candles minute by minute, and kills the leader at some of them. */
async function playMinutes(bars: Record<string, Bar[]>, random: () => number): Promise<void> {
  const known: Record<string, Bar[]> = Object.fromEntries(symbols.map((symbol) => [symbol, []]));
  const nodes = [await spawnNode(known), await spawnNode(known)];
  const killAt = new Set(Array.from({ length: kills }, (_, i) => 10 + i * 10 + Math.floor(random() * 5)));
  for (let minute = 0; minute < minutes; minute++) {
    for (const symbol of symbols) {
      const bar = bars[symbol]?.[minute] as Bar;
      known[symbol]?.push(bar);
      for (const child of nodes)
        if (child.connected) child.send({ kind: 'bar', symbol, bar } satisfies EvaluatorMessage);
    }
    await pause(20 + random() * 80);
    if (!killAt.has(minute)) continue;
    const [leader] = await database.asOwner<{ pid: string }>(
      `select split_part(node, ' ', 2) as pid from leaderships where name = 'alerts'`,
    );
    const index = Math.max(
      0,
      nodes.findIndex(({ pid }) => String(pid) === leader?.pid),
    );
    nodes[index]?.kill('SIGKILL');
    nodes[index] = await spawnNode(known);
  }
}

it(
  `DESK-074 ${kills} kills of the evaluating node at random instants: each crossing fires once, none is missed`,
  async () => {
    const random = seededRandom(20261129);
    const bars = Object.fromEntries(symbols.map((symbol) => [symbol, walk(random)]));
    const userId = await database.addUser();
    const expected = new Map<string, number[]>();
    for (const symbol of symbols)
      for (const [id, opens] of await setAlerts(userId, symbol, bars[symbol] ?? [], random)) expected.set(id, opens);
    await playMinutes(bars, random);
    const total = [...expected.values()].reduce((sum, { length }) => sum + length, 0);
    const countOf = async (): Promise<number> =>
      Number((await database.asOwner<{ count: string }>('select count(*) from alert_receipts'))[0]?.count);
    await until(`${total} receipts`, async () => (await countOf()) >= total, 120_000);
    type Row = { alert_id: string; evidence: Evidence; condition: Parameters<typeof recompute>[0] };
    const rows = await database.asOwner<Row & Record<string, unknown>>(
      'select alert_id, evidence, condition from alert_receipts order by alert_id, firing',
    );
    const fired = Map.groupBy(rows, (row) => row.alert_id);
    for (const [id, opens] of expected) {
      const stored = (fired.get(id) ?? []).map(({ evidence: { observation } }) =>
        observation.source === 'candle' ? observation.openMs : Number.NaN,
      );
      expect(stored).toEqual(opens);
    }
    for (const { condition, evidence } of rows) expect(recompute(condition, evidence).fires).toBe(true);
    // Messages are queued in the transaction of the firing: one for each.
    const [queued] = await database.asOwner<{ count: string }>(
      `select count(*) from notifications where kind = 'alert_fired'`,
    );
    expect(Number(queued?.count)).toBe(total);
    expect(total).toBeGreaterThan(30);
  },
  180_000 + kills * 20_000,
);
