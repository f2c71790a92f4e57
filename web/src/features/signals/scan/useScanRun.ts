import { creditPrices } from '@sextant/workers/src/core/creditPrices.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { AUTO_SCAN_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useCredits } from '../../../api/credits.ts';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { serverClock } from '../../../api/serverClock.ts';
import { usePreferences } from '../../../data/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { isUnderWay, useCancelScan, useLastScan, useScan, useScanProgress, useStartScan } from '../../../api/scan.ts';
import type { Preferences, ScanBody } from '../../../api/types.ts';
import { formatMany } from '../../../format/number.ts';
import { toast } from '../../../state/toasts.ts';

function startFailureText(failure: unknown): string {
  if (failure instanceof ApiFailure && failure.code === 'insufficient_credits') return 'Insufficient credits';
  return `Scan failed: ${messageOf(failure, 'could not start the scan.')}`;
}

/** The running scan, the previous one, and functions to start or stop one. */
export function useScanRun() {
  const client = useQueryClient();
  const last = useLastScan();
  const preferences = usePreferences().data ?? null;
  const credits = useCredits().data?.balance;
  const activeId = last.data?.active?.scan_id ?? null;
  const active = useScan(activeId);
  const progress = useScanProgress(activeId);
  const starting = useStartScan();
  const cancelling = useCancelScan();
  useFailureToast(active.data);
  const isScanning = starting.isPending || (activeId !== null && isUnderWay(active.data?.status));

  const startWith = (key: string) => {
    const known = client.getQueryData<Preferences | null>(queryKeys.preferences) ?? preferences;
    if (known === null || isScanning) return;
    starting.mutate(
      { body: scanBodyOf(known), key },
      { onError: (failure) => toast(startFailureText(failure), 'error') },
    );
  };
  return {
    last,
    preferences,
    credits,
    isScanning,
    progress,
    start: () => startWith(crypto.randomUUID()),
    startAutomatic: startWith,
    /** Null while there is nothing to cancel. */
    cancel: activeId === null || cancelling.isPending ? null : () => cancelling.mutate(activeId),
  };
}

/** A scan that failed shows one message; its credit was returned. */
function useFailureToast(scan: { scan_id: string; status: string; failure: string | null } | undefined): void {
  useEffect(() => {
    if (scan?.status !== 'failed') return;
    toast(`Scan failed: ${scan.failure ?? 'no reason given.'}`, 'error', `scan failed ${scan.scan_id}`);
  }, [scan]);
}

/** The symbols are the universe of the settings. With every toggle off the primary interval is left. */
export function scanBodyOf(preferences: Preferences): ScanBody {
  const chosen = signalIntervals.filter((interval) => preferences.interval_opts[interval]);
  return {
    intervals: chosen.length > 0 ? chosen : [preferences.scan_interval],
    limit: 500,
    balance: preferences.balance_usdt,
    leverage: preferences.leverage,
    riskTolerance: preferences.risk_tolerance,
  };
}

/** Price of one scan. */
export const SCAN_PRICE_TEXT = formatMany(creditPrices.scan, 'credit');
export const AUTO_SCAN_CREDITS_PER_HOUR = creditPrices.scan * (60 / AUTO_SCAN_MINUTES);

interface AutoScan {
  isScanning: boolean;
  /** Creation of the newest finished scan, ISO; undefined: there is none. */
  lastAt: string | undefined;
  /** @param key the same in every tab and on every device: the server charges it once */
  startAutomatic: (key: string) => void;
}

const PERIOD_MS = AUTO_SCAN_MINUTES * 60_000;
const CHECK_MS = 30_000;

/**
 * Starts a scan `AUTO_SCAN_MINUTES` after the newest one of any tab or device, at the soonest after this one was open for as long. The key
 * names the scan before: a tab that has not seen a newer one repeats a key, and the server charges it once.
 * @returns a function that stops it
 */
export function startAutoScan(read: () => AutoScan): () => void {
  let fromMs = serverClock.now();
  const timer = setInterval(() => {
    const { isScanning, lastAt, startAutomatic } = read();
    const nowMs = serverClock.now();
    const lastMs = lastAt === undefined ? 0 : Date.parse(lastAt);
    if (isScanning || nowMs - Math.max(fromMs, lastMs) < PERIOD_MS) return;
    // One that fails is tried again a period later, with the next number.
    fromMs = nowMs;
    startAutomatic(`auto-scan-${lastMs}-${Math.floor((nowMs - lastMs) / PERIOD_MS)}`);
  }, CHECK_MS);
  return () => clearInterval(timer);
}

interface Options extends Pick<ReturnType<typeof useScanRun>, 'credits' | 'isScanning' | 'last' | 'startAutomatic'> {
  isEnabled: boolean;
}

/** Scans by itself while the tab is open; at 0 credits it shows one message and waits for more. */
export function useAutoScan({ isEnabled, credits, isScanning, last, startAutomatic }: Options): void {
  const lastAt = last.data?.scan?.created_at;
  const now = useRef<AutoScan>({ isScanning, lastAt, startAutomatic });
  useEffect(() => {
    now.current = { isScanning, lastAt, startAutomatic };
  });
  const isBroke = credits !== undefined && credits <= 0;
  useEffect(() => {
    if (!isEnabled) return;
    if (isBroke) {
      toast('No credits', 'error');
      return;
    }
    return startAutoScan(() => now.current);
  }, [isEnabled, isBroke]);
}
