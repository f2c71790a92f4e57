import { beforeAll, describe, expect, it } from 'vitest';
import { VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import type { ScanInput, ScanResult } from '../../src/protocol/optimize.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { candleFields } from '../../src/candles/candleColumns.ts';
import { weightTenths } from '../../src/tasks/rules.ts';
import { defaultWeights, voteIds } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const run = (input: ScanInput): TaskResult<ScanResult> =>
  runTask(engine, { name: 'scan', input }) as TaskResult<ScanResult>;

function rows(input: ScanInput): ScanResult['rows'] {
  const result = run(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value.rows;
}

const seriesOf = (candles: Candles, symbol = 'BTCUSDT'): ScanInput['series'][number] => ({
  symbol,
  interval: '1h',
  candles,
});

/** Votes and score of the last candle from the kernels that compute every candle. */
function everyBar(candles: Candles, weights: Record<string, number>): { votes: number[]; score: number | null } {
  const { engine: wasm } = engine;
  const length = candles.time.length;
  const columns = wasm.reserveBytes(24);
  const addresses = candleFields.map((name) => wasm.push(candles[name]));
  wasm.i32View(columns, 6).set(addresses);
  const votesAt = wasm.reserveBytes(VOTE_COUNT * length);
  const firstAt = wasm.reserveBytes(4 * VOTE_COUNT);
  const weightsAt = wasm.reserveBytes(4 * VOTE_COUNT);
  wasm.i32View(weightsAt, VOTE_COUNT).set(weightTenths(weights));
  const scoreAt = wasm.reserve(length);
  wasm.raw.votes(columns, length, votesAt, length, firstAt, 0);
  wasm.raw.score(votesAt, length, length, firstAt, weightsAt, scoreAt, 0);
  const votes = voteIds.map((_, k) => wasm.i8View(votesAt + k * length, length)[length - 1]!);
  const score = wasm.f64View(scoreAt, length)[length - 1]!;
  wasm.raw.arenaReset();
  return { votes, score: Number.isNaN(score) ? null : score };
}

describe('scan', () => {
  it('gives the votes and the score of the last candle to the bit, at every length from 1 to 160 and beyond', () => {
    const random = seededRandom(5);
    const whole = randomCandles(random, 700);
    const lengths = [...Array.from({ length: 160 }, (_, i) => i + 1), 199, 200, 201, 333, 500, 641, 699, 700];
    for (const length of lengths) {
      const cut = Object.fromEntries(
        candleFields.map((name) => [name, whole[name].slice(0, length)]),
      ) as unknown as Candles;
      const weights = Object.fromEntries(voteIds.map((id) => [id, Math.floor(random() * 21) / 10]));
      const want = everyBar(cut, weights);
      const [row] = rows({ series: [seriesOf(cut)], weights });
      expect(Object.values(row!.votes), `length ${length}`).toEqual(want.votes);
      expect(Object.is(row!.score, want.score), `length ${length}: ${row!.score} is not ${want.score}`).toBe(true);
      expect(row).toMatchObject({ timeMs: cut.time[length - 1], close: cut.close[length - 1] });
    }
  });

  it('does so for 300 markets of 500 candles in one call, each as if it were alone', () => {
    const series = Array.from({ length: 300 }, (_, k) =>
      seriesOf(k % 2 ? market(500, k) : randomCandles(seededRandom(k), 500, 900_000), `S${k}USDT`),
    );
    const matches = rows({ series, weights: defaultWeights });
    series.forEach(({ candles, symbol }, k) => {
      const want = everyBar(candles, defaultWeights);
      expect({ symbol: matches[k]!.symbol, votes: Object.values(matches[k]!.votes), score: matches[k]!.score }).toEqual(
        {
          symbol,
          ...want,
        },
      );
    });
  });

  it('has no score while a vote with a weight warms up, and the score 0 without any weight', () => {
    const short = seriesOf(randomCandles(seededRandom(2), 40));
    expect(rows({ series: [short], weights: { ichimoku: 1 } })[0]!.score).toBeNull();
    expect(rows({ series: [short], weights: { rsi: 1 } })[0]!.score).not.toBeNull();
    expect(rows({ series: [short], weights: {} })[0]!.score).toBe(0);
  });

  it('takes no series at all, and names what is wrong with one of many', () => {
    expect(rows({ series: [], weights: defaultWeights })).toEqual([]);
    const broken = structuredClone(randomCandles(seededRandom(2), 40));
    broken.high[7] = 0.5;
    const result = run({ series: [seriesOf(randomCandles(seededRandom(1), 40)), seriesOf(broken)], weights: {} });
    expect(result).toMatchObject({ ok: false, error: { code: 'bad_input', field: 'series[1].candles.high[7]' } });
    expect(run({ series: [], weights: { luck: 1 } })).toMatchObject({
      ok: false,
      error: { field: 'weights.luck' },
    });
  });
});
