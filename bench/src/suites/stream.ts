import { intervalMs, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { ExchangeId, ClosedBar, Market } from '@sextant/server/src/features/market/port.ts';
import { createSignals } from '@sextant/server/src/features/signals/computeSignal.ts';
import { CandleEvents } from '@sextant/server/src/features/stream/candleEvents.ts';
import { eventKey } from '@sextant/server/src/features/stream/events.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { candleWalk } from '../../data/candles.ts';
import { percentilesOf } from '../api/openLoop.ts';
import { type ResultLine, rounded } from '../results.ts';

const SYMBOLS = 100;
const CANDLES = 500;
const ROUNDS = 20;
const WARM_UP_ROUNDS = 3;
const goals = { p50Ms: 60, p99Ms: 150 };

interface Series {
  symbol: string;
  interval: (typeof signalIntervals)[number];
  all: Candles;
}

const keyOf = (symbol: string, interval: string): string => `${symbol} ${interval}`;

/** Arrays of a window, as the cache makes new ones at each candle. */
function windowOf({ all }: Series, round: number): Candles {
  const cut = (column: Float64Array): Float64Array => column.slice(round, round + CANDLES);
  const { time, open, high, low, close, volume } = all;
  return {
    time: cut(time),
    open: cut(open),
    high: cut(high),
    low: cut(low),
    close: cut(close),
    volume: cut(volume),
  };
}

function createBenchMarket(series: readonly Series[]) {
  const windows = new Map<string, Candles>();
  let report: (exchange: ExchangeId, bar: ClosedBar) => void = () => undefined;
  const market = {
    onCandle: (listener: typeof report) => {
      report = listener;
      return () => undefined;
    },
    keep: () => () => undefined,
    symbols: () =>
      Promise.resolve(ok({ exchange: 'binance' as const, fetchedAtMs: 0, value: [], leftOut: {} as never })),
    readWarm: ({ symbol, interval }: { symbol: string; interval: string }) => {
      const candles = windows.get(keyOf(symbol, interval));
      return candles === undefined ? null : { exchange: 'binance' as const, candles, fetchedAtMs: 0 };
    },
    findWarm: () => null,
  } as unknown as Market;
  return {
    market,
    /** All series close a candle at once. */
    closeAll: (round: number): void => {
      for (const each of series) windows.set(keyOf(each.symbol, each.interval), windowOf(each, round));
      for (const { symbol, interval, all } of series) {
        const at = round + CANDLES - 1;
        const value = (column: Float64Array): number => column[at] ?? 0;
        const { time, open, high, low, close, volume } = all;
        const prices = { open: value(open), high: value(high), low: value(low), close: value(close) };
        report('binance', { symbol, interval, time: value(time), volume: value(volume), ...prices });
      }
    },
  };
}

/** From the notification of the candles of 300 series to the moment each signal event is written. */
export async function measureStream(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const series = Array.from({ length: SYMBOLS }, (_each, at) => `B${at}USDT`).flatMap((symbol, at) =>
    signalIntervals.map((interval, i) => ({
      symbol,
      interval,
      all: candleWalk(CANDLES + ROUNDS + WARM_UP_ROUNDS, at * 7 + i, intervalMs[interval]),
    })),
  );
  const engine = createEnginePool({ engine: await loadModule(), threads: 2, queueMax: 32, deadlineMs: 20_000 });
  const { market, closeAll } = createBenchMarket(series);
  const score = { kind: 'score' as const, strategy_version: 'bench', version: null, outcome_count: 0, needed: 100 };
  const unknown = { base_rate: null, as_of: null, window_from: null, window_to: null, points: [] };
  const means = { mean_win_stops: null, mean_loss_stops: null };
  const signals = createSignals({
    market,
    engine,
    aiCheck: { model: undefined, dailyMicrousdMax: 0 },
    newsVotes: { read: () => ({ vote: undefined, strength: 0, storyCount: 0, stories: [] }), mark: () => '' },
    confidences: {
      refresh: () => Promise.resolve(),
      of: (interval) => ({ interval, ...score, ...unknown, ...means }),
    },
  });
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const events = new CandleEvents({ market, mode: 'simulated', signals, now: Date.now, onError });
  events.watch(series.map(({ symbol, interval }) => eventKey('signals', symbol, interval)));
  const latenciesMs = await measureRounds(events, closeAll, series.length);
  await engine.close();
  if (errors.length > 0) throw new Error('the stream failed', { cause: errors[0] });
  const { p50, p99 } = percentilesOf(latenciesMs);
  const name = `candle to signal event, ${SYMBOLS}x${signalIntervals.length} at once`;
  const lines: ResultLine[] = [
    { suite: 'stream', case: `${name}, p50`, figure: rounded(p50), unit: 'ms' },
    { suite: 'stream', case: `${name}, p99`, figure: rounded(p99), unit: 'ms' },
  ];
  lines.forEach(report);
  const goalText = `goals: p50 at most ${goals.p50Ms} ms, p99 at most ${goals.p99Ms} ms`;
  return { lines, notes: [`${ROUNDS} rounds of ${series.length} candles of ${CANDLES}; ${goalText}.`] };
}

async function measureRounds(
  events: CandleEvents,
  closeAll: (round: number) => void,
  count: number,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round += 1) {
    const done = Promise.withResolvers<undefined>();
    const times: number[] = [];
    let sequence = events.lastSequence;
    let startedMs = 0;
    const stop = events.onEvents(() => {
      for (const event of events.after(sequence)) {
        sequence = event.sequence;
        if (event.event !== 'signal') done.reject(new Error(event.data));
        times.push(performance.now() - startedMs);
      }
      if (times.length === count) done.resolve(undefined);
    });
    startedMs = performance.now();
    closeAll(round);
    await done.promise;
    stop();
    if (round >= WARM_UP_ROUNDS) latenciesMs.push(...times);
  }
  return latenciesMs;
}
