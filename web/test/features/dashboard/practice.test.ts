import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { unknownContract } from '@sextant/workers/src/candles/contract.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, testEngine } from '../../../../workers/test/support/engine.ts';
import {
  candlesUntil,
  judgePractice,
  practiceInput,
  runPractice,
} from '../../../src/features/dashboard/replay/practice.ts';
import {
  equityOf,
  previewedOrder,
  problemOf,
  startDraft,
} from '../../../src/features/dashboard/replay/practiceTicket.ts';
import { PRACTICE_MIN, replayReducer, startReplay } from '../../../src/features/dashboard/replay/replayState.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

/** The pool of the page, on one thread. */
const pool = {
  run: (name: string, input: unknown) =>
    Promise.resolve(runTask(engine, { name, input } as Parameters<typeof runTask>[1])),
} as unknown as EnginePool;

const HOUR = 3_600_000;
const column = (count: number, of: (i: number) => number) => Float64Array.from({ length: count }, (_, i) => of(i));
/** Candle i opens at 100 + i and closes at 100.5 + i. */
const rising = (count: number) => ({
  time: column(count, (i) => i * HOUR),
  open: column(count, (i) => 100 + i),
  high: column(count, (i) => 101 + i),
  low: column(count, (i) => 99.5 + i),
  close: column(count, (i) => 100.5 + i),
  volume: column(count, () => 1e6),
});
/** Closes that move by up to 1 % either way, from a fixed seed; each candle opens where the last one closed. */
function randomWalk(count: number) {
  let seed = 7;
  const next = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const close = new Float64Array(count);
  for (let i = 0; i < count; i++) close[i] = (close[i - 1] ?? 100) * (1 + (next() - 0.5) * 0.02);
  const open = column(count, (i) => close[i - 1] ?? 100);
  const extreme = (of: typeof Math.max, factor: number) =>
    column(count, (i) => of(open[i] ?? 0, close[i] ?? 0) * factor);
  return { ...rising(count), open, close, high: extreme(Math.max, 1.002), low: extreme(Math.min, 0.998) };
}
type Actions = Parameters<typeof practiceInput>[0]['actions'];
const market = (at: number, side: 'LONG' | 'SHORT') => ({
  at,
  kind: 'order' as const,
  order: { side, type: 'market' as const, notional: 1000, leverage: 1, price: null, stopPrice: null, targets: [] },
});
const largeLong = { ...market(4, 'LONG').order, notional: 9990 };
const close = (at: number) => ({ at, kind: 'close' as const });
/** Long from candle 5 to 8, short from 9 to 11: a decision at a close takes effect at the next open. */
const longAndShort: Actions = [market(4, 'LONG'), close(7), market(8, 'SHORT'), close(10)];
const practice = (actions: Actions, seen = 12) => ({
  candles: rising(12),
  interval: '1h' as const,
  contract: unknownContract('binance', 'TESTUSDT'),
  from: 4,
  seen,
  actions,
});

describe('a practised trade', () => {
  it('DESK-111 opens and closes at the next open, with slippage and both fees', async () => {
    const result = await runPractice(pool, practice(longAndShort));
    expect(result?.trades.map(({ side, entryIndex, exitIndex }) => [side, entryIndex, exitIndex])).toEqual([
      ['LONG', 5, 8],
      ['SHORT', 9, 11],
    ]);
    const [long, short] = result?.trades ?? [];
    // Slippage of 0.01 % against the trader: bought at 105.0105, sold at 107.9892; sold short at 108.9891, bought back at 111.0111.
    expect(long?.entryPrice).toBeCloseTo(105.0105, 9);
    expect(long?.exitPrice).toBeCloseTo(107.9892, 9);
    expect(short?.entryPrice).toBeCloseTo(108.9891, 9);
    expect(short?.exitPrice).toBeCloseTo(111.0111, 9);
    // 1,000 USDT of it, and a fee of 0.05 % of both values.
    const quantity = 1000 / 105.0105;
    expect(long?.quantity).toBeCloseTo(quantity, 9);
    expect(long?.netPnl).toBeCloseTo(quantity * (107.9892 - 105.0105) - 0.0005 * quantity * (105.0105 + 107.9892), 9);
    expect(short?.netPnl).toBeLessThan(0);
  });

  it('DESK-110 sees nothing of the candles after the last one that was shown', async () => {
    const whole = practiceInput(practice([market(4, 'LONG')], 7));
    expect(whole?.candles.time).toHaveLength(7);
    // Not even behind the view of a shared memory.
    expect(whole?.candles.close.buffer.byteLength).toBe(7 * 8);
    expect(candlesUntil(rising(12), 3).high.buffer.byteLength).toBe(3 * 8);
    const open = await runPractice(pool, practice([market(4, 'LONG')], 7));
    expect(open?.trades).toMatchObject([{ side: 'LONG', entryIndex: 5, closeReason: 'END' }]);
    const later = practice([market(4, 'LONG')], 7);
    later.candles.close.fill(1e6, 7);
    expect((await runPractice(pool, later))?.trades).toEqual(open?.trades);
    expect(practiceInput(practice([], 4))).toBeNull();
  });

  it('DESK-112 is judged by the honesty figures, with the practices before', async () => {
    const own = practice(longAndShort);
    const judged = await judgePractice(pool, own, 3);
    expect(judged).toMatchObject({ trialCount: 4, barCount: 8 });
    // Two trades show nothing.
    expect(judged?.reading.level).toBe('not enough data');
    expect(await judgePractice(pool, practice([], 4), 0)).toBeNull();
  });

  it('DESK-112 is compared with entries at random times, of which a third earn as much by chance', async () => {
    const count = 300;
    const world = randomWalk(count);
    // Long for three candles, out for three.
    const actions: Actions = Array.from({ length: 33 }, (_, at) => [
      market(100 + 6 * at, 'LONG'),
      close(103 + 6 * at),
    ]).flat();
    const judged = await judgePractice(pool, { ...practice(actions, count), candles: world, from: 100 }, 0);
    const random = judged?.figures.find(({ id }) => id === 'randomEntry');
    // A fixed rhythm on a random walk has no skill: its place among random entries is anywhere but at the top.
    expect(random?.value).toBeGreaterThan(0.05);
    expect(judged?.reading.skill).toEqual([]);
  });
});

describe('a draft of the ticket', () => {
  it('DESK-157 has figures once the account as it is now covers it, and none while it does not', async () => {
    const actions = [{ ...market(4, 'LONG'), order: largeLong }, close(7)];
    const equity = equityOf(await runPractice(pool, practice(actions, 9)));
    // Bought at 105.0105 and sold at 107.9892, with both fees: 273 USDT more than at the start.
    const quantity = 9990 / 105.0105;
    const net = quantity * (107.9892 - 105.0105) - 0.0005 * quantity * (105.0105 + 107.9892);
    expect(equity).toBeCloseTo(10_000 + net, 6);
    const { contract, candles } = practice([]);
    const terms = { last: candles.close[8] ?? NaN, equity, contract };
    const draft = { ...startDraft(), notional: 10_100 };
    const order = previewedOrder(draft, terms);
    expect(order).toMatchObject({ notional: 10_100, leverage: 1 });
    const previewed = await runPractice(pool, practice(actions, 9), order);
    expect(previewed?.draft?.margin).toBeCloseTo(10_100, 6);
    // The equity of the start does not cover it.
    expect(previewedOrder(draft, { ...terms, equity: equityOf(null) })).toBeUndefined();
    expect(problemOf(draft, { ...terms, equity: equityOf(null) })?.field).toBe('notional');
    expect(previewedOrder({ ...draft, leverage: 2 }, { ...terms, equity: equityOf(null) })).toBeDefined();
  });

  it('DESK-157 is checked on the rules of its contract', () => {
    const contract = { ...unknownContract('binance', 'TESTUSDT'), minNotional: 100, stepSize: 0.5, leverageMax: 10 };
    const terms = { last: 100, equity: 10_000, contract };
    const problem = (change: object) => problemOf({ ...startDraft(), ...change }, terms);
    expect(problem({})).toBeNull();
    expect(problem({ notional: 99 })?.message).toContain('at least 100 USDT');
    expect(problem({ leverage: 11 })?.message).toContain('at most 10x');
  });
});

describe('the steps of a replay', () => {
  const count = 100;
  const reduce = replayReducer(count);
  const run = (...actions: Parameters<typeof reduce>[1][]) => actions.reduce(reduce, startReplay(count));

  it('DESK-110 start anywhere that leaves history before and candles after', () => {
    expect(startReplay(count)).toEqual({ phase: 'choose', from: 60, seen: 61, actions: [] });
    expect(run({ kind: 'choose', from: 3 }).from).toBe(20);
    expect(run({ kind: 'choose', from: 99 }).from).toBe(count - 1 - PRACTICE_MIN);
    expect(run({ kind: 'start' }, { kind: 'choose', from: 30 }).from).toBe(60);
  });

  it('DESK-110 show one candle each, note at which close something was decided, and end with the last candle', () => {
    const held = run(
      { kind: 'start' },
      { kind: 'step', count: 1 },
      { kind: 'decide', decision: { kind: 'cancel' } },
      { kind: 'step', count: 2 },
      { kind: 'decide', decision: { kind: 'close' } },
    );
    expect(held).toMatchObject({
      seen: 64,
      actions: [
        { at: 61, kind: 'cancel' },
        { at: 63, kind: 'close' },
      ],
    });
    const ended = reduce(held, { kind: 'step', count: 500 });
    expect(ended).toMatchObject({ phase: 'done', seen: 100 });
    expect(reduce(ended, { kind: 'step', count: 1 })).toBe(ended);
    expect(reduce(ended, { kind: 'again' })).toEqual({ phase: 'choose', from: 60, seen: 61, actions: [] });
  });

  it('DESK-110 change nothing before the start', () => {
    const before = startReplay(count);
    for (const action of [
      { kind: 'step', count: 1 },
      { kind: 'decide', decision: { kind: 'close' } },
      { kind: 'finish' },
    ] as const)
      expect(reduce(before, action)).toBe(before);
  });
});
