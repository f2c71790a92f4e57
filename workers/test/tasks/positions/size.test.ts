import { beforeAll, describe, expect, it } from 'vitest';
import type { BookPosition } from '../../../src/positions/bookTypes.ts';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';
import type { SizeInput, SizeResult } from '../../../src/protocol/positions.ts';
import { runTask, startEngine, type TaskEngine } from '../../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { longOf10, shortOf10 } from '../../support/openPositions.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const account = { mode: 'risk', balanceUsdt: 1000, riskFraction: 0.01, baseUsdt: 1000, freeUsdt: 1000 } as const;
const market = { tickSize: 0.01, stepSize: 0.001, minNotional: 5, maxQuantity: 0, maxLeverage: 20 };
const run = (change: Partial<SizeInput>): TaskResult<SizeResult> =>
  runTask(engine, {
    name: 'size',
    input: { position: longOf10(), exchange: 'binance', account, market, ...change },
  }) as TaskResult<SizeResult>;
function valueOf(change: Partial<SizeInput>): SizeResult {
  const result = run(change);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('a position sized again', () => {
  it('X70 loses the risk at its stop: half the way to it is about twice the size', () => {
    // By hand: 100 - 98 * 0.9998 = 2.0196, fees 0.0005 * (100 + 97.9804) = 0.0989902; 10 / 2.1185902 = 4.7201...
    const far = valueOf({});
    expect(far.position.quantity).toBe(4.72);
    expect(far.size.lossAtStopUsdt).toBeCloseTo(4.72 * 2.1185902, 9);
    // 100 - 99 * 0.9998 = 1.0198, fees 0.0005 * (100 + 98.9802) = 0.0994901; 10 / 1.1192901 = 8.9342...
    expect(valueOf({ position: longOf10({ stopPrice: 99 }) }).position.quantity).toBe(8.934);
    expect(valueOf({ account: { ...account, riskFraction: 0.005 } }).position.quantity).toBe(2.36);
  });

  it('is liquidated where its leverage says, which the symbol caps', () => {
    const { position } = valueOf({ position: longOf10({ leverage: 100 }) });
    // At 20x: (100 - 5) / (1 - 0.005).
    expect(position.leverage).toBe(20);
    expect(position.liquidationPrice).toBeCloseTo(95 / 0.995, 9);
    expect(valueOf({ position: longOf10({ leverage: 1 }) }).position.liquidationPrice).toBeNull();
    expect(valueOf({ position: shortOf10() }).position.liquidationPrice).toBeCloseTo(110 / 1.005, 9);
  });

  it.each([
    // At 20x of 100 the margin is 5 a coin. Bybit: the maintenance margin of 0.5 at the entry is left of it: 100 - 4.5 and 100 + 4.5.
    ['bybit', 95.5, 104.5],
    // OKX: the taker fee of the close counts as well: 95 / (1 - 0.0055) and 105 / (1 + 0.0055).
    ['okx', 95 / 0.9945, 105 / 1.0055],
  ] as const)('is liquidated by the formula of %s', (exchange, long, short) => {
    const priceOf = (position: BookPosition) => valueOf({ exchange, position }).position.liquidationPrice;
    expect(priceOf(longOf10({ leverage: 20 }))).toBeCloseTo(long, 9);
    expect(priceOf(shortOf10({ leverage: 20 }))).toBeCloseTo(short, 9);
  });

  it('is rejected where the smallest position loses more than the risk, and stays as it was', () => {
    const { size, position } = valueOf({ market: { ...market, minNotional: 500 } });
    expect(size.refusal).toMatchObject({ detail: 'min_above_risk', limit: 10 });
    expect(position).toEqual(longOf10());
  });

  it('names the field that is out of bounds', () => {
    expect(run({ account: { ...account, riskFraction: 2 } })).toMatchObject({
      error: { field: 'account.riskFraction' },
    });
  });
});
