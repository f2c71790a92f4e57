import { describe, expect, it } from 'vitest';
import { balancePresets, defaults, otherDefaults } from '../../../src/features/account/trading/TradingSection.tsx';
import { listErrors, symbolsOf } from '../../../src/format/symbolList.ts';
import { findChanges } from '../../../src/state/draftForm.ts';

describe('the trading preferences', () => {
  it('ACC-015 CONST-006 CONST-007 X1 X2 offer both readings of the balance, with the stored default first', () => {
    expect(balancePresets.map(({ value }) => value)).toEqual([1000, 700_000]);
    expect(defaults).toMatchObject({
      leverage: 10,
      max_concurrent_positions: 5,
      sizing_mode: 'risk',
      levels_mode: 'signal',
      balance_usdt: 1000,
    });
  });

  it('ACC-015 X3 read the second pair of risks, 50 and 200, as hundredths of a percent: the stored pair', () => {
    expect(otherDefaults).toEqual({ balanceUsdt: 700_000, minAutoConfPct: 40, riskMinBps: 50, riskMaxBps: 200 });
    expect(otherDefaults.riskMinBps / 10_000).toBe(0.005);
    expect(otherDefaults.riskMaxBps / 10_000).toBe(0.02);
  });

  it('send what changed and nothing else', () => {
    const draft = { ...defaults, leverage: 20, base_usdt: 50 };
    expect(findChanges(draft, defaults)).toEqual({ leverage: 20, base_usdt: 50 });
    expect(findChanges({ ...defaults }, defaults)).toEqual({});
  });

  it('accept symbols in any common notation, each once', () => {
    expect(symbolsOf(' btcusdt, ETHUSDT\nSOLUSDT  btcusdt,')).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT']);
  });

  it('name what is wrong with a list; X68 a symbol in both is no mistake, because the blacklist wins', () => {
    const lists = { whitelist: '', blacklist: '' };
    expect(listErrors({ ...lists, whitelist: 'BTC/USDT' }).whitelist).toMatch(/^BTC\/USDT is not a symbol/);
    expect(listErrors({ whitelist: 'BTCUSDT', blacklist: 'ethusdt, btcusdt' })).toEqual({});
    const many = Array.from({ length: 1001 }, (_, i) => `S${i}USDT`).join(',');
    expect(listErrors({ ...lists, blacklist: many }).blacklist).toBe('At most 1000 symbols');
  });
});
