import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { buildEngine } from '@sextant/engine-as/build.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileEngine } from '../../src/engine/engine.ts';
import type { TaskProgress, TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnsembleResult, EnsembleTimeframe } from '../../src/protocol/ensemble.ts';
import type { SignalItem, SignalsInput, SignalsResult } from '../../src/protocol/signals.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { candlesHash, itemHashes, signalHashes } from '../../src/tasks/signalHashes.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let task: TaskEngine;
beforeAll(async () => {
  const { path } = await buildEngine();
  task = startEngine(await compileEngine(new Uint8Array(await readFile(path))));
});

const hour = 3_600_000;
const exchange = 'binance' as const;
const timeframe = (seed: number, interval = '1h', stepMs = hour): EnsembleTimeframe => {
  const candles = randomCandles(seededRandom(seed), 400);
  const start = Date.UTC(2026, 0, 1) - 400 * stepMs;
  return { interval, stepMs, weight: 1, candles: { ...candles, time: candles.time.map((_, i) => start + i * stepMs) } };
};
const rules: SignalsInput['rules'] = {
  weights: liveWeights,
  threshold: 0.01,
  levels: { mode: 'atr', stopAtr: 2, targetAtr: 4, stopFraction: 0.02, targetFraction: 0.04 },
};
const sizing: SignalsInput['sizing'] = {
  mode: 'risk',
  balanceUsdt: 1000,
  baseUsdt: 1000,
  freeUsdt: 1000,
  riskFraction: 0.01,
  leverage: 10,
  ownStopFraction: null,
  maintenanceMarginFraction: 0.005,
  takerFeeFraction: 0.0005,
  stopSlippageFraction: 0,
};
const run = (items: SignalItem[], more: Partial<SignalsInput> = {}, onProgress?: (progress: TaskProgress) => void) =>
  runTask(task, { name: 'signals', input: { items, rules, sizing, ...more } }, onProgress) as TaskResult<SignalsResult>;
const rowsOf = (...args: Parameters<typeof run>) => {
  const result = run(...args);
  if (!result.ok) throw new Error(result.error.message);
  return result.value.rows;
};

describe('many signals in one task', () => {
  it('are each what the ensemble says of the item alone, wherever they stand in the list', () => {
    const items = [1, 2, 3, 4].map((seed) => ({ symbol: `S${seed}`, exchange, timeframes: [timeframe(seed)] }));
    const together = rowsOf([...items, ...items]);
    items.forEach((item, i) => {
      const alone = runTask(task, { name: 'ensemble', input: { ...rules, timeframes: item.timeframes } });
      if (!alone.ok) throw new Error(alone.error.message);
      const expected: Partial<EnsembleResult> = { ...(alone.value as EnsembleResult) };
      delete expected.scores;
      for (const row of [together[i]!, together[i + items.length]!]) {
        expect(row).toMatchObject({
          symbol: item.symbol,
          interval: '1h',
          signal: { ok: true, value: { ensemble: expected } },
        });
      }
    });
  });

  it('leave out one that cannot be scored and keep the others', () => {
    const short = timeframe(5);
    const columns = Object.entries(short.candles as unknown as Record<string, Float64Array>);
    const candles = Object.fromEntries(columns.map(([name, column]) => [name, column.slice(0, 20)])) as never;
    const rows = rowsOf([
      { symbol: 'YOUNG', exchange, timeframes: [{ ...short, candles }] },
      { symbol: 'OLD', exchange, timeframes: [timeframe(6)] },
    ]);
    expect(rows[0]!.signal).toMatchObject({ ok: false, error: { code: 'too_short' } });
    expect(rows[1]!.signal.ok).toBe(true);
  });

  it('say how far they are', () => {
    const seen: TaskProgress[] = [];
    const items = Array.from({ length: 25 }, (_, i) => ({ symbol: `S${i}`, exchange, timeframes: [timeframe(i)] }));
    rowsOf(items, {}, (progress) => seen.push(progress));
    expect(seen).toEqual([10, 20, 25].map((done) => ({ done, total: 25 })));
  });

  it('reject an invalid sizing and name it', () => {
    const result = run([], { sizing: { ...sizing, leverage: 0 } });
    expect(result).toMatchObject({ ok: false, error: { code: 'bad_input', field: 'sizing.leverage' } });
  });
});

describe('the position of a signal', () => {
  it.each([
    // Isolated at 10x, without an amount. Binance: (margin - s q E) / (q (m - s)) with margin = q E / 10.
    ['binance', (side: number) => (0.1 - side) / (0.005 - side)],
    // Bybit: the margin less the maintenance margin at the entry. OKX: with the taker fee in the rate.
    ['bybit', (side: number) => 1 - side * 0.095],
    ['okx', (side: number) => (1 - side * 0.1) / (1 - side * 0.0055)],
  ] as const)('has the size, the liquidation price of %s and the loss worked out by hand', (exchange, liquidated) => {
    const rows = Array.from(
      { length: 30 },
      (_, seed) => rowsOf([{ symbol: 'S', exchange, timeframes: [timeframe(seed)] }])[0]!,
    );
    const signals = rows.flatMap(({ signal }) => (signal.ok && signal.value.position !== null ? [signal.value] : []));
    expect(signals.length).toBeGreaterThan(5);
    for (const { ensemble, position } of signals) {
      const { price } = ensemble;
      const side = ensemble.direction === 'LONG' ? 1 : -1;
      // The stop loses 1 % of 1000 USDT with both fees, rounded down to four decimals; at most 1000 USDT of margin.
      const stop = ensemble.atrLevels!.stopLossPrice;
      const perUnit = Math.abs(price - stop) + 0.0005 * (price + stop);
      const byRisk = Math.min(10 / perUnit, 1000 / (price * (0.1 + 0.0005)));
      expect(position!.quantity).toBeCloseTo(Math.floor(byRisk * 10_000) / 10_000, 9);
      expect(position!.lossAtStopUsdt).toBeLessThanOrEqual(10 * (1 + 1e-9));
      expect(position!.liquidationPrice! / price).toBeCloseTo(liquidated(side), 9);
      const fees = 0.0005 * position!.quantity * (price + stop);
      expect(position!.lossAtStopUsdt).toBeCloseTo(Math.abs(price - stop) * position!.quantity + fees, 9);
    }
  });
});

describe('the hashes of a signal', () => {
  it('are the same with any SHA-256, and change with every candle, rule and interval', () => {
    const base = [timeframe(1), timeframe(2, '4h', 4 * hour)];
    const hashAll = (
      timeframes: EnsembleTimeframe[],
      ...more: [SignalsInput['rules'], ReturnType<typeof candlesHash>?]
    ) => signalHashes({ timeframes }, ...more);
    const node = candlesHash(() => {
      const hash = createHash('sha256');
      return { update: (bytes) => hash.update(bytes), hex: () => hash.digest('hex') };
    });
    const own = hashAll(base, rules);
    expect(hashAll(base, rules, node)).toEqual(own);
    expect(own.data).toMatch(/^[0-9a-f]{64}$/);
    const other = timeframe(1);
    other.candles.close[399]! += 1e-9;
    const variants = [
      hashAll([other, base[1]!], rules),
      hashAll([base[1]!, base[0]!], rules),
      hashAll([base[0]!], rules),
      hashAll(base, { ...rules, tuning: { adx: 1.05 } }),
      hashAll(base, { ...rules, threshold: 0.02 }),
      hashAll(base, { ...rules, parameters: { rsi: { period: 21 } } }),
      hashAll(base, { ...rules, parameters: { rsi: { overbought: 21 } } }),
      hashAll([{ ...base[0]!, weight: 0.5 }, base[1]!], rules),
      signalHashes({ timeframes: base, news: 1 }, rules),
      signalHashes({ timeframes: base, news: -1 }, rules),
    ];
    expect(new Set([own, ...variants].map(({ data, params }) => `${data} ${params}`)).size).toBe(variants.length + 1);
  });

  it('are those of each signal alone when many are hashed under the same rules', () => {
    const base = timeframe(1);
    const long = timeframe(2, '4h', 4 * hour);
    const other = timeframe(3);
    const series = [[base, long], [base], [other, long], [base, { ...long, weight: 0.5 }], [other], [base, long]];
    const items = series.flatMap((timeframes) => [{ timeframes }, { timeframes, news: 1 as const }]);
    const hashOf = itemHashes(rules, candlesHash());
    expect(items.map(hashOf)).toEqual(items.map((item) => signalHashes(item, rules)));
  });
});
