import { STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { POSITION_LENGTH, positionSlot, ruleSlot } from '@sextant/engine-as/abi/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { instantiate } from '../../src/engine/engine.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import { type RestingOrder, stepCandle, stepTick, stopEntryFill } from '../../src/orders/restingOrders.ts';
import { rulesRow } from '../../src/positions/rows.ts';
import { seededRandom } from '../support/randomRuns.ts';

let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await loadModule());
});

const buy: RestingOrder = {
  id: 'one',
  side: 'LONG',
  type: 'limit',
  price: 100,
  tickSize: 0.1,
  activeFromMs: 60_000,
  expiresAtMs: null,
  revision: 3,
};
const sell = { ...buy, side: 'SHORT' } as const;
const tickAt = (order: RestingOrder, price: number, atMs = 61_000) => stepTick(order, { price, atMs });
const bar = (low: number, high: number, open = (low + high) / 2, timeMs = 60_000) => ({
  timeMs,
  spanMs: 60_000,
  volume: 1,
  open,
  high,
  low,
});

describe('a limit order', () => {
  it('DESK-032 fills as maker at its price, once the price trades a tick beyond it', () => {
    expect(tickAt(buy, 100)).toBeNull();
    expect(tickAt(buy, 99.95)).toBeNull();
    expect(tickAt(buy, 99.9)).toEqual({
      kind: 'filled',
      market: null,
      id: 'one',
      revision: 3,
      atMs: 61_000,
      price: 100,
      role: 'maker',
      candleMs: null,
    });
    expect(tickAt(buy, 90)).toMatchObject({ price: 100 });
    expect(tickAt(sell, 100)).toBeNull();
    expect(tickAt(sell, 100.1)).toMatchObject({ price: 100, role: 'maker' });
    expect(stepCandle(buy, bar(100, 101))).toBeNull();
    expect(stepCandle(buy, bar(99.9, 101))).toMatchObject({ atMs: 120_000, price: 100, candleMs: 60_000 });
    expect(stepCandle(sell, bar(99, 100.1))).toMatchObject({ price: 100 });
  });

  it('DESK-032 nothing before its start or in a minute without trades fills it', () => {
    expect(tickAt(buy, 90, 59_999)).toBeNull();
    expect(stepCandle({ ...buy, activeFromMs: 60_001 }, bar(90, 101))).toBeNull();
    expect(stepCandle(buy, { ...bar(90, 101), volume: 0 })).toBeNull();
  });

  it('DESK-033 expires at its time; of the minute of its expiry prices decide', () => {
    const order = { ...buy, expiresAtMs: 90_000 };
    expect(tickAt(order, 99, 89_999)).toMatchObject({ kind: 'filled' });
    expect(tickAt(order, 99, 90_000)).toBeNull();
    expect(stepCandle(order, bar(90, 101))).toEqual({ kind: 'expired', id: 'one', revision: 3, atMs: 90_000 });
    expect(stepCandle({ ...order, expiresAtMs: 120_000 }, bar(90, 101))).toMatchObject({ kind: 'filled' });
  });

  it('DESK-033 a price after its expiry leaves it to the candle that ends there, for two minutes', () => {
    const order = { ...buy, expiresAtMs: 120_000 };
    const expired = { kind: 'expired', id: 'one', revision: 3, atMs: 120_000 };
    for (const atMs of [120_000, 150_000, 239_999]) expect(tickAt(order, 50, atMs)).toBeNull();
    expect(stepCandle(order, bar(90, 101))).toMatchObject({ kind: 'filled', atMs: 120_000 });
    expect(stepCandle(order, bar(90, 101, 95, 120_000))).toEqual(expired);
    // Without candles.
    expect(tickAt(order, 50, 240_000)).toEqual(expired);
  });
});

describe('a stop entry', () => {
  const stop = { ...buy, type: 'stop' } as const;
  it('DESK-034 fills as taker with slippage when touched, after a gap at the worse price', () => {
    // 100 x 1.0002 = 100.02, up to the tick of 0.1.
    expect(tickAt(stop, 100)).toMatchObject({ price: 100.1, role: 'taker' });
    expect(tickAt(stop, 99.9)).toBeNull();
    // 105 x 1.0002 = 105.021.
    expect(tickAt(stop, 105)).toMatchObject({ price: 105.1 });
    expect(stepCandle(stop, bar(98, 103, 99))).toMatchObject({ price: 100.1, atMs: 120_000 });
    expect(stepCandle(stop, bar(102, 103, 102.5))).toMatchObject({ price: 102.6 });
    const short = { ...stop, side: 'SHORT' } as const;
    expect(tickAt(short, 100)).toMatchObject({ price: 99.9 });
    expect(stepCandle(short, bar(94, 99, 96))).toMatchObject({ price: 95.9 });
  });

  it('DESK-034 the fill has the bits of the engine’s own opening', () => {
    const engine = instantiate(module);
    const random = seededRandom(7);
    for (let i = 0; i < 2000; i++) {
      const tickSize = [0.1, 0.01, 0.5, 0.0001, 0][i % 5] as number;
      const side = random() < 0.5 ? 'LONG' : 'SHORT';
      const price = 0.5 + 1000 * random();
      const mark = engine.raw.arenaMark();
      const rules = rulesRow({ trailing: { mode: 'off' }, takerFeeFraction: 0.0005, leverage: 1, tickSize });
      rules[ruleSlot.slippage] = STOP_SLIPPAGE;
      rules[ruleSlot.notional] = 1000;
      rules[ruleSlot.stopLossFraction] = 0.1;
      rules[ruleSlot.takeProfitFraction] = 0.1;
      const rulesAt = engine.push(rules);
      const stateAt = engine.reserve(POSITION_LENGTH);
      engine.raw.openPosition(
        rulesAt,
        0,
        0,
        stateAt,
        side === 'LONG' ? 1 : -1,
        0,
        price,
        Infinity,
        Number.NaN,
        0,
        Infinity,
      );
      const entry = engine.pull(stateAt, POSITION_LENGTH)[positionSlot.entryPrice];
      engine.raw.arenaRelease(mark);
      expect(stopEntryFill(side, price, tickSize)).toBe(entry);
    }
  });
});
