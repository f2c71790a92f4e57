import { describe, expect, it } from 'vitest';
import type { Preferences } from '../../../src/api/types.ts';
import { scanBodyOf } from '../../../src/features/signals/scan/useScanRun.ts';
import {
  cleanSettings,
  settingsOf,
  settleRisk,
  toFraction,
  toPct,
  validate,
} from '../../../src/features/signals/settings/settingsForm.ts';
import { findChanges } from '../../../src/state/draftForm.ts';

const stored = {
  min_auto_conf_pct: 60,
  positions_wanted: 5,
  max_symbols: 100,
  risk_min_pct: 0.005,
  risk_max_pct: 0.02,
  whitelist: '',
  blacklist: '',
  scan_interval: '1h',
  interval_opts: { '15m': true, '1h': true, '4h': true },
  risk_tolerance: 'medium',
  auto_scan_enabled: false,
  balance_usdt: 1000,
  leverage: 10,
} as Preferences;

describe('the settings of the scanner', () => {
  it('show percent and save fractions, without the dust of a division (SIG-022)', () => {
    expect([toPct(0.005), toPct(0.02), toPct(0.007)]).toEqual([0.5, 2, 0.7]);
    expect([0.1, 0.3, 0.7, 10].map(toFraction)).toEqual([0.001, 0.003, 0.007, 0.1]);
  });

  it('cap the minimum and raise the maximum when an edit ends (SIG-021)', () => {
    const crossed = { risk_min_pct: 0.03, risk_max_pct: 0.02 };
    expect(settleRisk('min', crossed)).toEqual({ risk_min_pct: 0.02, risk_max_pct: 0.02 });
    expect(settleRisk('max', crossed)).toEqual({ risk_min_pct: 0.03, risk_max_pct: 0.03 });
  });

  it('send only what differs, lists as the server keeps them (X68)', () => {
    const saved = settingsOf(stored);
    const draft = {
      ...saved,
      blacklist: ' dogeusdt, ETHUSDT,',
      interval_opts: { ...saved.interval_opts, '4h': false },
    };
    expect(findChanges(settingsOf(stored), saved)).toEqual({});
    expect(findChanges(cleanSettings(draft), saved)).toEqual({
      blacklist: 'DOGEUSDT,ETHUSDT',
      interval_opts: { '15m': true, '1h': true, '4h': false },
    });
  });

  it('reject an invalid symbol', () => {
    const saved = settingsOf(stored);
    expect(validate({ ...saved, whitelist: 'BTC-USDT' }).whitelist).toContain('BTC-USDT is not a symbol');
  });

  it('make the body of a scan: 500 candles, the intervals that are on, or the primary one (SIG-033, CONST-008)', () => {
    expect(scanBodyOf(stored)).toEqual({
      intervals: ['15m', '1h', '4h'],
      limit: 500,
      balance: 1000,
      leverage: 10,
      riskTolerance: 'medium',
    });
    const off = { '15m': false, '1h': false, '4h': false };
    expect(scanBodyOf({ ...stored, interval_opts: off }).intervals).toEqual(['1h']);
  });
});
