import { describe, expect, it } from 'vitest';
import { createSymbolsJson } from '../../../src/features/market/symbolLists.ts';
import type { FuturesSymbol } from '../../../src/features/market/port.ts';

const listed: FuturesSymbol = {
  symbol: 'BTCUSDT',
  base: 'BTC',
  tickSize: 0.1,
  stepSize: 0.001,
  minNotional: 100,
  maxQuantity: null,
  maxLeverage: null,
  listedAtMs: null,
  fundingHours: null,
  status: 'trading',
};

describe('the JSON of the symbols', () => {
  it('is written once per fetch and exchange, and again when the list was fetched again', () => {
    const symbolsJson = createSymbolsJson();
    let readCount = 0;
    const counted: FuturesSymbol = Object.defineProperty({ ...listed }, 'symbol', {
      enumerable: true,
      get: () => {
        readCount += 1;
        return 'BTCUSDT';
      },
    });
    const at = (fetchedAtMs: number) => ({ exchange: 'binance' as const, fetchedAtMs, value: [counted] });
    const text = symbolsJson(at(1));
    expect(JSON.parse(text)).toMatchObject([{ symbol: 'BTCUSDT', tick_size: 0.1, min_notional: 100 }]);
    const before = readCount;
    expect(symbolsJson(at(1))).toBe(text);
    expect(readCount).toBe(before);
    symbolsJson({ exchange: 'okx', fetchedAtMs: 1, value: [] });
    expect(symbolsJson(at(1))).toBe(text);
    expect(readCount).toBe(before);
    symbolsJson(at(2));
    expect(readCount).toBeGreaterThan(before);
  });
});
