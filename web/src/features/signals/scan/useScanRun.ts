import { creditPrices } from '@sextant/workers/src/core/creditPrices.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { AUTO_SCAN_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useCredits } from '../../../api/credits.ts';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
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

  const start = () => {
    const known = client.getQueryData<Preferences | null>(queryKeys.preferences) ?? preferences;
    if (known === null || isScanning) return;
    starting.mutate(
      { body: scanBodyOf(known), key: crypto.randomUUID() },
      { onError: (failure) => toast(startFailureText(failure), 'error') },
    );
  };
  return {
    last,
    preferences,
    credits,
    isScanning,
    progress,
    start,
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

interface Options {
  isEnabled: boolean;
  /** Credits to spend; undefined while unknown. */
  credits: number | undefined;
  isScanning: boolean;
  start: () => void;
}

/** Scans every `AUTO_SCAN_MINUTES` while the tab is open and nothing else scans; at 0 credits it shows one message and waits for more. */
export function useAutoScan({ isEnabled, credits, isScanning, start }: Options): void {
  const now = useRef({ isScanning, start });
  useEffect(() => {
    now.current = { isScanning, start };
  });
  const isBroke = credits !== undefined && credits <= 0;
  useEffect(() => {
    if (!isEnabled) return;
    if (isBroke) {
      toast('No credits', 'error');
      return;
    }
    const timer = setInterval(() => {
      if (!now.current.isScanning) now.current.start();
    }, AUTO_SCAN_MINUTES * 60_000);
    return () => clearInterval(timer);
  }, [isEnabled, isBroke]);
}
