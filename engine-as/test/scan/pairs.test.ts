import { beforeAll, describe, expect, it } from 'vitest';
import { indicatorEntry, kernelParameters, resolveParameters } from '../../abi/registry.ts';
import { INDICATOR_STATE_LENGTH } from '../../abi/kinds.ts';
import { PAIR_LENGTH_MIN, STATES_SIZE } from '../../abi/scan.ts';
import { STATUS_OK } from '../../abi/status.ts';
import { BACKTEST_VOTE_COUNT } from '../../abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { type Columns, firstCandles, flatMarket, goldenWalk, mulberry, roughMarket } from '../candles.ts';
import { loadEngine, pushColumns, voteTable } from '../support.ts';

/** What a block of pairStates() holds, in order: indicator and number of values. */
const layout = [
  ['rsi', 3],
  ['macd', 6],
  ['adx', 5],
  ['supertrend', 7],
  ['obv', 2],
] as const;

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** Bits of the state that the kernel itself has after `count` candles. */
function kernelState(id: string, columns: number, count: number, size: number): string {
  const entry = indicatorEntry(id)!;
  const resolved = resolveParameters(entry, {});
  if (!resolved.ok) throw new Error(id);
  const mark = engine.raw.arenaMark();
  const params = engine.push(Float64Array.from(kernelParameters(entry, resolved.params)));
  const out = engine.reserve(entry.outputs.length * count);
  const state = engine.reserve(INDICATOR_STATE_LENGTH);
  engine.f64View(state, INDICATOR_STATE_LENGTH).fill(0);
  expect(engine.raw.indicator(entry.kind, columns, count, params, out, count, state)).toBe(STATUS_OK);
  const bits = bitsAt(state + 8, size);
  engine.raw.arenaRelease(mark);
  return bits;
}

const bitsAt = (address: number, size: number): string =>
  new BigUint64Array(engine.raw.memory.buffer.slice(address, address + 8 * size)).join(' ');

function expectKernelStates(pair: readonly [Columns, Columns], length: number): void {
  engine.raw.arenaReset();
  const columns = pair.map((candles) => pushColumns(engine, firstCandles(candles, length))) as [number, number];
  const states = engine.reserve(2 * STATES_SIZE);
  const planes = engine.reserve(3 * PAIR_LENGTH_MIN);
  expect(engine.raw.pairStates(...columns, length, states, planes)).toBe(STATUS_OK);
  columns.forEach((each, lane) => {
    let at = states + 8 * lane * STATES_SIZE;
    for (const [id, size] of layout) {
      const seen = engine.f64View(at, 1)[0]!;
      expect(seen, `${id} leaves the last candle to the kernel`).toBeLessThan(length);
      expect(bitsAt(at, size), `${id}, series ${lane} of ${length}`).toBe(kernelState(id, each, seen, size));
      at += 8 * size;
    }
  });
}

/** Votes and whether they are defined: of both series from one walk, and of each from the kernels of every candle. */
function expectKernelVotes(pair: readonly [Columns, Columns], length: number): void {
  const cut = pair.map((candles) => firstCandles(candles, length)) as [Columns, Columns];
  const want = cut.map((candles) => {
    const { votes, first } = voteTable(engine, candles);
    const thirteen = [...votes.keys()].slice(0, BACKTEST_VOTE_COUNT);
    return { votes: thirteen.map((k) => votes[k]![length - 1]!), live: thirteen.map((k) => +(first[k]! < length)) };
  });
  engine.raw.arenaReset();
  const columns = cut.map((candles) => pushColumns(engine, candles)) as [number, number];
  const votes = engine.reserveBytes(4 * BACKTEST_VOTE_COUNT);
  const live = votes + 2 * BACKTEST_VOTE_COUNT;
  expect(engine.raw.lastVotesOfTwo(...columns, length, votes, live)).toBe(STATUS_OK);
  const read = (at: number, lane: number) => [...engine.i8View(at + 13 * lane, 13)];
  const found = [0, 1].map((lane) => ({ votes: read(votes, lane), live: read(live, lane) }));
  expect(found, `length ${length}`).toEqual(want);
}

describe('two series side by side', () => {
  const random = mulberry(2600);
  const markets = Array.from({ length: 30 }, (_, k) =>
    roughMarket(300 + Math.floor(random() * 500), 3000 + k, { frozen: k % 3 === 0 ? 0.3 : 0.02 }),
  );

  it('have the states of the kernels to the bit, in rough, frozen and plain markets', () => {
    for (let k = 0; k + 1 < markets.length; k++) {
      const pair = [markets[k]!, markets[k + 1]!] as const;
      const longest = Math.min(pair[0].close.length, pair[1].close.length);
      for (const length of [PAIR_LENGTH_MIN, PAIR_LENGTH_MIN + 1 + (k % 7), longest - (k % 5), longest]) {
        expectKernelStates(pair, length);
      }
    }
    expectKernelStates([flatMarket(400), goldenWalk(400)], 400);
  });

  it('have the votes of the kernels at every length, whatever the other lane holds', () => {
    for (let length = 1; length <= 200; length += length < 120 ? 1 : 7)
      expectKernelVotes([markets[0]!, markets[1]!], length);
    for (let k = 0; k + 1 < markets.length; k++) expectKernelVotes([markets[k]!, markets[k + 1]!], 300);
    expectKernelVotes([flatMarket(400), goldenWalk(400)], 400);
  });
});

describe('the last leg', () => {
  /** `turns` prices, each walked to in `stride` candles: legs as long as a test wants them. */
  function zigzag(turns: readonly number[], stride: number): Columns {
    const closes = turns.slice(1).flatMap((to, k) => {
      const from = turns[k]!;
      return Array.from({ length: stride }, (_, i) => from + ((to - from) * (i + 1)) / stride);
    });
    const market = flatMarket(closes.length);
    closes.forEach((close, i) => {
      market.close[i] = close;
      market.open[i] = i === 0 ? close : closes[i - 1]!;
      market.high[i] = Math.max(close, market.open[i]) + 0.01;
      market.low[i] = Math.min(close, market.open[i]) - 0.01;
    });
    return market;
  }

  it('is the same however far back its swings lie: legs of 6 to 300 candles, trends, nested and ignored swings', () => {
    const random = mulberry(77);
    for (const stride of [6, 9, 17, 40, 90, 300]) {
      for (let run = 0; run < 12; run++) {
        let price = 500;
        const drift = [0, 12, -12][run % 3]!;
        const turns = Array.from({ length: Math.max(4, Math.ceil(700 / stride)) }, (_, i) => {
          price = Math.max(20, price + drift + (i % 2 ? 1 : -1) * (2 + 60 * random()));
          return price;
        });
        const market = zigzag(turns, stride);
        expectKernelVotes([market, zigzag([...turns].reverse(), stride)], market.close.length);
      }
    }
  });

  it('is the same where wicks put swing highs under older swing lows, and both kinds on neighbouring candles', () => {
    const random = mulberry(78);
    /** Falling and rising stretches under wicks that have nothing to do with them, then a stretch without any swing. */
    const wicked = (length: number): Columns => {
      const market = flatMarket(length);
      const swinging = length - Math.floor(60 * random());
      const wick = (i: number): number => (i > swinging ? 1 : random() < 0.3 ? 60 * random() : 3 * random());
      let price = 2000;
      let slope = 0;
      for (let i = 0; i < length; i++) {
        if (random() < 0.08 && i < swinging) slope = 24 * (random() - 0.5);
        price = Math.max(300, price + slope);
        market.high[i] = price + wick(i);
        market.low[i] = price - wick(i);
      }
      // Somewhere within the last legs, so that the vote tells them apart.
      const top = Math.max(...market.high.slice(-90, -5));
      const bottom = Math.min(...market.low.slice(-90, -5));
      market.close[length - 1] = bottom + random() * (top - bottom);
      return market;
    };
    for (let run = 0; run < 1000; run++) {
      const length = 120 + (run % 40);
      expectKernelVotes([wicked(length), wicked(length)], length);
    }
  });
});
