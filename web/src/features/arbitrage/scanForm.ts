import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import { proxy, subscribe } from 'valtio';
import type { ArbitrageScanBody } from '../../api/types.ts';
import { type Venue, venues } from '../../format/feeSchedules.ts';
import { symbolListError, symbolsOf } from '../../format/symbolList.ts';
import { readSaved, save } from '../../state/storage.ts';
import { onUserReset } from '../../state/userReset.ts';

/** What the form accepts; the server refuses more (a test compares both). */
export const limits = {
  symbolsMax: 200,
  itemsMax: 100,
  minSpreadPct: { min: 0, max: 100 },
  notionalUsdt: { min: 0, max: 10_000_000 },
  holdHours: { min: 0, max: 720 },
  takerFeePct: { min: 0, max: 1 },
} as const;

export const NO_SYMBOL_TEXT = 'Please enter at least one symbol';

/** Percent of a fraction, without the noise of the product: 0.00055 is 0.055. */
const toPct = (fraction: number): number => Number((fraction * 100).toPrecision(12));

/** The dated defaults that backtests use. */
export const defaultFeePct = (venue: Venue): number => toPct(venueFees[venue].takerFeeFraction);

export interface ScanForm {
  /** As typed; null: every symbol the market trades, up to the limit. */
  symbols: string | null;
  /** Least gross spread. */
  minSpreadPct: number;
  notionalUsdt: number;
  /** Hours until both legs are closed. */
  holdHours: number;
  venues: Venue[];
  /** Only what the user changed: a new table of defaults reaches everyone else. */
  takerFeePct: Partial<Record<Venue, number>>;
}

const blank = (): ScanForm => ({
  symbols: null,
  minSpreadPct: 0.1,
  notionalUsdt: 1000,
  holdHours: 8,
  venues: [...venues],
  takerFeePct: {},
});

const STORAGE_KEY = 'arbitrage.form';

/** Kept in this browser over a reload. */
export const scanForm = proxy<ScanForm>(readForm(readSaved(STORAGE_KEY)));
subscribe(scanForm, () => save(STORAGE_KEY, JSON.stringify(scanForm)));

export const resetForm = (): void => void Object.assign(scanForm, blank());
onUserReset(resetForm);

/** What was saved, as far as it can still be used: each field that cannot takes its default. */
export function readForm(text: string | null): ScanForm {
  const form = blank();
  let saved: unknown;
  try {
    saved = JSON.parse(text ?? 'null');
  } catch {
    return form;
  }
  if (typeof saved !== 'object' || saved === null) return form;
  const fields = saved as Record<string, unknown>;
  if (typeof fields['symbols'] === 'string') form.symbols = fields['symbols'];
  for (const key of ['minSpreadPct', 'notionalUsdt', 'holdHours'] as const) {
    const value = fields[key];
    if (isWithin(value, limits[key])) form[key] = value;
  }
  const chosen = venues.filter((venue) => Array.isArray(fields['venues']) && fields['venues'].includes(venue));
  if (chosen.length >= 2) form.venues = chosen;
  const fees: unknown = fields['takerFeePct'];
  if (typeof fees === 'object' && fees !== null) {
    for (const venue of venues) {
      const fee = (fees as Record<string, unknown>)[venue];
      if (isWithin(fee, limits.takerFeePct)) form.takerFeePct[venue] = fee;
    }
  }
  return form;
}

function isWithin(value: unknown, { min, max }: { min: number; max: number }): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}

/** Back to the default of a venue. */
export function forgetFee(venue: Venue): void {
  const kept = Object.entries(scanForm.takerFeePct).filter(([each]) => each !== venue);
  scanForm.takerFeePct = Object.fromEntries(kept);
}

/** The text of the symbols field. @param traded all the market trades, best known first */
export const symbolsText = (form: Pick<ScanForm, 'symbols'>, traded: readonly string[]): string =>
  form.symbols ?? traded.slice(0, limits.symbolsMax).join(', ');

/** Why the form cannot be sent; undefined when it can. */
export function formError(text: string): string | undefined {
  return symbolsOf(text).length === 0 ? NO_SYMBOL_TEXT : symbolListError(text, limits.symbolsMax);
}

/** Body of a scan request. */
export function bodyOf(form: ScanForm, text: string): ArbitrageScanBody {
  const fee = (venue: Venue): number =>
    Number(((form.takerFeePct[venue] ?? defaultFeePct(venue)) / 100).toPrecision(12));
  return {
    symbols: symbolsOf(text),
    minSpreadPct: form.minSpreadPct,
    notionalUsdt: form.notionalUsdt,
    exchanges: [...form.venues],
    maxCount: limits.itemsMax,
    holdHours: form.holdHours,
    takerFees: { binance: fee('binance'), bybit: fee('bybit'), okx: fee('okx') },
  };
}
