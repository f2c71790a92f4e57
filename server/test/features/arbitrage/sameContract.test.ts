import { describe, expect, it } from 'vitest';
import {
  coinOf,
  commonStep,
  leastNotional,
  findPriceOutliers,
  tableOf,
} from '../../../src/features/arbitrage/sameContract.ts';
import { bookPerCoin } from '../../../src/features/arbitrage/findOpportunities.ts';
import type { FuturesSymbol } from '../../../src/features/market/port.ts';

const listed = (symbol: string, stepSize = 1, minNotional: number | null = null): FuturesSymbol => ({
  symbol,
  base: symbol.replace('USDT', ''),
  tickSize: 0.01,
  stepSize,
  minNotional,
  maxQuantity: null,
  maxLeverage: null,
  listedAtMs: null,
  status: 'trading',
  fundingHours: null,
});

describe('which contracts are the same coin', () => {
  it.each([
    ['BTCUSDT', 'BTC', 1],
    ['1000PEPEUSDT', 'PEPE', 1000],
    ['SHIB1000USDT', 'SHIB', 1000],
    ['10000LADYSUSDT', 'LADYS', 10_000],
    ['1000000MOGUSDT', 'MOG', 1_000_000],
    ['1MBABYDOGEUSDT', 'BABYDOGE', 1_000_000],
    ['1INCHUSDT', '1INCH', 1],
    ['100XUSDT', '100X', 1],
  ])('%s is %s by %i', (symbol, coin, multiplier) => expect(coinOf(symbol)).toEqual({ coin, multiplier }));

  it.each(['1000USDT', '10001INCHUSDT'])('%s can be read in two ways', (symbol) =>
    expect(coinOf(symbol)).toBeUndefined(),
  );

  it('brings the names of three exchanges together, and trusts no coin that one lists twice', () => {
    const { byCoin, doubtful } = tableOf({
      binance: [listed('1000PEPEUSDT'), listed('BTCUSDT')],
      bybit: [listed('PEPEUSDT'), listed('1000PEPEUSDT'), listed('SHIB1000USDT')],
      okx: [listed('PEPEUSDT'), listed('SHIBUSDT')],
    });
    const pepe = byCoin.get('PEPE')!;
    expect([pepe.binance?.multiplier, pepe.bybit, pepe.okx?.multiplier]).toEqual([1000, undefined, 1]);
    expect([...doubtful.get('PEPE')!]).toEqual(['bybit']);
    expect(byCoin.get('SHIB')).toMatchObject({ bybit: { multiplier: 1000 }, okx: { multiplier: 1 } });
  });

  it('rounds sizes to the step that both exchanges accept, in coins', () => {
    const contract = (symbol: string, step: number, multiplier: number, minNotional: number | null = null) => ({
      exchange: 'okx' as const,
      multiplier,
      listing: listed(symbol, step, minNotional),
    });
    const [steps, notional] = [
      (a: number, b: number, by = 1) => commonStep(contract('A', a, by), contract('B', b, 1)),
      leastNotional(contract('A', 1, 1, 5), contract('B', 1, 1, null)),
    ];
    expect(steps(0.1, 0.01)).toBe(0.1);
    // 0.4 and 0.6 coins meet at 1.2.
    expect(steps(0.4, 0.6)).toBe(1.2);
    // A thousand coins by the contract of 1000PEPE, 100 by the other one.
    expect(steps(1, 100, 1000)).toBe(1000);
    expect(steps(0.3, 100, 1000)).toBe(300);
    expect(steps(1e-7, 3e-7)).toBe(3e-7);
    expect(notional).toBe(5);
  });

  it('treats a price more than a tenth away as another coin', () => {
    expect(findPriceOutliers({ binance: 100, bybit: 100.5, okx: 112 })).toEqual(['okx']);
    expect(findPriceOutliers({ binance: 100, okx: 109 })).toEqual([]);
    // Of two that disagree neither is used.
    expect(findPriceOutliers({ binance: 100, okx: 112 })).toEqual(['binance', 'okx']);
    expect(findPriceOutliers({ binance: 0.01, bybit: 0.00001, okx: 0.00001001 })).toEqual(['binance']);
  });

  it('divides prices and multiplies sizes of a contract of a thousand coins', () => {
    const { bids, asks } = bookPerCoin({ bids: [[0.0098, 3]], asks: [[0.0099, 2]] }, 1000);
    expect([...bids, ...asks]).toEqual([0.0000098, 3000, 0.0000099, 2000]);
  });
});
