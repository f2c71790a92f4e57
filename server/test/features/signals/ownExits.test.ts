import { closesBySignal } from '@sextant/workers/src/signals/closingSignals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { lastClosedOpen } from '../../../src/features/market/intervals.ts';
import type { CandleRequest, Market } from '../../../src/features/market/port.ts';
import { createStrategySignals, type SignalWatched } from '../../../src/features/signals/oppositeSignals.ts';

let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await loadModule());
});

const stepMs = intervalMs['15m'];
/** The first candle that the test closes. */
const startMs = Date.UTC(2026, 0, 5, 12);
/** Closes of the candles from `startMs` on; every one before it is 100. */
const closes = [101, 102, 99, 103, 98];

/** The market at `nowMs`: its newest candle is still forming, at a price of 50, and is sent when it is requested. */
const marketAt = (requests: CandleRequest[], settled: readonly [atMs: number, rate: number][] = []) =>
  ({
    fundingHistory: ({ sinceMs, untilMs }: { sinceMs: number; untilMs: number }) => {
      const inside = settled.filter(([at]) => at >= sinceMs && at < untilMs);
      const value = {
        time: Float64Array.from(inside, ([at]) => at),
        rate: Float64Array.from(inside, ([, rate]) => rate),
      };
      return Promise.resolve({ ok: true, value: { exchange: 'binance', fetchedAtMs: untilMs, value } });
    },
    candles(request: CandleRequest) {
      requests.push(request);
      const { interval, limit, endTimeMs = 0 } = request;
      const step = intervalMs[interval];
      const toMs = lastClosedOpen(interval, endTimeMs);
      const time = Float64Array.from({ length: limit }, (_, i) => toMs - (limit - 1 - i) * step);
      const at = (ms: number): number => (ms < startMs ? 100 : (closes[Math.round((ms - startMs) / stepMs)] ?? 50));
      const close = time.map(at);
      const open = time.map((ms) => at(ms - stepMs));
      const high = close.map((price, i) => Math.max(price, open[i] ?? 0) + 1);
      const low = close.map((price, i) => Math.min(price, open[i] ?? 0) - 1);
      const value = {
        candles: { time, open, high, low, close, volume: time.map(() => 1) },
        gaps: [],
        rejectedCount: 0,
      };
      return Promise.resolve({ ok: true, value: { exchange: 'binance', fetchedAtMs: endTimeMs, value } });
    },
  }) as unknown as Pick<Market, 'candles' | 'fundingHistory'>;
const newsVotes = { readAt: () => Promise.resolve({ vote: undefined, strength: 0, storyCount: 0, stories: [] }) };

function valueOf(text: string): Strategy {
  const own = strategyOfRules(text, '15m');
  if (!own.ok) throw new Error(own.error[0]?.message);
  return own.value;
}
const watched = (strategy: Strategy, change: Partial<SignalWatched> = {}): SignalWatched => ({
  id: 'it',
  exchange: 'binance',
  symbol: 'BTCUSDT',
  side: 'LONG',
  // Opened while the candle of `startMs` forms: the candle before it decided.
  entryTimeMs: startMs + 1000,
  strategy,
  version: strategyVersion(strategy),
  ...change,
});

/** Candles after which the position is closed, by their number from `startMs`; it stays open here. */
async function leavesAt(position: SignalWatched): Promise<number[]> {
  const signals = createStrategySignals({ market: marketAt([]), newsVotes }, instantiate(module));
  const left: number[] = [];
  for (let k = 0; k < closes.length; k++) {
    // Halfway through the next candle, and again a moment later.
    const nowMs = startMs + (k + 1.5) * stepMs;
    if ((await signals.findClosing([position], nowMs)).length > 0) left.push(k);
    expect(await signals.findClosing([position], nowMs + 2000)).toEqual([]);
  }
  return left;
}

const entry = 'long when close > 1000';
describe('a position of own rules', () => {
  it('RULE-014 is left when its exit is true at a closed base candle, and only then', async () => {
    // Closes of 101 102 99 103 98: below 100 at the third and the fifth.
    const strategy = valueOf(`${entry}\nexit long when close < 100`);
    expect(strategy.onOpposite).toBe('hold');
    expect(await leavesAt(watched(strategy))).toEqual([2, 4]);
  });

  it('RULE-014 is not left by the exit of the other side, nor by the signal that opposes it under `hold`', async () => {
    const strategy = valueOf(`${entry}\nshort when close < 100\nexit short when close > 100`);
    expect(await leavesAt(watched(strategy))).toEqual([]);
    expect(await leavesAt(watched(strategy, { side: 'SHORT' }))).toEqual([0, 1, 3]);
    const turning = valueOf(`${entry}\nshort when close < 100\nexit long when close > 102\non opposite exit`);
    expect(await leavesAt(watched(turning))).toEqual([2, 3, 4]);
  });

  it('RULE-014 is not left by the candle that decided its entry, nor by one that forms', async () => {
    const strategy = valueOf(`${entry}\nexit long when close > 100`);
    // Opened in the second candle: the first one, above 100, had closed before.
    expect(await leavesAt(watched(strategy, { entryTimeMs: startMs + stepMs }))).toEqual([1, 3]);
    const requests: CandleRequest[] = [];
    const signals = createStrategySignals({ market: marketAt(requests), newsVotes }, instantiate(module));
    await signals.findClosing([watched(strategy)], startMs + 1.9 * stepMs);
    expect(requests.map(({ endTimeMs }) => endTimeMs)).toEqual([startMs + stepMs]);
  });

  it('RULE-014 is left by a funding once it is published, and waits for one that is due at the close', async () => {
    const strategy = valueOf(`${entry}\nexit long when funding < 0`);
    const hour = intervalMs['1h'];
    const before: [number, number][] = [
      [startMs - 12 * hour, 0.0001],
      [startMs - 4 * hour, 0.0001],
    ];
    // Due four hours after the start, at a close.
    const dueMs = startMs + 4 * hour;
    const position = watched(strategy);
    const leaving = (settled: [number, number][], nowMs: number) =>
      createStrategySignals({ market: marketAt([], settled), newsVotes }, instantiate(module)).findClosing(
        [position],
        nowMs,
      );
    expect(await leaving(before, dueMs - 60_000)).toEqual([]);
    const signals = createStrategySignals({ market: marketAt([], before), newsVotes }, instantiate(module));
    expect(await signals.signalAt(position, dueMs)).toBeUndefined();
    const published: [number, number][] = [...before, [dueMs + 3, -0.0001]];
    // Stamped after the close: known at the next one.
    expect(await leaving(published, dueMs + 60_000)).toEqual([]);
    expect(await leaving(published, dueMs + stepMs + 60_000)).toEqual(['it']);
    expect(await leaving([...before, [dueMs, -0.0001]], dueMs + 60_000)).toEqual(['it']);
  });

  it('RULE-014 is watched by its exits, and by its signals where it reacts to them', () => {
    const left = valueOf(`${entry}\nexit long when close < 100`);
    expect([closesBySignal(left, 'LONG'), closesBySignal(left, 'SHORT')]).toEqual([true, false]);
    expect(closesBySignal(valueOf(entry), 'LONG')).toBe(false);
    expect(closesBySignal(valueOf(`${entry}\non opposite reverse`), 'LONG')).toBe(true);
  });

  it('RULE-014 of a stored text that no longer compiles stays open and stops no other', async () => {
    const good = valueOf(`${entry}\nexit long when close < 100`);
    const old = { ...good, rules: 'long when noSuchIndicator(3) > 1' };
    expect(closesBySignal(old, 'LONG')).toBe(false);
    const signals = createStrategySignals({ market: marketAt([]), newsVotes }, instantiate(module));
    const both = [watched({ ...old, onOpposite: 'exit' }, { id: 'old', version: 'x' }), watched(good)];
    expect(await signals.findClosing(both, startMs + 3.5 * stepMs)).toEqual(['it']);
  });
});
