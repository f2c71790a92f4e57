import { readFile } from 'node:fs/promises';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { SPREAD_LENGTH, SPREAD_TERMS_LENGTH, spreadSlot, spreadTermsSlot as slot } from '../../abi/records.ts';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status.ts';
import { mulberry } from '../candles.ts';
import { bestSpreadReference, type Level, spreadAtReference, spreadOf, type Terms } from '../reference/spread.ts';
import { loadEngine } from '../support.ts';

/** SPREAD_BOOKS=100000 for all of them, as `npm run test:statistics` does. */
const bookCount = Number(process.env['SPREAD_BOOKS'] ?? 5000);

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

type Spread = Record<keyof typeof spreadSlot, number>;

const bookAt = (levels: readonly Level[]): number =>
  engine.push(Float64Array.from(levels.flatMap(({ price, coins }) => [price, coins])));

function termsRecord({ notional, holdHours, step, minNotional, buy, sell }: Terms): Float64Array {
  const record = new Float64Array(SPREAD_TERMS_LENGTH);
  Object.entries({
    notional,
    holdHours,
    step,
    minNotional,
    buyTakerFee: buy.takerFee,
    sellTakerFee: sell.takerFee,
    buyFundingRate: buy.fundingRate,
    buyFundingHours: buy.fundingHours,
    buyFundingInterval: buy.fundingInterval,
    sellFundingRate: sell.fundingRate,
    sellFundingHours: sell.fundingHours,
    sellFundingInterval: sell.fundingInterval,
  }).forEach(([name, value]) => (record[slot[name as keyof typeof slot]] = value));
  return record;
}

function run(kernel: 'spreadAt' | 'bestSpread', asks: readonly Level[], bids: readonly Level[], terms: Terms) {
  engine.raw.arenaReset();
  const out = engine.reserve(SPREAD_LENGTH);
  const [asksAt, bidsAt, termsAt] = [bookAt(asks), bookAt(bids), engine.push(termsRecord(terms))];
  // A sentinel shows what was not written.
  engine.f64View(out, SPREAD_LENGTH).fill(-77);
  const status = engine.raw[kernel](asksAt, asks.length, bidsAt, bids.length, termsAt, out);
  const view = engine.f64View(out, SPREAD_LENGTH);
  const spread = Object.fromEntries(Object.entries(spreadSlot).map(([name, index]) => [name, view[index]])) as Spread;
  return { status, spread };
}

const levels = (...rows: [number, number][]): Level[] => rows.map(([price, coins]) => ({ price, coins }));
const leg = (takerFee: number, fundingRate = 0, fundingHours = -1) => ({
  takerFee,
  fundingRate,
  fundingHours,
  fundingInterval: 8,
});
const plain: Terms = { notional: 100, holdHours: 8, step: 0, minNotional: 0, buy: leg(0.0005), sell: leg(0.0005) };
const at = (asks: Level[], bids: Level[], terms: Partial<Terms> = {}): Spread => {
  const { status, spread } = run('spreadAt', asks, bids, { ...plain, ...terms });
  expect(status).toBe(STATUS_OK);
  return spread;
};

describe('a spread by both order books, worked by hand', () => {
  it('is the example of docs/arbitrage.md, digit by digit', async () => {
    const text = await readFile(new URL('../../../docs/arbitrage.md', import.meta.url), 'utf8');
    const spread = at(levels([100, 1], [101, 2]), levels([103, 1], [102, 5]), {
      notional: 250,
      step: 0.01,
      buy: leg(0.0005, 0.0003, 2),
      sell: leg(0.00055, 0.0001, 2),
    });
    expect(spread.quantity).toBe(2.48);
    expect(spread.buyNotional).toBeCloseTo(249.48, 10);
    expect(spread.sellNotional).toBeCloseTo(253.96, 10);
    const stated = {
      'Gross 4.48 USDT, 1.7957 %': `Gross ${spread.gross.toFixed(2)} USDT, ${(spread.grossFraction * 100).toFixed(4)} %`,
      '= 0.264418.': `= ${spread.feesIn.toFixed(6)}.`,
      '= 0.264306.': `= ${spread.feesOut.toFixed(6)}.`,
      '= 0.050344 paid.': `= ${spread.funding.toFixed(6)} paid.`,
      '= 3.900932 USDT, 1.5636 %.': `= ${spread.net.toFixed(6)} USDT, ${(spread.netFraction * 100).toFixed(4)} %.`,
    };
    for (const [written, computed] of Object.entries(stated)) {
      expect(computed).toBe(written);
      expect(text).toContain(written);
    }
  });

  it('of one level each takes the notional at the best prices', () => {
    const { quantity, buyPrice, sellPrice, gross, feesIn, feesOut, net, isFilled, worstLeg } = at(
      levels([50, 10]),
      levels([51, 10]),
    );
    expect({ quantity, buyPrice, sellPrice, gross, isFilled, worstLeg }).toEqual({
      quantity: 2,
      buyPrice: 50,
      sellPrice: 51,
      gross: 2,
      isFilled: 1,
      worstLeg: 0,
    });
    expect(feesIn).toBeCloseTo(0.0005 * 100 + 0.0005 * 102, 12);
    expect(feesOut).toBeCloseTo(0.001 * 101, 12);
    expect(net).toBeCloseTo(2 - 0.101 - 0.101, 12);
  });

  it('of thin books is what both hold together, and says that it is not filled', () => {
    // The asks hold 3 coins for 301, the bids only 1.5.
    const { quantity, isFilled, buyNotional, sellNotional, buyWorst, sellWorst, worstLeg } = at(
      levels([100, 2], [101, 1]),
      levels([104, 1], [90, 0.5]),
      { notional: 1000 },
    );
    expect({ quantity, isFilled, buyNotional, sellNotional, buyWorst, sellWorst, worstLeg }).toEqual({
      quantity: 1.5,
      isFilled: 0,
      buyNotional: 150,
      sellNotional: 149,
      buyWorst: 100,
      sellWorst: 90,
      worstLeg: -1,
    });
  });

  it('of books that do not cross is negative, and no size is best', () => {
    const [asks, bids] = [levels([100, 5]), levels([99, 5])];
    expect(at(asks, bids).gross).toBe(-1);
    expect(run('bestSpread', asks, bids, plain).spread).toMatchObject({ quantity: 0, net: 0, isFilled: 0 });
  });

  it('of an empty side is nothing', () => {
    for (const [asks, bids] of [
      [[], levels([1, 1])],
      [levels([1, 1]), []],
      [[], []],
    ] as const)
      for (const kernel of ['spreadAt', 'bestSpread'] as const) {
        const { status, spread } = run(kernel, asks, bids, plain);
        expect(status).toBe(STATUS_OK);
        const { breakEvenHours, ...rest } = spread;
        expect(breakEvenHours).toBeNaN();
        expect(Object.values(rest).every((value) => value === 0)).toBe(true);
      }
  });

  it('rounds down to the step of both exchanges and keeps to the least notional', () => {
    const [asks, bids] = [levels([7, 1000]), levels([7.2, 1000])];
    // 100 / 7 = 14.2857 coins.
    expect(at(asks, bids, { step: 0.1 }).quantity).toBe(14.2);
    expect(at(asks, bids, { step: 5 }).quantity).toBe(10);
    expect(at(asks, bids, { step: 1000 }).quantity).toBe(0);
    expect(at(asks, bids, { step: 5, minNotional: 70 }).quantity).toBe(10);
    expect(at(asks, bids, { step: 5, minNotional: 70.01 })).toMatchObject({ quantity: 0, net: 0, isFilled: 0 });
    // 0.3 / 0.1 is 2.9999999999999996: noise, no remainder.
    expect(at(levels([1, 1]), levels([2, 1]), { notional: 0.3, step: 0.1 }).quantity).toBe(0.3);
  });

  it('by the thousand is the same as by the coin', () => {
    const coin = at(levels([0.00001, 5e7]), levels([0.0000102, 5e7]), { step: 1000 });
    const thousand = at(levels([0.01, 5e4]), levels([0.0102, 5e4]), { step: 1 });
    expect(coin.quantity).toBe(thousand.quantity * 1000);
    expect(coin.net).toBeCloseTo(thousand.net, 9);
  });

  it('charges funding that is paid, shows what is received, and says when that pays for the rest', () => {
    const [asks, bids] = [levels([100, 10]), levels([100.1, 10])];
    const paying = at(asks, bids, { buy: leg(0.0005, 0.001, 3), sell: leg(0.0005, -0.001, 3) });
    expect(paying.funding).toBeCloseTo(0.002 * 100.05, 12);
    expect(paying.net).toBeCloseTo(paying.gross - paying.feesIn - paying.feesOut - paying.funding, 12);
    expect(paying.breakEvenHours).toBeNaN();
    const receiving = at(asks, bids, { buy: leg(0.0005, -0.001, 3), sell: leg(0.0005, 0.001, 3) });
    expect(receiving.funding).toBeCloseTo(-0.002 * 100.05, 12);
    expect(receiving.net).toBeCloseTo(0.1 - 0.10005 - 0.10005, 12);
    // 0.002 of 100.05 in 8 hours pays for 0.1001.
    expect(receiving.breakEvenHours).toBeCloseTo(0.1001 / ((0.002 / 8) * 100.05), 9);
  });

  it('counts fundings at the moment of the close, none after it, and none without a stamp', () => {
    const [asks, bids] = [levels([100, 10]), levels([101, 10])];
    const fundingOf = (holdHours: number, hours: number): number =>
      Math.round((at(asks, bids, { holdHours, buy: leg(0, 0.001, hours) }).funding / 100.5) * 1000);
    expect([fundingOf(8, 8), fundingOf(7.9, 8), fundingOf(24, 8), fundingOf(24, 0), fundingOf(8, -1)]).toEqual([
      1, 0, 3, 4, 0,
    ]);
  });

  it('rejects an invalid order book', () => {
    const good = levels([10, 1], [11, 1]);
    const bad = [
      levels([11, 1], [10, 1]),
      levels([10, 1], [10, 1]),
      levels([10, 0]),
      levels([-10, 1]),
      levels([NaN, 1]),
      levels([10, Infinity]),
    ];
    for (const asks of bad) expect(run('spreadAt', asks, levels([9, 1]), plain).status).toBe(STATUS_BAD_PARAMETER);
    expect(run('spreadAt', good, levels([9, 1], [9.5, 1]), plain).status).toBe(STATUS_BAD_PARAMETER);
    expect(run('bestSpread', good, levels([9, 1], [9.5, 1]), plain).status).toBe(STATUS_BAD_PARAMETER);
  });
});

describe('random books', () => {
  const random = mulberry(1700);
  const between = (low: number, high: number): number => low + (high - low) * random();
  function book(from: number, sign: 1 | -1): Level[] {
    let price = from;
    return Array.from({ length: 1 + Math.floor(random() * 50) }, () => {
      const level = { price, coins: between(0.001, 20) };
      price = Math.max(price * 1e-3, price + sign * from * between(1e-6, 2e-3));
      return level;
    }).filter(({ price: each }, i, all) => i === 0 || (each - all[i - 1]!.price) * sign > 0);
  }
  const randomLeg = () => ({
    takerFee: between(0, 0.001),
    fundingRate: between(-0.003, 0.003),
    fundingHours: random() < 0.2 ? -1 : between(0, 8),
    fundingInterval: [1, 4, 8][Math.floor(random() * 3)]!,
  });
  function market(): { asks: Level[]; bids: Level[]; terms: Terms } {
    const price = 10 ** between(-6, 5);
    const terms = {
      notional: price * between(0, 200),
      holdHours: between(0, 72),
      step: [0, 0.001, 0.1, 1][Math.floor(random() * 4)]!,
      minNotional: random() < 0.5 ? 0 : price * between(0, 2),
      buy: randomLeg(),
      sell: randomLeg(),
    };
    return { asks: book(price, 1), bids: book(price * between(0.99, 1.03), -1), terms };
  }

  it(
    `give the bits of the twin, and no net above the gross (${bookCount} books)`,
    () => {
      for (let i = 0; i < bookCount; i++) {
        const { asks, bids, terms } = market();
        const spread = run('spreadAt', asks, bids, terms).spread;
        const best = run('bestSpread', asks, bids, terms).spread;
        const [want, wantBest] = [spreadAtReference(asks, bids, terms), bestSpreadReference(asks, bids, terms)];
        for (const [got, twin] of [
          [spread, want],
          [best, wantBest],
        ] as const) {
          for (const name of Object.keys(spreadSlot) as (keyof Spread)[]) {
            if (!Object.is(got[name] + 0, twin[name] + 0))
              expect({ i, name, value: got[name] }).toEqual({ i, name, value: twin[name] });
          }
          if (!(got.net <= got.gross && got.netFraction <= got.grossFraction)) expect({ i, got }).toBeUndefined();
          if (!(got.quantity >= 0 && got.feesIn >= 0 && got.feesOut >= 0)) expect({ i, got }).toBeUndefined();
        }
        if (!(best.net >= 0)) expect({ i, best }).toBeUndefined();
      }
    },
    60_000 + bookCount * 5,
  );

  it('are monotonic: a larger notional buys no less, at no better spread', () => {
    for (let i = 0; i < 300; i++) {
      const { asks, bids, terms } = market();
      let before: Spread | undefined;
      for (const share of [0.01, 0.05, 0.2, 0.5, 1, 2, 5, 20]) {
        const spread = run('spreadAt', asks, bids, {
          ...terms,
          step: 0,
          minNotional: 0,
          notional: terms.notional * share,
        }).spread;
        if (before !== undefined && before.quantity > 0) {
          expect(spread.quantity).toBeGreaterThanOrEqual(before.quantity);
          expect(spread.grossFraction).toBeLessThanOrEqual(before.grossFraction + 1e-12);
          expect(spread.netFraction).toBeLessThanOrEqual(before.netFraction + 1e-12);
        }
        before = spread;
      }
    }
  });

  it('have no size with a higher net than the best one', () => {
    for (let i = 0; i < 200; i++) {
      const { asks, bids, terms } = market();
      const free = { ...terms, step: 0, minNotional: 0 };
      const best = run('bestSpread', asks, bids, free).spread;
      const total = Math.min(...[asks, bids].map((side) => side.reduce((sum, { coins }) => sum + coins, 0)));
      for (let part = 1; part <= 40; part++) {
        const other = spreadOf(asks, bids, free, (total * part) / 40, true);
        expect(other.net).toBeLessThanOrEqual(best.net + Math.abs(best.gross) * 1e-9 + 1e-12);
      }
    }
  });
});
