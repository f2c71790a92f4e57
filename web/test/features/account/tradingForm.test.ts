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
import { fractionOfBps, otherDefaults } from '../../../src/features/account/trading/otherDefaults.ts';
import { symbolsOf } from '../../../src/format/symbolList.ts';

describe('the trading preferences', () => {
  it('ACC-015 CONST-006 CONST-007 X1 X2 offer both readings of confidence and balance, with the stored default first', () => {
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

  it('ACC-015 X3 read the second pair of risks, 50 and 200, as hundredths of a percent: the stored pair', () => {
    expect(otherDefaults).toEqual({ balanceUsdt: 700_000, minAutoConfPct: 40, riskMinBps: 50, riskMaxBps: 200 });
    expect(fractionOfBps(otherDefaults.riskMinBps)).toBe(0.005);
    expect(fractionOfBps(otherDefaults.riskMaxBps)).toBe(0.02);
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
