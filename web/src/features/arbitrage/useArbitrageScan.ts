import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { venueFees, type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';
import { creditPrices } from '@sextant/workers/src/core/creditPrices.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { proxy, subscribe, useSnapshot } from 'valtio';
import {
  type ArbitrageProgress,
  refetchScan,
  postArbitrageScan,
  useArbitrageProgress,
  useLastArbitrage,
} from '../../api/arbitrage.ts';
import { useCredits } from '../../api/credits.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { storeResponse } from '../../api/storeResponse.ts';
import { tradedSymbols, useSymbols } from '../../data/symbols.ts';
import type { ArbitrageResponse, ArbitrageScanBody, LastArbitrage } from '../../api/types.ts';
import { formatMany } from '../../format/number.ts';
import { symbolListError, symbolsOf } from '../../format/symbolList.ts';
import { createLatestTask } from '../../state/latestTask.ts';
import { openPage } from '../../state/navigation.ts';
import { readSaved, save } from '../../state/storage.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';

const REFRESH_MS = 30_000;
export const REFRESHES_PER_HOUR = 3_600_000 / REFRESH_MS;
/** Cost of auto-refresh when every scan finds opportunities. */
export const CREDITS_PER_HOUR = creditPrices.arbitrageScan * REFRESHES_PER_HOUR;
/** Percent that the steps of a scan fill; the rest follows with the response. */
const STEPS_PCT = 90;
/** A full bar stays visible this long before the results open. */
const DONE_MS = 500;

export const texts = {
  price: formatMany(creditPrices.arbitrageScan, 'credit'),
  failed: 'Arbitrage scan failed',
  nothing: 'No arbitrage opportunities found with current settings',
  noCredits: 'No credits available',
  chargeFailed: 'Failed to consume credit',
} as const;

type ScanState =
  | { kind: 'idle' }
  /** `pct` up to 90. */
  | { kind: 'scanning'; pct: number }
  | { kind: 'done'; pct: 100 }
  | { kind: 'results' };

interface RunState {
  phase: 'rest' | 'requesting' | 'done';
  /** Why the newest scan failed, in full; null when it did not. */
  failure: string | null;
  /** Auto-refresh; off after a reload, since each scan costs a credit. */
  isAuto: boolean;
}

const first = (): RunState => ({ phase: 'rest', failure: null, isAuto: false });

/** Outlives the tab: a scan continues while another tab is open. */
export const runState = proxy<RunState>(first());
onUserReset(() => Object.assign(runState, first()));

const task = createLatestTask();

/** State of a scan. `active` is one that another page started. */
export function scanStateOf(of: {
  phase: RunState['phase'];
  /** Progress of the newest scan; reset when this page starts one. */
  progress: ArbitrageProgress | null;
  active: { scanId: string; progress: { done: number; total: number } } | null;
  hasResults: boolean;
}): ScanState {
  if (of.phase === 'done') return { kind: 'done', pct: 100 };
  if (of.phase === 'requesting' || of.active !== null) {
    const isReported = of.progress !== null && (of.phase === 'requesting' || of.progress.scanId === of.active?.scanId);
    const { done, total } = (isReported ? of.progress : of.active?.progress) ?? { done: 0, total: 0 };
    return { kind: 'scanning', pct: total > 0 ? Math.min(STEPS_PCT, Math.floor((STEPS_PCT * done) / total)) : 0 };
  }
  return of.hasResults ? { kind: 'results' } : { kind: 'idle' };
}

/** Toast text of a failed scan, and whether auto-refresh ends: a retry would fail the same way. */
export function failureOf(failure: unknown): { text: string; endsAuto: boolean } {
  const code = failure instanceof ApiFailure ? failure.code : undefined;
  if (code === 'insufficient_credits') return { text: texts.noCredits, endsAuto: true };
  if (code === 'charge_failed') return { text: texts.chargeFailed, endsAuto: true };
  return { text: texts.failed, endsAuto: code === 'validation_failed' };
}

/** Runs one scan from the request to its toast. @param isByUser whether the results are opened */
async function scan(client: QueryClient, body: ArbitrageScanBody, isByUser: boolean): Promise<void> {
  runState.phase = 'requesting';
  runState.failure = null;
  client.setQueryData(queryKeys.arbitrage.progress, null);
  const isNewest = await task.run({
    work: (signal) => postArbitrageScan(body, crypto.randomUUID(), signal),
    onDone: (response) => void takeResponse(client, response, isByUser),
    onFailed: (failure) => {
      runState.phase = 'rest';
      const { text, endsAuto } = failureOf(failure);
      const detail = messageOf(failure, '');
      runState.failure = detail === '' || detail.startsWith(text) ? detail || text : `${text}. ${detail}`;
      if (endsAuto) runState.isAuto = false;
      toast(text, 'error');
    },
  });
  if (isNewest) void refetchScan(client);
}

async function takeResponse(client: QueryClient, response: ArbitrageResponse, isByUser: boolean): Promise<void> {
  toast(response.message, response.charged ? 'success' : 'info');
  if (response.items.length === 0) {
    await storeResponse<LastArbitrage>(
      client,
      queryKeys.arbitrage.last,
      (last) => last && { ...last, emptyAt: response.scan.finishedAt, active: null },
    );
    runState.phase = 'rest';
    return;
  }
  await storeResponse<LastArbitrage>(client, queryKeys.arbitrage.last, {
    scanId: response.scanId,
    items: response.items,
    scan: response.scan,
    emptyAt: null,
    active: null,
  });
  runState.phase = 'done';
  setTimeout(() => {
    if (runState.phase !== 'done') return;
    runState.phase = 'rest';
    if (isByUser) openPage('arb', 'results');
  }, DONE_MS);
}

/** The running scan, the previous results, and a function to start one. Use once, in the tab. */
export function useArbitrageScan() {
  const client = useQueryClient();
  const last = useLastArbitrage();
  const progress = useArbitrageProgress();
  const credits = useCredits().data?.balance;
  const symbols = useSymbols();
  const traded = symbols.data === undefined ? [] : tradedSymbols(symbols.data);
  const { phase, failure, isAuto } = useSnapshot(runState);
  const hasResults = (last.data?.items.length ?? 0) > 0;
  const state = scanStateOf({ phase, progress, active: last.data?.active ?? null, hasResults });
  const isBusy = state.kind === 'scanning' || state.kind === 'done';

  const start = (isByUser: boolean): void => {
    if (isBusy) return;
    const text = symbolsText(scanForm, traded);
    const problem = credits !== undefined && credits <= 0 ? texts.noCredits : formError(text);
    if (problem !== undefined) {
      runState.isAuto = false;
      toast(problem, 'error');
      return;
    }
    void scan(client, bodyOf(scanForm, text), isByUser);
  };
  useAutoRefresh({ isOn: isAuto && hasResults, start: () => start(false) });
  return {
    last,
    state,
    isBusy,
    credits,
    traded,
    failure,
    emptyAt: last.data?.emptyAt ?? null,
    isAuto,
    hasResults,
    start,
  };
}

export type ArbitrageRun = ReturnType<typeof useArbitrageScan>;

/** Scans every 30 s while the tab is open and in sight. */
function useAutoRefresh({ isOn, start }: { isOn: boolean; start: () => void }): void {
  const now = useRef(start);
  useEffect(() => {
    now.current = start;
  });
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) now.current();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

/** What the form accepts; the server rejects more (a test compares both). */
export const limits = {
  symbolsMax: 200,
  itemsMax: 100,
  minSpreadPct: { min: 0, max: 100 },
  notionalUsdt: { min: 0, max: 10_000_000 },
  holdHours: { min: 0, max: 720 },
  takerFeePct: { min: 0, max: 1 },
} as const;

const NO_SYMBOL_TEXT = 'Please enter at least one symbol';

/** Percent of a fraction, without the noise of the product: 0.00055 is 0.055. */
const toPct = (fraction: number): number => Number((fraction * 100).toPrecision(12));

/** The dated defaults that backtests use. */
export const defaultFeePct = (venue: VenueId): number => toPct(venueFees[venue].takerFeeFraction);

interface ScanForm {
  /** As typed; null: every symbol the market trades, up to the limit. */
  symbols: string | null;
  /** Least gross spread. */
  minSpreadPct: number;
  notionalUsdt: number;
  /** Hours until both legs are closed. */
  holdHours: number;
  venues: VenueId[];
  /** Only the user's changes: all other fees follow a new table of defaults. */
  takerFeePct: Partial<Record<VenueId, number>>;
}

const blank = (): ScanForm => ({
  symbols: null,
  minSpreadPct: 0.1,
  notionalUsdt: 1000,
  holdHours: 8,
  venues: [...venueIds],
  takerFeePct: {},
});

const STORAGE_KEY = 'arbitrage.form';

/** Stored in this browser across reloads. */
export const scanForm = proxy<ScanForm>(readForm(readSaved(STORAGE_KEY)));
subscribe(scanForm, () => save(STORAGE_KEY, JSON.stringify(scanForm)));

export const resetForm = (): void => void Object.assign(scanForm, blank());
onUserReset(resetForm);

/** The saved form, as far as still valid: each invalid field takes its default. */
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
  const chosen = venueIds.filter((venue) => Array.isArray(fields['venues']) && fields['venues'].includes(venue));
  if (chosen.length >= 2) form.venues = chosen;
  const fees: unknown = fields['takerFeePct'];
  if (typeof fees === 'object' && fees !== null) {
    for (const venue of venueIds) {
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
export function forgetFee(venue: VenueId): void {
  const retained = Object.entries(scanForm.takerFeePct).filter(([each]) => each !== venue);
  scanForm.takerFeePct = Object.fromEntries(retained);
}

/** The text of the symbols field. @param traded all symbols of the market, best known first */
export const symbolsText = (form: Pick<ScanForm, 'symbols'>, traded: readonly string[]): string =>
  form.symbols ?? traded.slice(0, limits.symbolsMax).join(', ');

/** Why the form cannot be sent; undefined when it can. */
export function formError(text: string): string | undefined {
  return symbolsOf(text).length === 0 ? NO_SYMBOL_TEXT : symbolListError(text, limits.symbolsMax);
}

/** Body of a scan request. */
export function bodyOf(form: ScanForm, text: string): ArbitrageScanBody {
  const fee = (venue: VenueId): number =>
    Number(((form.takerFeePct[venue] ?? defaultFeePct(venue)) / 100).toPrecision(12));
  return {
    symbols: symbolsOf(text),
    minSpreadPct: form.minSpreadPct,
    notionalUsdt: form.notionalUsdt,
    exchanges: [...form.venues],
    maxCount: limits.itemsMax,
    holdHours: form.holdHours,
    takerFees: byVenue(fee),
  };
}

/** Label of the button that enters the watched symbols, by whether they are the user's own, suggestions, or both. */
export function watchedName(own: readonly string[], watched: readonly string[]): string {
  if (own.length === 0) return 'Suggested symbols';
  return watched.every((symbol) => own.includes(symbol)) ? 'Watch list' : 'Watch list and suggestions';
}
