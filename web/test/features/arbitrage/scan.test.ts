import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import { describe, expect, it } from 'vitest';
import openapi from '../../../../server/openapi.json' with { type: 'json' };
import { ApiFailure } from '../../../src/api/failure.ts';
import type { ArbitrageItem } from '../../../src/api/types.ts';
import {
  type ItemFilter,
  type ItemSort,
  nextItemSort,
  shownItems,
} from '../../../src/features/arbitrage/PairTable.tsx';
import {
  bodyOf,
  defaultFeePct,
  failureOf,
  formError,
  limits,
  readForm,
  REFRESHES_PER_HOUR,
  scanStateOf,
  symbolsText,
} from '../../../src/features/arbitrage/useArbitrageScan.ts';

const body = openapi.components.schemas.ArbitrageScanBodyInput.properties;

describe('the form of a scan', () => {
  it('ARB-008 ARB-009 CONST-027 has the bounds of the service', () => {
    expect(limits.itemsMax).toBe(body.maxCount.maximum);
    expect(limits.minSpreadPct).toEqual({ min: body.minSpreadPct.minimum, max: body.minSpreadPct.maximum });
    expect(limits.notionalUsdt).toEqual({ min: body.notionalUsdt.minimum, max: body.notionalUsdt.maximum });
    expect(limits.holdHours).toEqual({ min: body.holdHours.minimum, max: body.holdHours.maximum });
    expect(limits.takerFeePct.max / 100).toBe(body.takerFees.properties.binance.maximum);
    expect(body.symbols.description).toContain(`1 to ${limits.symbolsMax} `);
  });

  it('ARB-008 takes 1 to 200 symbols in any case', () => {
    expect(formError('')).toBe('Please enter at least one symbol');
    expect(formError(' , ,')).toBe('Please enter at least one symbol');
    expect(formError('btcusdt, ETHUSDT')).toBeUndefined();
    expect(formError('BTC')).toBe('BTC is not a symbol. Write them like BTCUSDT, ETHUSDT.');
    const many = (count: number) => Array.from({ length: count }, (_, i) => `A${i}USDT`);
    expect(formError(many(200).join(','))).toBeUndefined();
    expect(formError(many(201).join(','))).toBe('At most 200 symbols');
    expect(symbolsText({ symbols: null }, many(300)).split(', ')).toHaveLength(200);
  });

  it('ARB-012 sends symbols, least spread, exchanges and a limit of 100, with the fees of the table', () => {
    expect(bodyOf(readForm(null), 'btcusdt, ethusdt BTCUSDT')).toEqual({
      symbols: ['BTCUSDT', 'ETHUSDT'],
      minSpreadPct: 0.1,
      notionalUsdt: 1000,
      exchanges: ['binance', 'bybit', 'okx'],
      maxCount: 100,
      holdHours: 8,
      takerFees: {
        binance: venueFees.binance.takerFeeFraction,
        bybit: venueFees.bybit.takerFeeFraction,
        okx: venueFees.okx.takerFeeFraction,
      },
    });
    expect(defaultFeePct('bybit')).toBe(0.055);
  });

  it('restores what can still be used of a saved form', () => {
    const stored = readForm(
      JSON.stringify({
        symbols: 'BTCUSDT',
        minSpreadPct: 0.3,
        notionalUsdt: -1,
        holdHours: 'x',
        venues: ['okx', 'bybit', 'ftx'],
        takerFeePct: { okx: 0.02, bybit: 7 },
      }),
    );
    expect(stored).toEqual({
      symbols: 'BTCUSDT',
      minSpreadPct: 0.3,
      notionalUsdt: 1000,
      holdHours: 8,
      venues: ['bybit', 'okx'],
      takerFeePct: { okx: 0.02 },
    });
    for (const text of [null, 'not json', '7', 'null', '{"venues":["okx"]}'])
      expect(readForm(text)).toEqual(readForm(null));
  });
});

describe('a scan on its way', () => {
  const rest = { phase: 'rest', progress: null, active: null, hasResults: false } as const;

  it('ARB-003 ARB-004 goes from idle over up to 90 % and 100 % to results', () => {
    expect(scanStateOf(rest)).toEqual({ kind: 'idle' });
    const pcts = [0, 1, 3, 4, 13].map((done) =>
      scanStateOf({ ...rest, phase: 'requesting', progress: { scanId: 'a', done, total: 13 } }),
    );
    expect(pcts).toEqual([0, 6, 20, 27, 90].map((pct) => ({ kind: 'scanning', pct })));
    expect(scanStateOf({ ...rest, phase: 'requesting' })).toEqual({ kind: 'scanning', pct: 0 });
    expect(scanStateOf({ ...rest, phase: 'done', hasResults: true })).toEqual({ kind: 'done', pct: 100 });
    expect(scanStateOf({ ...rest, hasResults: true })).toEqual({ kind: 'results' });
    // Started by another page of the user.
    const active = { scanId: 'b', progress: { done: 1, total: 2 } };
    expect(scanStateOf({ ...rest, active, hasResults: true })).toEqual({ kind: 'scanning', pct: 45 });
    const before = { scanId: 'a', done: 9, total: 9 };
    expect(scanStateOf({ ...rest, active, progress: before })).toEqual({ kind: 'scanning', pct: 45 });
    expect(scanStateOf({ ...rest, active, progress: { ...before, scanId: 'b' } })).toEqual({
      kind: 'scanning',
      pct: 90,
    });
  });

  it('ARB-005 X48 counts the scans of an hour', () => expect(REFRESHES_PER_HOUR).toBe(120));

  it('ARB-020 ARB-021 ARB-022 says why a scan failed, and ends auto-refresh where trying again is no use', () => {
    const of = (code: string) => failureOf(new ApiFailure({ code, status: 400, message: '' }));
    expect(of('insufficient_credits')).toEqual({ text: 'No credits available', endsAuto: true });
    expect(of('charge_failed')).toEqual({ text: 'Failed to consume credit', endsAuto: true });
    expect(of('upstream_unavailable')).toEqual({ text: 'Arbitrage scan failed', endsAuto: false });
    expect(of('validation_failed')).toEqual({ text: 'Arbitrage scan failed', endsAuto: true });
    expect(failureOf(new Error('x'))).toEqual({ text: 'Arbitrage scan failed', endsAuto: false });
  });
});

describe('the table of results', () => {
  const itemOf = (symbol: string, spreadPct: number, netPct: number, netUsdt: number | null) =>
    ({
      symbol,
      spreadPct,
      badge: spreadPct >= 0.5 ? 'high' : 'low',
      bestBuy: 'okx',
      bestSell: 'binance',
      netAtBestPricesPct: netPct,
      atNotional: netUsdt === null ? null : { quantity: 1, netPct, netUsdt },
      atBestSize: null,
      existsSinceMs: null,
    }) as ArbitrageItem;
  const items = [itemOf('AUSDT', 0.1, -0.1, -1), itemOf('BUSDT', 0.6, 0.4, 4), itemOf('ABUSDT', 0.5, 0.2, null)];
  const all: ItemFilter = { text: '', badge: 'All', isNetPositive: false };
  const byNet: ItemSort = { column: 'net', isDescending: true };
  const names = (filter: ItemFilter, sort: ItemSort) => shownItems(items, filter, sort).map(({ symbol }) => symbol);

  it('sorts by what is left, and puts what is not known last in either direction', () => {
    expect(names(all, byNet)).toEqual(['BUSDT', 'ABUSDT', 'AUSDT']);
    expect(names(all, { column: 'netUsdt', isDescending: true })).toEqual(['BUSDT', 'AUSDT', 'ABUSDT']);
    expect(names(all, { column: 'netUsdt', isDescending: false })).toEqual(['AUSDT', 'BUSDT', 'ABUSDT']);
    expect(names(all, { column: 'symbol', isDescending: false })).toEqual(['ABUSDT', 'AUSDT', 'BUSDT']);
  });

  it('filters by symbol, badge and net', () => {
    expect(names({ ...all, text: ' bu' }, byNet)).toEqual(['BUSDT', 'ABUSDT']);
    expect(names({ ...all, badge: 'high' }, byNet)).toEqual(['BUSDT', 'ABUSDT']);
    expect(names({ ...all, isNetPositive: true }, byNet)).toEqual(['BUSDT', 'ABUSDT']);
  });

  it('sorts figures from the largest and words from the first at the first click', () => {
    expect(nextItemSort(byNet, 'spread')).toEqual({ column: 'spread', isDescending: true });
    expect(nextItemSort(byNet, 'symbol')).toEqual({ column: 'symbol', isDescending: false });
    expect(nextItemSort(byNet, 'net')).toEqual({ column: 'net', isDescending: false });
  });
});
