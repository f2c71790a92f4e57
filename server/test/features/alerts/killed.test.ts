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

/** Opens of the candles that fire, read from the definition: one node that never dies, candle by candle. */
function firingsOf(bars: readonly Bar[], when: Comparison, level: number, first: 'below' | 'above'): number[] {
  let side: 'below' | 'above' | null = first;
  const fired: number[] = [];
  for (const { time, high, low, close } of bars) {
    const closeSide: 'below' | 'above' | null = close > level ? 'above' : close < level ? 'below' : null;
    if (when === 'cross') {
      if (side === null) side = closeSide;
      else if ((side === 'below' && high >= level) || (side === 'above' && low <= level)) {
        fired.push(time);
        // By its extreme the value is beyond the level, or on it; then the close decides.
        const reached = side === 'below' ? high : low;
        const beyond: 'below' | 'above' | null = reached === level ? null : side === 'below' ? 'above' : 'below';
        side = beyond === closeSide ? beyond : closeSide;
      }
      continue;
    }
    const isMet = side === when;
    const reaches = when === 'above' ? high >= level : low <= level;
    const leaves = when === 'above' ? low < level : high > level;
    const closesMet = when === 'above' ? close >= level : close <= level;
    if (!isMet && reaches) fired.push(time);
    if (isMet && leaves && closesMet) fired.push(time);
    if (isMet ? leaves && !closesMet : reaches && !closesMet) side = when === 'above' ? 'below' : 'above';
    else if (!isMet && reaches) side = when;
  }
  return fired;
}

it(
  `DESK-074 ${kills} kills of the evaluating node at random instants: each crossing fires once, none is missed`,
  async () => {
    const random = seededRandom(20261129);
    const bars = Object.fromEntries(symbols.map((symbol) => [symbol, walk(random)]));
    const known: Record<string, Bar[]> = Object.fromEntries(symbols.map((symbol) => [symbol, []]));
    const userId = await database.addUser();
    const expected = new Map<string, number[]>();
    for (const symbol of symbols) {
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
        if (alert !== null) expected.set(alert.id, firingsOf(bars[symbol] ?? [], when, level, side));
      }
    }
    const nodes = [await spawnNode(known), await spawnNode(known)];
    const killAt = new Set(Array.from({ length: kills }, (_, i) => 10 + i * 10 + Math.floor(random() * 5)));
    for (let minute = 0; minute < minutes; minute++) {
      for (const symbol of symbols) {
        const bar = bars[symbol]?.[minute] as Bar;
        known[symbol]?.push(bar);
        for (const child of nodes) if (child.connected) child.send({ kind: 'bar', symbol, bar } satisfies EvaluatorMessage);
      }
      await pause(20 + random() * 80);
      if (!killAt.has(minute)) continue;
      const [leader] = await database.asOwner<{ pid: string }>(
        `select split_part(node, ' ', 2) as pid from leaderships where name = 'alerts'`,
      );
      const index = Math.max(0, nodes.findIndex(({ pid }) => String(pid) === leader?.pid));
      nodes[index]?.kill('SIGKILL');
      nodes[index] = await spawnNode(known);
    }
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
