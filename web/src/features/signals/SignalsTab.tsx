import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { type AiFields, askAiCheck } from '../../api/aiCheck.ts';
import { messageOf } from '../../api/failure.ts';
import { openFromScan } from '../../api/positions.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { AutoRun, LastScan, Preferences, Scan } from '../../api/types.ts';
import { outcomeNames } from '../../format/names.ts';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { toast, toastRefusal, type ToastTone } from '../../state/toasts.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { runChecks } from './check/aiChecks.ts';
import { ResultsPage } from './results/ResultsPage.tsx';
import { ScannerPage } from './scan/ScannerPage.tsx';
import { useAutoScan, useScanRun } from './scan/useScanRun.ts';
import { FiltersPage, TradingPage } from './settings/SettingsPages.tsx';

/** The result of an automatic run, in the words of the server. */
export function runToasts({ messages, opened, failed, reason, refused }: AutoRun): [text: string, tone: ToastTone][] {
  if (refused !== null) return messages.map((message) => [message, 'info']);
  const told = messages.map((message): [string, ToastTone] => [
    message,
    message.startsWith('Auto open failed') ? 'error' : 'success',
  ]);
  const isNothing = opened === 0 && failed === 0 && reason !== null;
  return isNothing ? [...told, [`No position opened: ${outcomeNames[reason].toLowerCase()}`, 'info']] : told;
}

/** Asks the server to open what passes, once the AI checks of a scan have ended. A run that had ended before is not told again. */
async function openAfterChecks(client: QueryClient, scanId: string): Promise<void> {
  try {
    const { run, is_new: isNew } = await openFromScan(client, scanId);
    if (isNew) for (const [text, tone] of runToasts(run)) toast(text, tone);
  } catch (failure) {
    toastRefusal(messageOf(failure, 'The positions could not be opened.'), failure);
  }
}

/** Puts an answer beside the result it is about, without asking for the whole scan again. */
function keepIn(client: QueryClient, scanId: string, signalId: string, fields: AiFields): void {
  client.setQueryData<LastScan>(queryKeys.scan.last, (last) => {
    if (last?.scan?.results == null || last.scan.scan_id !== scanId) return last;
    const { results } = last.scan;
    const all = results.all.map((signal) => (signal.signal_id === signalId ? { ...signal, ...fields } : signal));
    return { ...last, scan: { ...last.scan, results: { ...results, all, best: all[0] ?? null } } };
  });
}

/**
 * The AI checks of a scan: they begin by themselves when one ends while this page is open, and again on demand.
 * @param isRead false while the last scan has not been read: what is read then is no new scan
 */
function useAiChecks(scan: Scan | null, preferences: Preferences | null, isRead: boolean): { check: () => void } {
  const client = useQueryClient();
  const now = useRef({ scan, preferences });
  useEffect(() => {
    now.current = { scan, preferences };
  });
  const check = useCallback(() => {
    const { scan: subject, preferences: settings } = now.current;
    if (subject === null || settings === null) return;
    const checks = runChecks({
      scan: subject,
      options: {
        softApproval: settings.ai_soft_approval,
        allowAiCorrectionOnReject: settings.ai_allow_correction,
      },
      ask: askAiCheck,
      keep: (signalId, fields) => keepIn(client, subject.scan_id, signalId, fields),
    });
    // Only what has been checked may open by itself; the server decides whether this scan may still open anything.
    void checks.then((end) => {
      if (end === 'ended' && settings.auto_open_enabled) return openAfterChecks(client, subject.scan_id);
      return undefined;
    });
  }, [client]);
  useNewScan(scan?.scan_id ?? null, isRead && preferences !== null, check);
  return { check };
}

/** The scan that was there when the page opened has been looked at before; the next one is new. */
function useNewScan(scanId: string | null, isReady: boolean, onNew: () => void): void {
  const known = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (!isReady) return;
    const before = known.current;
    known.current = scanId;
    if (before !== undefined && scanId !== null && scanId !== before) onNew();
  }, [scanId, isReady, onNew]);
}

const TAB = 'signals';

export function SignalsTab() {
  const page = useOpenPage(TAB);
  const run = useScanRun();
  const { check } = useAiChecks(run.last.data?.scan ?? null, run.preferences, run.last.data !== undefined);
  useAutoScan({ ...run, isEnabled: run.preferences?.auto_scan_enabled === true });
  return (
    <PagedTab tab={TAB} title="Signals" pages={tabPages[TAB]} page={page} layout="full">
      {page === 'scanner' && <ScannerPage run={run} />}
      {page === 'trading' && <TradingPage />}
      {page === 'filters' && <FiltersPage />}
      {page === 'results' && <ResultsPage run={run} onCheck={check} />}
    </PagedTab>
  );
}
