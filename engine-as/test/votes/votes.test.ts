import { beforeAll, describe, expect, it } from 'vitest';
import { defaultParameters, voteRegistry } from '../../abi/registry.ts';
import { STATUS_BAD_PARAMETER } from '../../abi/status.ts';
import { VOTE_COUNT, VOTE_MFI, VOTE_OBV, VOTE_VWAP } from '../../abi/votes.ts';
import { voteIds } from '../../abi/voteExports.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candlesOf, flatMarket, goldenWalk, roughMarket } from '../candles.ts';
import { votesReference } from '../reference/votes.ts';
import { loadEngine, pushColumns, voteTable } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const markets = {
  'the golden walk': goldenWalk(500),
  'a rough market': roughMarket(400, 21),
  'a market that mostly stands still': roughMarket(300, 22, { frozen: 0.85 }),
  'a wild market of daily candles': roughMarket(300, 23, { volatility: 0.1, stepMs: 86_400_000 }),
};

describe.each(Object.entries(markets))('on %s', (_, candles) => {
  const want = votesReference(candles);
  const length = candles.close.length;

  it.each(voteIds.map((id, k) => [id, k] as const))('%s votes by its rule', (id, k) => {
    const { votes, first } = voteTable(engine, candles);
    const defined = want[id]!.findIndex((vote) => !Number.isNaN(vote));
    expect(first[k]).toBe(defined < 0 ? length : defined);
    const got = [...votes[k]!];
    // Negative zero is how 0 - 0 may look in the twin.
    expect(got).toEqual(want[id]!.map((vote) => (Number.isNaN(vote) ? 0 : vote + 0)));
  });
});

describe('votes', () => {
  it('start where the registry says, or later where it depends on the candles', () => {
    const { first } = voteTable(engine, roughMarket(600, 24, { frozen: 0 }));
    voteRegistry.forEach((vote, k) => {
      const { id } = vote;
      const warmup = vote.warmup(defaultParameters(vote));
      if (id === 'fib' || id === 'pivot') expect(first[k], id).toBeGreaterThanOrEqual(warmup);
      else expect(first[k], id).toBe(warmup);
    });
  });

  it('are both long and short somewhere', () => {
    const { votes } = voteTable(engine, goldenWalk(1000));
    votes.forEach((column, k) => {
      expect(column.includes(1), voteIds[k]).toBe(true);
      expect(column.includes(-1), voteIds[k]).toBe(true);
    });
  });

  it('have no opinion on a market that never moved, except the direction supertrend starts with', () => {
    const { votes } = voteTable(engine, flatMarket(300, 0.1));
    votes.forEach((column, k) => {
      if (voteIds[k] !== 'supertrend')
        expect(
          column.every((vote) => vote === 0),
          voteIds[k],
        ).toBe(true);
    });
  });

  it('of volume say nothing on a candle without volume', () => {
    const candles = roughMarket(400, 25, { frozen: 0.3 });
    const { votes } = voteTable(engine, candles);
    for (const k of [VOTE_VWAP, VOTE_MFI, VOTE_OBV]) {
      expect([...votes[k]!].some((vote, i) => vote !== 0 && candles.volume[i] === 0)).toBe(false);
    }
  });

  it('are mirrored when prices are turned upside down, where the rule is symmetric', () => {
    // Around 1000 with a range of some units, 2000 - price is the same market seen from below.
    const candles = roughMarket(400, 26, { price: 1000, volatility: 0.002, frozen: 0 });
    const turned = {
      ...candles,
      open: candles.open.map((price) => 2000 - price),
      high: candles.low.map((price) => 2000 - price),
      low: candles.high.map((price) => 2000 - price),
      close: candles.close.map((price) => 2000 - price),
    };
    const [a, b] = [voteTable(engine, candles), voteTable(engine, turned)];
    for (const id of [
      'rsi',
      'macd',
      'boll',
      'adx',
      'donchian',
      'ichimoku',
      'stochrsi',
      'ema_cross',
      'sma_cross',
      'cci',
    ]) {
      const k = voteIds.indexOf(id as (typeof voteIds)[number]);
      expect(
        [...b.votes[k]!].map((vote) => -vote + 0),
        id,
      ).toEqual([...a.votes[k]!]);
    }
  });

  it.each([0, 1, 2, 5])('of %i candles are not defined beyond them', (count) => {
    const { first } = voteTable(engine, roughMarket(count, 2));
    expect([...first].every((candle) => candle <= count)).toBe(true);
  });

  it('reject a stride shorter than the candles', () => {
    engine.raw.arenaReset();
    const columns = pushColumns(engine, candlesOf([1, 2, 3]));
    const out = engine.reserveBytes(VOTE_COUNT * 3);
    expect(engine.raw.votes(columns, 3, out, 2, engine.reserveBytes(4 * VOTE_COUNT), 0)).toBe(STATUS_BAD_PARAMETER);
  });

  it('touch nothing beyond the candles of a wider stride', () => {
    engine.raw.arenaReset();
    const columns = pushColumns(engine, roughMarket(100, 3));
    const out = engine.reserveBytes(VOTE_COUNT * 112);
    engine.u8View(out, VOTE_COUNT * 112).fill(0x5a);
    engine.raw.votes(columns, 100, out, 112, engine.reserveBytes(4 * VOTE_COUNT), 0);
    for (let k = 0; k < VOTE_COUNT; k++) {
      expect([...engine.u8View(out + k * 112 + 100, 12)]).toEqual(Array<number>(12).fill(0x5a));
    }
  });
});
