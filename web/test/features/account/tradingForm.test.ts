import { describe, expect, it } from 'vitest';
import {
  balancePresets,
  changeOf,
  cleaned,
  confidencePresets,
  defaults,
  isDirty,
  validate,
} from '../../../src/features/account/trading/tradingForm.ts';
import { symbolsOf } from '../../../src/format/symbolList.ts';

describe('the trading preferences', () => {
  it('offer both readings of confidence and balance, with the stored default first (X1, X2)', () => {
    expect(confidencePresets.map(({ label, value }) => [label, value])).toEqual([
      ['Standard', 60],
      ['Relaxed', 40],
    ]);
    expect(balancePresets.map(({ value }) => value)).toEqual([1000, 700_000]);
    expect(defaults).toMatchObject({
      leverage: 10,
      max_concurrent_positions: 5,
      min_auto_conf_pct: 60,
      balance_usdt: 1000,
    });
  });

  it('send what changed and nothing else', () => {
    const draft = { ...defaults, leverage: 20, whitelist: 'BTCUSDT' };
    expect(isDirty(draft, defaults)).toBe(true);
    expect(changeOf(draft, defaults)).toEqual({ leverage: 20, whitelist: 'BTCUSDT' });
    expect(isDirty({ ...defaults }, defaults)).toBe(false);
  });

  it('take symbols as people write them, each once', () => {
    expect(symbolsOf(' btcusdt, ETHUSDT\nSOLUSDT  btcusdt,')).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT']);
    expect(cleaned({ ...defaults, blacklist: 'doge usdt' }).blacklist).toBe('DOGE,USDT');
  });

  it('name what is wrong with a list', () => {
    expect(validate({ ...defaults, whitelist: 'BTC/USDT' }).whitelist).toMatch(/^BTC\/USDT is not a symbol/);
    expect(validate({ ...defaults, whitelist: 'BTCUSDT', blacklist: 'ethusdt, btcusdt' }).blacklist).toBe(
      'BTCUSDT is in both lists',
    );
    expect(validate({ ...defaults, whitelist: 'BTCUSDT', blacklist: 'ETHUSDT' })).toEqual({});
    const many = Array.from({ length: 1001 }, (_, i) => `S${i}X`).join(',');
    expect(validate({ ...defaults, blacklist: many }).blacklist).toBe('At most 1000 symbols');
  });
});
