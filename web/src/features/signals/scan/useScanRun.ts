import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useCredits } from '../../../api/credits.ts';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { usePreferences } from '../../../api/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { isUnderWay, useCancelScan, useLastScan, useScan, useScanProgress, useStartScan } from '../../../api/scan.ts';
import type { Preferences } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { scanBodyOf } from './scanBody.ts';

export function startFailureText(failure: unknown): string {
  if (failure instanceof ApiFailure && failure.code === 'insufficient_credits') return 'Insufficient credits';
  return `Scan failed: ${messageOf(failure, 'the scan could not be started.')}`;
}

/** The scan under way, the one before it, and the way to start or stop one. */
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
    toast(`Scan failed: ${scan.failure ?? 'no reason was given.'}`, 'error', `scan failed ${scan.scan_id}`);
  }, [scan]);
}
