import { describe, expect, it } from 'vitest';
import {
  chartRiskFraction,
  lossAtStop,
  riskFractionOf,
  type SizingAccount,
  type SizingMarket,
  type SizingOrder,
  sizePosition,
} from '../../src/positions/sizing.ts';
import { SIZING_COSTS } from '../../src/signals/signalRules.ts';

const account: SizingAccount = { mode: 'risk', balanceUsdt: 1000, riskFraction: 0.01, baseUsdt: 1000, freeUsdt: 1000 };
const btc: SizingMarket = { tickSize: 0.1, stepSize: 0.001, minNotional: 100, maxQuantity: 0, maxLeverage: 125 };
const order: SizingOrder = { side: 'LONG', price: 60_000, stopPrice: 58_800, leverage: 10, aiMultiplier: 1 };
const size = (
  settings: Partial<SizingAccount> = {},
  requested: Partial<SizingOrder> = {},
  market: Partial<SizingMarket> = {},
) => sizePosition({ ...account, ...settings }, { ...btc, ...market }, { ...order, ...requested }, SIZING_COSTS);

describe('X70 the size by risk', () => {
  it('lets the stop lose the risk that was set, costs included, as worked out by hand', () => {
    // Stop 58 800 fills at 58 788.24: 1211.76 of price and 0.0005 x 118 788.24 = 59.39412 of fees, 1271.15412 per BTC.
    // 10 USDT / 1271.15412 = 0.0078669 BTC, 0.007 on the step; base x leverage / entry = 0.16667 BTC, so the multiplier is 4.72 %.
    const result = size();
    expect(result).toMatchObject({ quantity: 0.007, leverage: 10, isReduced: false, refusal: null });
    expect(result.multiplier).toBeCloseTo(0.0472012, 6);
    const filled = { side: 'LONG', entryPrice: 60_000, stopPrice: 58_800, quantity: 0.007 } as const;
    expect(lossAtStop(filled, SIZING_COSTS)).toBeCloseTo(8.8980788, 6);
  });
  it('counts a short upwards', () => {
    // Stop 61 200 fills at 61 212.24: 1212.24 + 0.0005 x 121 212.24 = 1272.84612 per BTC: 0.0078564.
    const result = size({}, { side: 'SHORT', stopPrice: 61_200 });
    expect(result.quantity).toBe(0.007);
    expect(result.multiplier).toBeCloseTo(0.0471385, 6);
  });
  it.each([
    ['twice the risk is twice the size', { riskFraction: 0.02 }, {}, 0.015],
    ['half of it by an AI check is half the size', {}, { aiMultiplier: 0.5 }, 0.003],
    ['a stop twice as near is about twice the size', {}, { stopPrice: 59_400 }, 0.014],
    ['the leverage changes the margin and not the size', {}, { leverage: 20 }, 0.007],
    ['the base is the most: 100 USDT x 10 / 60 000', { baseUsdt: 100 }, { stopPrice: 59_940 }, 0.016],
  ])('%s', (_what, settings, requested, quantity) => expect(size(settings, requested).quantity).toBe(quantity));
});

describe('X70 the size of a fixed base', () => {
  it('is base x leverage / entry with multiplier 1, whatever the stop loses', () => {
    // 50 x 10 / 60 000 = 0.008333.
    expect(size({ mode: 'fixed', baseUsdt: 50 })).toMatchObject({ quantity: 0.008, multiplier: 1 });
    expect(size({ mode: 'fixed', baseUsdt: 50 }, { stopPrice: 54_000 })).toMatchObject({ quantity: 0.008 });
  });
  it('is scaled by an AI check', () => {
    expect(size({ mode: 'fixed', baseUsdt: 50 }, { aiMultiplier: 0.5 })).toMatchObject({
      quantity: 0.004,
      multiplier: 0.5,
    });
  });
});

describe('X70 what the account and the exchange allow', () => {
  it('reduces what does not fit into the free equity, and says so', () => {
    // 30 / (60 000 x (0.1 + 0.0005)) = 0.004975.
    expect(size({ freeUsdt: 30 })).toMatchObject({ quantity: 0.004, isReduced: true, refusal: null });
    expect(size({ freeUsdt: 30 }).multiplier).toBeCloseTo(0.0298507, 6);
  });
  it.each([0, -250, 5])('rejects %f USDT free, and says how much is needed', (freeUsdt) => {
    // Least 0.002 BTC: 120 USDT of notional, 12 of margin and 0.06 of fee.
    const { quantity, refusal } = size({ freeUsdt });
    expect(quantity).toBe(0);
    expect(refusal).toMatchObject({ detail: 'margin_full', value: Math.max(0, freeUsdt) });
    expect(refusal?.limit).toBeCloseTo(12.06, 9);
  });
  it('has room again at more leverage and not at less, as the help on positions that were not opened says', () => {
    // The least 0.002 BTC at 25x: 4.80 of margin and 0.06 of fee; at 5x: 24.06.
    expect(size({ freeUsdt: 5 }, { leverage: 25 })).toMatchObject({ quantity: 0.002, refusal: null });
    expect(size({ freeUsdt: 5 }, { leverage: 5 }).refusal?.limit).toBeCloseTo(24.06, 9);
  });
  it('raises to the least notional where the risk allows it', () => {
    // Half of the risk by an AI check is 0.0011 BTC; 0.002 BTC lose 2 x 2.3704 = 4.74 USDT of the 5 that are the risk.
    const settings = { riskFraction: 0.005 };
    const requested = { stopPrice: 57_700, aiMultiplier: 0.5 };
    expect(size(settings, requested)).toMatchObject({ quantity: 0.002, refusal: null });
  });
  it('rejects a position whose smallest size would lose more than the risk', () => {
    // 0.002 BTC x (60 000 - 53 989.2 + 0.0005 x 113 989.2) = 12.14 USDT.
    const { quantity, refusal } = size({}, { stopPrice: 54_000 });
    expect(quantity).toBe(0);
    expect(refusal).toMatchObject({ detail: 'min_above_risk', limit: 10 });
    expect(refusal?.value).toBeCloseTo(12.135589, 6);
  });
  it.each([
    [0.0009, 'quantity', 0.0009, 0.001],
    [0.001, 'min_notional', 60, 100],
  ])('never raises a quantity that was named: %f', (quantity, detail, value, limit) =>
    expect(size({}, { quantity }).refusal).toMatchObject({ detail, value, limit }),
  );
  it('caps the leverage by the symbol', () => {
    expect(size({}, { leverage: 50 }, { maxLeverage: 20 }).leverage).toBe(20);
  });
  it.each([
    ['15m', 0.006],
    ['1h', 0.012],
    ['4h', 0.03],
  ])('a default account opens BTCUSDT on %s', (_interval, stopFraction) => {
    expect(size({}, { stopPrice: 60_000 * (1 - stopFraction) }).refusal).toBeNull();
  });
});

describe('the risk of a trade', () => {
  const after = (level: 'low' | 'medium' | 'high', results: number[], lookback = 50) =>
    riskFractionOf(level, { results, lookback, smoothing: 0.3, min: 0.005, max: 0.02 });
  const closes = (count: number, result: number) => Array.from({ length: count }, () => result);

  it('AUTO-013 CONST-019 is half, one or two percent', () => {
    expect((['low', 'medium', 'high'] as const).map((level) => riskFractionOf(level, null))).toEqual([
      0.005, 0.01, 0.02,
    ]);
  });
  it('AUTO-014 CONST-019 X26 is four fifths of the level, not held to the bounds, before the tenth close', () => {
    expect(after('low', closes(9, -2))).toBe(0.004);
    expect(after('high', [])).toBe(0.016);
  });
  it('X26 moves from there towards the bounds with the closes', () => {
    // Ten closes of one kind: 1 - 0.7^10 = 0.9717524751 of the way, up to 0.02 and down to 0.005.
    expect(after('medium', closes(10, 3))).toBeCloseTo(0.008 + 0.9717524751 * 0.012, 12);
    expect(after('medium', closes(10, -2))).toBeCloseTo(0.008 - 0.9717524751 * 0.003, 12);
    expect(after('medium', closes(10, 0))).toBe(0.008);
    // Low starts at 0.004, below the bounds: gains move it between them, 0.004 + 0.9717524751 x 0.016.
    expect(after('low', closes(10, 3))).toBeCloseTo(0.004 + 0.9717524751 * 0.016, 12);
    // Both are larger than the mean of 0.3: 0.7 x (loss), then a win: -0.3 x 0.7 + 0.3 = 0.09 of the way up.
    expect(after('medium', [...closes(8, 0), -1, 2])).toBeCloseTo(0.008 + 0.09 * 0.012, 12);
  });
  it.each([
    ['one large loss, then nine small wins', [-100, ...closes(9, 1)]],
    ['losses, then the newest wins', [...closes(7, -5), ...closes(5, 4)]],
    ['as much lost as won, a win last', [...closes(10, -2), ...closes(10, 2)]],
    ['ten losses', closes(10, -2)],
    ['neither gains nor losses', closes(10, 0)],
  ])('X26 does not rise above its start without gains, whatever the minimum: %s', (_, results) => {
    for (const [level, start] of [
      ['low', 0.004],
      ['medium', 0.008],
      ['high', 0.016],
    ] as const)
      for (const min of [0.001, 0.005, 0.01, 0.02]) {
        const fraction = riskFractionOf(level, { results, lookback: 50, smoothing: 0.3, min, max: 0.02 });
        expect(fraction, `${level}, minimum ${min}`).toBeLessThanOrEqual(start);
        expect(fraction, `${level}, minimum ${min}`).toBeGreaterThanOrEqual(Math.min(min, start));
      }
  });
  it('X26 is at most the maximum when the start is above it', () => {
    const high = (results: number[]) =>
      riskFractionOf('high', { results, lookback: 50, smoothing: 0.3, min: 0.005, max: 0.01 });
    for (const result of [3, 0, -0.001]) expect(high(closes(10, result))).toBeLessThanOrEqual(0.01);
  });
  it('rises less by small wins than by large ones', () => {
    // Sizes 1 and 10, mean 5.5: a small win counts 2/11, a large one 1.
    const small = after('medium', [...closes(10, 10), ...closes(10, 1)]);
    expect(small).toBeLessThan(after('medium', [...closes(10, 1), ...closes(10, 10)]));
    expect(small).toBeGreaterThan(0.008);
  });
  it('X26 forgets what is beyond the lookback, and ends at the most that is allowed', () => {
    expect(after('medium', [...closes(30, -2), ...closes(10, 3)], 10)).toBe(after('medium', closes(10, 3)));
    expect(after('high', closes(200, 3))).toBeCloseTo(0.02, 6);
    expect(after('high', closes(200, 3))).toBeLessThanOrEqual(0.02);
  });
  it.each([
    [0, 1.2],
    [3, 1.2],
    [3.5, 1],
    [4, 1],
    [5, 0.8],
    [6, 0.8],
    [6.5, 1],
    [7, 0.5],
    [10, 0.5],
  ])('AUTO-016 X25 X27 of a chart with risk score %f is scaled by %f', (score, factor) =>
    expect(chartRiskFraction('medium', score)).toBeCloseTo(0.01 * factor, 15),
  );
});

describe('the loss at the stop', () => {
  const costs = { takerFeeFraction: 0.0005, stopSlippageFraction: 0.002 };
  it.each([
    // Fill 98 x 0.998 = 97.804: 10 x (2.196 + 0.0005 x 197.804). Fill 102 x 1.002 = 102.204: 10 x (2.204 + 0.0005 x 202.204).
    ['LONG', 98, 22.94902],
    ['SHORT', 102, 23.05102],
  ] as const)('of a %s has the slippage and both fees', (side, stopPrice, loss) =>
    expect(lossAtStop({ side, entryPrice: 100, stopPrice, quantity: 10 }, costs)).toBeCloseTo(loss, 10),
  );
});

describe('RULE-192 the largest market order of the exchange', () => {
  it('bounds a size, by risk and fixed, on the step, and says so', () => {
    // 0.0078669 BTC by risk, 0.0083333 fixed; the order takes 0.0055, which is 0.005 on the step.
    for (const settings of [{}, { mode: 'fixed' as const, baseUsdt: 50 }])
      expect(size(settings, {}, { maxQuantity: 0.0055 })).toMatchObject({
        quantity: 0.005,
        isLargestOrder: true,
        isReduced: false,
        refusal: null,
      });
  });
  it('bounds a quantity that the user entered', () => {
    expect(size({}, { quantity: 0.02 }, { maxQuantity: 0.01 })).toMatchObject({ quantity: 0.01, isLargestOrder: true });
  });
  it('is not named where the free equity or the settings are the limit', () => {
    // 30 USDT x 10 hold 0.00497 BTC with the fee.
    const short = size({ freeUsdt: 30 }, {}, { maxQuantity: 0.0055 });
    expect(short).toMatchObject({ quantity: 0.004, isLargestOrder: false, isReduced: true });
    expect(size({}, {}, { maxQuantity: 0.007867 })).toMatchObject({ quantity: 0.007, isLargestOrder: false });
  });
});
