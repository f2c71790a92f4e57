import { describe, expect, it } from 'vitest';
import { addSymbol, readStoredForm } from '../../../../src/features/backtest/heatMap/heatMapState.ts';

describe('the symbols of the heat map', () => {
  it('RULE-094 adds a symbol to the typed names, once', () => {
    expect(addSymbol('', 'SOLUSDT')).toBe('SOLUSDT');
    expect(addSymbol('btcusdt; ETHUSDT', 'SOLUSDT')).toBe('BTCUSDT, ETHUSDT, SOLUSDT');
    expect(addSymbol('BTCUSDT, SOLUSDT', 'SOLUSDT')).toBe('BTCUSDT, SOLUSDT');
    // What cannot be read stays for the user to correct.
    expect(addSymbol('BTC/USD,', 'SOLUSDT')).toBe('BTC/USD, SOLUSDT');
  });

  it('RULE-094 remembers the form, and leaves out what is no longer valid', () => {
    const first = readStoredForm(null);
    expect(first).toMatchObject({ source: 'named', largestCount: 20, intervals: ['15m', '1h', '4h'] });
    const stored = { source: 'largest', symbols: 'XRPUSDT', largestCount: 128, intervals: ['4h', '1h'] };
    expect(readStoredForm(JSON.stringify(stored))).toEqual({ ...first, ...stored, intervals: ['1h', '4h'] });
    for (const text of ['{', '7', '"x"', '[]', '{"source":"all","largestCount":129,"symbols":4,"intervals":"1h"}'])
      expect(readStoredForm(text)).toEqual(first);
    expect(readStoredForm('{"intervals":["1h","9w"]}').intervals).toEqual(['1h']);
  });
});
