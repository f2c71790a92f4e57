import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { SizedSpread, SpreadResult } from '@sextant/workers/src/protocol/spread.ts';
import { describe, expect, it } from 'vitest';
import { engineTimeoutMs, testEngine } from '../../../../workers/test/support/engine.ts';
import type { PairBooks } from '../../../src/api/types.ts';
import {
  curveSizes,
  placeOf,
  sizeAt,
  sizeRange,
  spreadInput,
  verdictText,
  walkBoth,
} from '../../../src/features/arbitrage/pairNet.ts';

const now = Date.UTC(2026, 2, 2, 12);

const legOf = (change: Partial<PairBooks['buy']>): PairBooks['buy'] => ({
  exchange: 'binance',
  contract: 'AUSDT',
  multiplier: 1,
  bids: [[99, 5]],
  asks: [[104, 5]],
  atMs: now,
  receivedAtMs: now,
  takerFeeFraction: 0.0005,
  fundingRate: null,
  nextFundingAtMs: null,
  fundingIntervalHours: 8,
  stepSize: 0.01,
  minNotionalUsdt: 5,
  ...change,
});

/** The worked number of docs/arbitrage.md: its books, fundings and step. */
const documented: PairBooks = {
  symbol: 'AUSDT',
  buy: legOf({
    asks: [
      [100, 1],
      [101, 2],
    ],
    fundingRate: 0.0003,
    nextFundingAtMs: now + 2 * 3_600_000,
  }),
  sell: legOf({
    exchange: 'okx',
    bids: [
      [103, 1],
      [102, 5],
    ],
    fundingRate: 0.0001,
    nextFundingAtMs: now + 2 * 3_600_000,
  }),
  quantityStep: 0.01,
  minNotionalUsdt: 5,
  skewMs: 3,
  isComparable: true,
  skewLimitMs: 2000,
};
const terms = { takerFees: { binance: 0.0005, bybit: 0.1, okx: 0.00055 }, holdHours: 8 };

async function sized(books: PairBooks, notional: number): Promise<{ at: SizedSpread; best: SpreadResult['best'] }> {
  const input = spreadInput(books, terms, now, [notional]);
  const outcome = runTask(startEngine(await testEngine()), { name: 'spread', input }) as TaskResult<SpreadResult>;
  if (!outcome.ok) throw new Error(outcome.error.message);
  const [at] = outcome.value.sizes;
  if (at === undefined) throw new Error('no size');
  return { at, best: outcome.value.best };
}

describe('the open pair', () => {
  it(
    'computes the number that the documentation works by hand in the engine',
    async () => {
      const { at } = await sized(documented, 250);
      expect(at.quantity).toBeCloseTo(2.48, 12);
      expect(at.grossUsdt).toBeCloseTo(4.48, 10);
      expect(at.feesInUsdt).toBeCloseTo(0.264418, 9);
      expect(at.feesOutUsdt).toBeCloseTo(0.264306, 9);
      expect(at.fundingUsdt).toBeCloseTo(0.050344, 9);
      expect(at.netUsdt).toBeCloseTo(3.900932, 9);
    },
    engineTimeoutMs,
  );

  it('counts the next funding only where an exchange does not say its interval, and no break-even by it', async () => {
    const held = { ...terms, holdHours: 24 };
    const at = async (books: PairBooks): Promise<SizedSpread> => {
      const input = spreadInput(books, held, now, [250]);
      const outcome = runTask(startEngine(await testEngine()), { name: 'spread', input }) as TaskResult<SpreadResult>;
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.value.sizes[0]!;
    };
    const silent = { ...documented, buy: { ...documented.buy, fundingIntervalHours: null } };
    // After 2, 10 and 18 h: three on both legs.
    expect((await at(documented)).fundingUsdt).toBeCloseTo(3 * 0.0002 * 251.72, 9);
    // One is paid on the bought leg, three are received on the sold one.
    expect((await at(silent)).fundingUsdt).toBeCloseTo((0.0003 - 3 * 0.0001) * 251.72, 9);
    // Both books at one price: the sold leg would receive 0.0001 every 8 h.
    const level: [number, number][] = [[100, 9]];
    const flat = {
      ...documented,
      buy: legOf({ asks: [[100.001, 9]], fundingRate: 0 }),
      sell: { ...documented.sell, bids: level },
    };
    expect((await at(flat)).breakEvenHours).toBeGreaterThan(0);
    const unknown = { ...flat, sell: { ...flat.sell, fundingIntervalHours: null } };
    expect((await at(unknown)).breakEvenHours).toBeNull();
  });

  it('spans sizes from the smallest order to what both books hold', () => {
    // Asks hold 100 + 202 USDT, bids 103 + 510.
    expect(sizeRange(documented)).toEqual({ min: 10, max: 302 });
    expect(sizeRange({ ...documented, minNotionalUsdt: 100 })?.min).toBe(102);
    expect(sizeRange({ ...documented, sell: legOf({ bids: [] }) })).toBeNull();
    expect(sizeRange({ ...documented, minNotionalUsdt: 500 })).toEqual({ min: 510, max: 1020 });
  });

  it('steps the slider by equal factors', () => {
    const range = { min: 10, max: 100_000 };
    expect([0, 0.25, 0.5, 0.75, 1].map((place) => sizeAt(range, place))).toEqual([10, 100, 1000, 10_000, 100_000]);
    expect(placeOf(range, 1000)).toBeCloseTo(0.5, 12);
    expect([placeOf(range, 1), placeOf(range, 1e9)]).toEqual([0, 1]);
    const sizes = curveSizes(range);
    expect(sizes[0]).toBe(10);
    expect(sizes.at(-1)).toBeCloseTo(100_000, 6);
    expect(sizes.every((size, at) => at === 0 || size > (sizes[at - 1] ?? 0))).toBe(true);
  });

  it('walks both books together', () => {
    const { buy, sell } = documented;
    expect(walkBoth(buy.asks, sell.bids)).toEqual([
      { coins: 1, ask: 100, bid: 103 },
      { coins: 3, ask: 101, bid: 102 },
    ]);
    expect(walkBoth([[1, 2]], [[3, 1]])).toEqual([{ coins: 1, ask: 1, bid: 3 }]);
    expect(walkBoth([], sell.bids)).toEqual([]);
  });
});

describe('what must happen for a pair to pay', () => {
  const say = async (books: PairBooks, notional: number) => {
    const { at, best } = await sized(books, notional);
    return verdictText(books, at, best, 8);
  };

  it(
    'says it in one sentence for each case',
    async () => {
      expect(await say(documented, 250)).toBe(
        'This pays 3.90 USDT if both orders fill at these prices and the price of OKX falls to that of Binance within 8 h, when both legs are closed.',
      );
      expect(await say({ ...documented, isComparable: false, skewMs: 3500 }, 250)).toContain(
        'The two books are 3 s apart, more than 2 s',
      );
      const swapped = { ...documented, buy: documented.sell, sell: documented.buy };
      expect(await say(swapped, 250)).toBe(
        'There is nothing to earn at this size: buying on OKX costs at least what Binance pays.',
      );
      expect(await say(documented, 1)).toBe('Below the smallest order both exchanges accept.');
    },
    engineTimeoutMs,
  );

  it(
    'names the costs, the size up to which it pays, and the hours of funding that would pay the rest',
    async () => {
      // 0.1 % gross; fees of 0.105 % in and as much out.
      const thin = {
        ...documented,
        buy: legOf({ asks: [[100, 50]] }),
        sell: legOf({ exchange: 'okx' as const, bids: [[100.1, 50]] }),
      };
      expect(await say(thin, 1000)).toBe(
        'The spread is 0.100\u00a0% and the costs are 0.210\u00a0%. It pays only above 0.210\u00a0%, once the two prices meet.',
      );
      const received = { ...thin, sell: { ...thin.sell, fundingRate: 0.0002, nextFundingAtMs: now + 3_600_000 } };
      // 0.11 % are missing, 0.02 % come each 8 hours: 44 hours.
      expect(await say(received, 1000)).toMatch(/Otherwise collect the current funding for 1 d (19|20) h\.$/);
      const deep = {
        ...documented,
        buy: legOf({
          asks: [
            [100, 1],
            [103.5, 20],
          ],
        }),
        sell: legOf({ exchange: 'okx', bids: [[103, 50]] }),
      };
      expect(await say(deep, 600)).toContain('at this size, too large for these books. Up to about 100 USDT it pays.');
      expect(await say(deep, 2000)).toContain('costs at least what OKX pays. Up to about 100 USDT it pays.');
    },
    engineTimeoutMs,
  );
});
