import { beforeAll, describe, expect, it } from 'vitest';
import { voteRegistry } from '../../abi/registry.ts';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status.ts';
import {
  decidingParameters,
  parametersOfVote,
  rejectParameters,
  dayCandles,
  signalCandles,
  votesWarmup,
  voteParameterRecord,
  voteParameterSlots,
} from '../../abi/voteParameters.ts';
import { VOTE_COUNT, VOTE_EMA_CROSS, VOTE_RSI, VOTE_SMA_CROSS } from '../../abi/votes.ts';
import { voteIds } from '../../abi/voteExports.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candlesOf, firstCandles, goldenWalk, mulberry, roughMarket } from '../candles.ts';
import { randomParameters } from '../randomParameters.ts';
import { votesReference } from '../reference/votes.ts';
import { loadEngine, pushColumns, voteTable } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const plain = (vote: number): number => (Number.isNaN(vote) ? 0 : vote + 0);

describe('votes with custom parameters', () => {
  const random = mulberry(4400);
  const cases = Array.from({ length: 10 }, (_, i) => ({
    index: i,
    parameters: randomParameters(random, i % 4 === 3 ? 200 : 60),
    candles: i % 3 === 0 ? goldenWalk(420) : roughMarket(380 + i, 4400 + i, { frozen: i % 5 === 0 ? 0.3 : 0.02 }),
  }));

  it.each(cases)('vote as the slow twins do, random parameters $index', ({ parameters, candles }) => {
    const want = votesReference(candles, parameters);
    const { votes, first } = voteTable(engine, candles, parameters);
    voteIds.forEach((id, k) => {
      const where = `${id} ${JSON.stringify(parameters[id])}`;
      const defined = want[id]!.findIndex((vote) => !Number.isNaN(vote));
      expect(first[k], where).toBe(defined < 0 ? candles.close.length : defined);
      expect([...votes[k]!], where).toEqual(want[id]!.map(plain));
    });
  });

  it.each(cases)('do not change when candles follow, random parameters $index', ({ parameters, candles }) => {
    const whole = voteTable(engine, candles, parameters);
    for (const length of [1, 57, 133, 250, candles.close.length - 1]) {
      const part = voteTable(engine, firstCandles(candles, length), parameters);
      voteIds.forEach((id, k) => {
        expect(part.first[k], id).toBe(Math.min(whole.first[k]!, length));
        expect(part.votes[k], id).toEqual(whole.votes[k]!.slice(0, length));
      });
    }
  });

  it.each(cases)('start where the registry says, random parameters $index', ({ parameters, candles }) => {
    const { first } = voteTable(engine, candles, parameters);
    voteRegistry.forEach((vote, k) => {
      const warmup = Math.min(candles.close.length, vote.warmup(parametersOfVote(vote, parameters)));
      if (vote.id === 'fib' || vote.id === 'pivot') expect(first[k], vote.id).toBeGreaterThanOrEqual(warmup);
      else expect(first[k], vote.id).toBe(warmup);
    });
  });

  it('give the values worked out by hand', () => {
    // Changes +1 -1 +2 with period 2: RSI 50 at candle 2, 83.33 at candle 3 (docs/indicators.md).
    const candles = candlesOf([10, 11, 10, 12]);
    const rsi = (own: Record<string, number>) => [
      ...voteTable(engine, candles, { rsi: { period: 2, ...own } }).votes[VOTE_RSI]!,
    ];
    expect(rsi({})).toEqual([0, 0, 0, -1]);
    expect(rsi({ overbought: 84 })).toEqual([0, 0, 0, 0]);
    expect(rsi({ oversold: 50, overbought: 83 })).toEqual([0, 0, 0, -1]);
    expect(rsi({ oversold: 50.1, overbought: 84 })).toEqual([0, 0, 1, 0]);
    // Closes 1 2 3 6: SMA(1) is the close, SMA(2) 1.5 2.5 4.5; EMA(2) 1.5 2.5 4.8333.
    const rising = candlesOf([1, 2, 3, 6, 4]);
    const crosses = voteTable(engine, rising, { sma_cross: { fast: 1, slow: 2 }, ema_cross: { fast: 1, slow: 2 } });
    expect([...crosses.votes[VOTE_SMA_CROSS]!]).toEqual([0, 1, 1, 1, -1]);
    expect([...crosses.votes[VOTE_EMA_CROSS]!]).toEqual([0, 1, 1, 1, -1]);
  });

  it('are those of the defaults when every parameter is stated as the default', () => {
    const candles = goldenWalk(500);
    const stated = Object.fromEntries(voteRegistry.map((vote) => [vote.id, parametersOfVote(vote)]));
    expect(voteTable(engine, candles, stated)).toEqual(voteTable(engine, candles));
  });

  it('are long somewhere and short somewhere, each of them, under the random parameters', () => {
    const tables = cases.map(({ candles, parameters }) => voteTable(engine, candles, parameters));
    voteIds.forEach((id, k) => {
      for (const side of [1, -1])
        expect(
          tables.some(({ votes }) => votes[k]!.includes(side)),
          `${id} ${side}`,
        ).toBe(true);
    });
  });

  it('are rejected by the kernel beyond the bounds of the registry, whichever parameter it is', () => {
    const candles = candlesOf([1, 2, 3]);
    const votesWith = (change?: { slot: number; value: number }): number => {
      engine.raw.arenaReset();
      const record = voteParameterRecord();
      if (change !== undefined) record[change.slot] = change.value;
      const [columns, at] = [pushColumns(engine, candles), engine.push(record)];
      const [out, first] = [engine.reserveBytes(3 * VOTE_COUNT), engine.reserveBytes(4 * VOTE_COUNT)];
      return engine.raw.votes(columns, 3, out, 3, first, at);
    };
    expect(votesWith()).toBe(STATUS_OK);
    voteParameterSlots.forEach(({ field, parameter: { min, max, isInteger } }, slot) => {
      for (const value of [min - 0.001, max + 1, Number.NaN, ...(isInteger ? [min + 0.5] : [])])
        expect(votesWith({ slot, value }), `${field} ${value}`).toBe(STATUS_BAD_PARAMETER);
    });
  });
});

describe('the parameters of a strategy', () => {
  it.each([
    [{ rsi: { period: 0 } }, ['rsi', 'period'], 'from 1 to 200'],
    [{ rsi: { period: 14.5 } }, ['rsi', 'period'], 'whole number'],
    [{ rsi: { length: 14 } }, ['rsi', 'length'], 'it takes period, oversold, overbought'],
    [{ rsi: { oversold: 75 } }, ['rsi', 'oversold'], 'below `overbought`'],
    [{ macd: { fast: 30 } }, ['macd', 'fast'], 'shorter than `slow`'],
    [{ ema_cross: { slow: 12 } }, ['ema_cross', 'fast'], 'shorter than `slow`'],
    [{ fib: { near: 0.7 } }, ['fib', 'near'], 'below `far`'],
    [{ vwap: { period: 201 } }, ['vwap', 'period'], 'from 0 to 200'],
    [{ pivot: { period: 3 } }, ['pivot'], 'not a vote with parameters'],
    [{ news: { period: 3 } }, ['news'], 'not a vote with parameters'],
  ])('are rejected by name: %o', (parameters, path, text) => {
    const rejection = rejectParameters(parameters);
    expect(rejection?.path).toEqual(path);
    expect(rejection?.message).toContain(text);
  });

  it('count only where they differ and the vote weighs something', () => {
    const weights = { rsi: 1, macd: 0, cci: -1 };
    expect(decidingParameters({ weights, parameters: undefined })).toBeUndefined();
    expect(decidingParameters({ weights, parameters: { rsi: { period: 14 }, macd: { fast: 5 } } })).toBeUndefined();
    const mixed = { cci: { breakout: 150, period: 20 }, rsi: { overbought: 80, period: 21 }, macd: { fast: 5 } };
    expect(JSON.stringify(decidingParameters({ weights, parameters: mixed }))).toBe(
      '{"rsi":{"period":21,"overbought":80},"cci":{"breakout":150}}',
    );
  });

  it('say how many candles they need', () => {
    expect(votesWarmup({ weights: { rsi: 1 }, parameters: undefined })).toBe(14);
    expect(votesWarmup({ weights: { rsi: 1 }, parameters: { rsi: { period: 100 } } })).toBe(100);
    expect(votesWarmup({ weights: { rsi: 1, ichimoku: 0 }, parameters: { ichimoku: { span: 200 } } })).toBe(14);
    const hour = 3_600_000;
    const all = { weights: Object.fromEntries(voteIds.map((id) => [id, 1])), parameters: undefined };
    // Every vote at the defaults settles in the candles a scan reads.
    expect(signalCandles(all, hour)).toBe(500);
    // 100 to warm up, 200 to compare, 1,000 to fade what came before.
    expect(signalCandles({ weights: { rsi: 1 }, parameters: { rsi: { period: 100 } } }, hour)).toBe(1300);
    // A window forgets entirely: 200 + 200 - 2 and 200.
    expect(
      signalCandles({ weights: { ich_cloud: 1 }, parameters: { ich_cloud: { span: 200, displacement: 200 } } }, hour),
    ).toBe(600);
    // Pivots read the UTC day before: two days of minutes are 2,880 candles, of 5 minutes 576, of 15 minutes 192; and 200 to compare.
    expect([60_000, 300_000, 900_000].map((stepMs) => signalCandles(all, stepMs))).toEqual([3100, 800, 500]);
    expect(signalCandles({ weights: { rsi: 1 } }, 60_000)).toBe(500);
    expect([1, 5, 15, 60, 1440].map((minutes) => dayCandles(all, minutes * 60_000))).toEqual([2880, 576, 192, 48, 2]);
    expect(dayCandles({ weights: { rsi: 1, pivot: 0 } }, 60_000)).toBe(0);
  });
});
