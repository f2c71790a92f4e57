import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS_OK } from '../../abi/status.ts';
import { BACKTEST_VOTE_COUNT } from '../../abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { type Columns, firstCandles, flatMarket, goldenWalk, mulberry, roughMarket } from '../candles.ts';
import { loadEngine, pushColumns, voteTable } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** Votes of the last candle and whether they are defined: the same as from the kernels of every candle. */
function expectKernelVotes(candles: Columns, length: number): void {
  const cut = firstCandles(candles, length);
  const table = voteTable(engine, cut);
  const thirteen = [...table.votes.keys()].slice(0, BACKTEST_VOTE_COUNT);
  const want = {
    votes: thirteen.map((k) => table.votes[k]![length - 1]!),
    live: thirteen.map((k) => +(table.first[k]! < length)),
  };
  engine.raw.arenaReset();
  const columns = pushColumns(engine, cut);
  const votes = engine.reserveBytes(2 * BACKTEST_VOTE_COUNT);
  const live = votes + BACKTEST_VOTE_COUNT;
  expect(engine.raw.lastVotes(columns, length, votes, live)).toBe(STATUS_OK);
  const read = (at: number) => [...engine.i8View(at, BACKTEST_VOTE_COUNT)];
  expect({ votes: read(votes), live: read(live) }, `length ${length}`).toEqual(want);
}

describe('the votes of the last candle', () => {
  const random = mulberry(2600);
  const markets = Array.from({ length: 30 }, (_, k) =>
    roughMarket(300 + Math.floor(random() * 500), 3000 + k, { frozen: k % 3 === 0 ? 0.3 : 0.02 }),
  );

  it('are those of the kernels at every length, in rough, frozen and plain markets', () => {
    for (let length = 1; length <= 200; length += length < 120 ? 1 : 7)
      for (const market of [markets[0]!, markets[1]!]) expectKernelVotes(market, length);
    for (const market of markets) for (const length of [299, 300]) expectKernelVotes(market, length);
    for (const market of [flatMarket(400), goldenWalk(400)]) expectKernelVotes(market, 400);
  });
});

describe('the last leg', () => {
  /** `turns` prices, each reached in `stride` candles, so that a test sets the length of the legs. */
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
        for (const walk of [market, zigzag([...turns].reverse(), stride)]) expectKernelVotes(walk, walk.close.length);
      }
    }
  });

  it('is the same where wicks put swing highs under older swing lows, and both kinds on neighbouring candles', () => {
    const random = mulberry(78);
    /** Falling and rising stretches under unrelated wicks, then a stretch without any swing. */
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
      // Inside the last legs, so that the vote differs between them.
      const top = Math.max(...market.high.slice(-90, -5));
      const bottom = Math.min(...market.low.slice(-90, -5));
      market.close[length - 1] = bottom + random() * (top - bottom);
      return market;
    };
    for (let run = 0; run < 1000; run++) {
      const length = 120 + (run % 40);
      for (let k = 0; k < 2; k++) expectKernelVotes(wicked(length), length);
    }
  });
});
