import { describe, expect, it } from 'vitest';
import type { FuturesSymbol } from '../../../src/features/market/port.ts';
import { chooseUniverse, type UniverseRules } from '../../../src/features/market/universe.ts';

const nowMs = Date.UTC(2026, 0, 5);
const day = 86_400_000;
const symbol = (name: string, more: Partial<FuturesSymbol> = {}): FuturesSymbol => ({
  symbol: name,
  base: name,
  tickSize: 0.1,
  stepSize: 0.1,
  minNotional: 5,
  maxQuantity: null,
  maxLeverage: 100,
  listedAtMs: nowMs - 400 * day,
  status: 'trading',
  fundingHours: null,
  ...more,
});
const facts = {
  symbols: [
    symbol('AUSDT'),
    symbol('BUSDT'),
    symbol('CUSDT', { status: 'halted' }),
    symbol('DUSDT', { listedAtMs: nowMs - 13 * day }),
    symbol('EUSDT'),
    symbol('FUSDT'),
    symbol('GUSDT', { listedAtMs: null }),
  ],
  turnoverUsdt: new Map([
    ['AUSDT', 5e6],
    ['BUSDT', 9e6],
    ['DUSDT', 9e9],
    ['EUSDT', 999_999],
    ['FUSDT', 8e6],
  ]),
  spreadFraction: new Map([
    ['AUSDT', 0.002],
    ['FUSDT', 0.0021],
  ]),
};
const choose = (rules: Partial<UniverseRules> = {}) => {
  const { chosen, left } = chooseUniverse(facts, { whitelist: [], blacklist: [], symbolsMax: 100, nowMs, ...rules });
  return {
    chosen: chosen.map((each) => each.symbol),
    left: Object.fromEntries(left.map((each) => [each.symbol, each.filteredBy])),
  };
};

describe('the universe of a scan', () => {
  it('selects symbols that trade and are old, liquid and tight enough, by turnover; unknown values do not exclude a symbol', () => {
    expect(choose()).toEqual({
      chosen: ['BUSDT', 'AUSDT', 'GUSDT'],
      left: { CUSDT: 'halted', DUSDT: 'listing_age', EUSDT: 'turnover', FUSDT: 'spread' },
    });
  });

  it('ends at the limit', () => {
    expect(choose({ symbolsMax: 1 })).toMatchObject({
      chosen: ['BUSDT'],
      left: { AUSDT: 'universe_limit', GUSDT: 'universe_limit' },
    });
  });

  it('lets the whitelist pass everything but the blacklist and a halt', () => {
    const { chosen, left } = choose({ whitelist: ['EUSDT', 'FUSDT', 'CUSDT', 'AUSDT'], blacklist: ['AUSDT'] });
    expect(chosen).toEqual(['FUSDT', 'EUSDT']);
    expect(left).toMatchObject({ AUSDT: 'blacklist', BUSDT: 'whitelist', CUSDT: 'halted' });
  });

  it('names untraded symbols, and takes the named ones instead of the whitelist', () => {
    const { chosen, left } = choose({ symbols: ['DUSDT', 'ZUSDT'], whitelist: ['AUSDT'] });
    expect(chosen).toEqual(['DUSDT']);
    expect(left).toMatchObject({ ZUSDT: 'unknown', AUSDT: 'whitelist' });
  });

  it('gives every symbol exactly one place', () => {
    const { chosen, left } = choose({ symbolsMax: 2, blacklist: ['GUSDT'] });
    expect([...chosen, ...Object.keys(left)].sort()).toEqual(facts.symbols.map((each) => each.symbol).sort());
  });
});
