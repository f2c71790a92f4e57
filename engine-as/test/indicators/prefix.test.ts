import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { type Columns, firstCandles, mulberry, roughMarket } from '../candles.ts';
import { cases, titleOf } from '../cases.ts';
import { expectSameBits, firstDifference, indicator, loadEngine, scoreOf, streamed, voteTable } from '../support.ts';

// No value may depend on a later candle: f(x[0..n]) and f(x)[0..n] are the same bits (look-ahead test).

const LENGTH = 600;
const random = mulberry(17);
/** Days of 96 and of other numbers of candles: the first starts late, and some candles are missing. */
const candles = withGaps(roughMarket(LENGTH + 40, 2026, { frozen: 0.1 }));

function withGaps(columns: Columns): Columns {
  const retained = [...columns.time.keys()].filter((i) => i >= 7 && (i * 7919) % 20 !== 3).slice(0, LENGTH);
  const pick = (column: Float64Array) => Float64Array.from(retained, (i) => column[i]!);
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, pick(column)])) as Columns;
}

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

describe(`at every one of ${LENGTH} cut points`, () => {
  it.each(cases.map((each) => [titleOf(each), each] as const))('%s depends on no later candle', (title, each) => {
    const whole = indicator(engine, each.id, candles, each.params);
    for (let cut = 0; cut < candles.close.length; cut++) {
      const part = indicator(engine, each.id, firstCandles(candles, cut), each.params);
      const want = Object.fromEntries(Object.entries(whole).map(([name, column]) => [name, column.slice(0, cut)]));
      expectSameBits(part, want, `${title} cut at ${cut}`);
    }
  });

  it('no vote and no score depends on a later candle', () => {
    const weights = [15, 15, 12, 10, 12, 10, 10, 8, 8, 6, 10, 8, 6, 3, 5, 7, 11, 20];
    const whole = voteTable(engine, candles);
    const { score, live } = scoreOf(engine, whole, weights);
    for (let cut = 0; cut < candles.close.length; cut++) {
      const part = voteTable(engine, firstCandles(candles, cut));
      part.votes.forEach((column, k) =>
        expect([...column], `vote ${k} cut at ${cut}`).toEqual([...whole.votes[k]!.slice(0, cut)]),
      );
      expect([...part.first]).toEqual([...whole.first].map((first) => Math.min(first, cut)));
      const partScore = scoreOf(engine, part, weights);
      expect(firstDifference(partScore.score, score.slice(0, cut)), `score cut at ${cut}`).toBe(-1);
      expect([...partScore.live]).toEqual([...live.slice(0, cut)]);
    }
  });
});

describe('streaming', () => {
  const names = cases.map((each) => [titleOf(each), each] as const);
  it.each(names)('%s candle by candle is the whole series to the bit', (title, each) => {
    const want = indicator(engine, each.id, candles, each.params);
    const steps = Array.from(candles.close, (_, i) => i + 1);
    const got = streamed(engine, each.id, candles, steps, each.params, (count, series) => {
      // The newest value equals that of the whole series.
      for (const [name, column] of Object.entries(series)) {
        const isSame = Object.is(column[count - 1], want[name]![count - 1]);
        if (!isSame)
          expect.fail(`${title} ${name} at ${count - 1}: ${column[count - 1]}, want ${want[name]![count - 1]}`);
      }
    });
    expectSameBits(got, want, title);
  });

  it.each(names)('%s in steps of any size is the whole series to the bit', (title, each) => {
    const want = indicator(engine, each.id, candles, each.params);
    for (let round = 0; round < 10; round++) {
      const steps: number[] = [];
      for (let at = 0; at < candles.close.length; at += 1 + Math.floor(random() ** 3 * 120)) steps.push(at);
      expectSameBits(
        streamed(engine, each.id, candles, [...steps, candles.close.length], each.params),
        want,
        `${title} ${steps.join()}`,
      );
    }
  });
});
