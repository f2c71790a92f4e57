import { describe, expect, it } from 'vitest';
import { fuzzyFilter, fuzzyScore } from '../../src/ui/SearchList.tsx';

const best = (typed: string, texts: string[]) => fuzzyFilter(typed, texts, (text) => text);

describe('a fuzzy match', () => {
  it('needs every letter, in order', () => {
    expect(fuzzyScore('btx', 'BTCUSDT')).toBeNull();
    expect(fuzzyScore('tb', 'BTCUSDT')).toBeNull();
    expect(fuzzyScore('btu', 'BTCUSDT')).not.toBeNull();
  });

  it('puts prefix matches first, then substring matches, then scattered letters', () => {
    expect(best('eth', ['BETHUSDT', 'EXTRAHUSDT', 'ETHUSDT'])).toEqual(['ETHUSDT', 'BETHUSDT', 'EXTRAHUSDT']);
  });

  it('prefers the start of a word, and the shorter of two', () => {
    expect(best('s', ['Dashboard', 'Backtest Setup'])[0]).toBe('Backtest Setup');
    expect(best('btc', ['BTCDOMUSDT', 'BTCUSDT'])[0]).toBe('BTCUSDT');
  });

  it('ignores case and spaces, and keeps the order when nothing is typed', () => {
    expect(best('back set', ['Backtest Setup'])).toEqual(['Backtest Setup']);
    expect(best('', ['b', 'a'])).toEqual(['b', 'a']);
  });
});
