import { describe, expect, it } from 'vitest';
import { ApiFailure } from '../../../../src/api/failure.ts';
import {
  emptyDraft,
  errorsOf,
  listOf,
  rejectedField,
  requestOf,
  toggled,
} from '../../../../src/features/shared/apiAccess/CreateKeyForm.tsx';
import { accountTypeOf, hourlyLimitOf, plansOf } from '../../../../src/data/apiAccess.ts';

describe('a key as it is typed', () => {
  it('KEY-015 separates lists by commas, trims the entries and drops empty ones', () => {
    expect(listOf(' read:market ,, run:backtest , ')).toEqual(['read:market', 'run:backtest']);
    expect(listOf('  ')).toEqual([]);
    expect(toggled('read:market', 'run:backtest')).toBe('read:market, run:backtest');
    expect(toggled('read:market, run:backtest', 'read:market')).toBe('run:backtest');
  });

  it('KEY-014 KEY-021 is a request with the name `Server key`, no list and no cap', () => {
    expect(requestOf(emptyDraft)).toEqual({ name: 'Server key', scopes: [], ip_allowlist: [], credit_cap: null });
    expect(requestOf({ ...emptyDraft, creditCap: ' 20 ' }).credit_cap).toBe(20);
  });

  it('names what is wrong beside its field, also in the words of the server', () => {
    expect(errorsOf({ ...emptyDraft, name: ' ', scopes: 'read:all', creditCap: '1.5' })).toEqual({
      name: 'Enter a name',
      scopes: 'read:all is no scope: choose from the list',
      creditCap: 'Enter whole credits, or leave empty',
    });
    const fields = { code: 'validation_failed', status: 400, message: 'ip_allowlist.0: must be an address' };
    expect(rejectedField(new ApiFailure({ ...fields, field: 'ip_allowlist.0' }))).toEqual({
      addresses: 'must be an address',
    });
    expect(rejectedField(new ApiFailure(fields))).toBeUndefined();
  });
});

describe('plans', () => {
  it('KEY-008 CONST-005 X15 are the usual four when the server names none', () => {
    expect(plansOf(undefined)).toEqual([
      { plan: 'FREE', hourly_limit: 60, price_credits_month: 0 },
      { plan: 'STARTER', hourly_limit: 120, price_credits_month: 100 },
      { plan: 'PRO', hourly_limit: 600, price_credits_month: 350 },
      { plan: 'BUSINESS', hourly_limit: 2400, price_credits_month: 1000 },
    ]);
  });

  it('KEY-009 X15 have a limit shown as 10 when the server names none', () => {
    expect(hourlyLimitOf(undefined)).toBe(10);
    expect(hourlyLimitOf({})).toBe(10);
    expect(hourlyLimitOf({ hourly_limit: 600 })).toBe(600);
  });

  it('ACC-017 name the account type', () => {
    expect(accountTypeOf('FREE')).toBe('Free Tier');
    expect(accountTypeOf('BUSINESS')).toBe('Business');
  });
});
