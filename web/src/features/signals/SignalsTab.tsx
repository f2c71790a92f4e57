import { type CheckFields, checkOutcome } from '@sextant/workers/src/signals/signalChecks.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { openFromScan } from '../../data/positions.ts';
import { usePreferences } from '../../data/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { storeResponse } from '../../api/storeResponse.ts';
import type { AutoRun, LastScan, Preferences, Scan, ScanResults, ScanSignal } from '../../api/types.ts';
import { outcomeNames } from '../../format/names.ts';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { navigation, openPage, setOpened } from '../../state/navigation.ts';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { toast, toastRejection, type ToastTone } from '../../state/toasts.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { NumberInput } from '../../ui/NumberInput.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Time } from '../../ui/Time.tsx';
import { aiCheckState, type AiFields, requestAiCheck, runChecks, stopByOwner, subjectsOf } from './check/aiChecks.ts';
import { BestSignal } from './results/SignalParts.tsx';
import { hasOwnLevels, usedLevels } from './results/verdict.ts';
import { DetailDrawer } from './results/DetailDrawer.tsx';
import {
  byRank,
  directions,
  filtered,
  intervalChoices,
  ResultTable,
  scannerState,
  sorted,
} from './results/ResultTable.tsx';
import { ScannerPage } from './scan/ScannerPage.tsx';
import { useAutoScan, useScanRun } from './scan/useScanRun.ts';
import { FiltersPage, TradingPage } from './settings/SettingsPages.tsx';

/** Toasts about an automatic run, with the server's messages. */
export function runToasts({
  messages,
  opened,
  failed,
  reason,
  refused,
  items,
}: AutoRun): [text: string, tone: ToastTone][] {
  if (refused !== null) return messages.map((message) => [message, 'info']);
  const reported = messages.map((message): [string, ToastTone] => [
    message,
    message.startsWith('Auto open failed') ? 'error' : 'success',
  ]);
  if (opened > 0 || failed > 0 || reason === null) return reported;
  // Items are in order of rank: the first is the signal the page names.
  const [first] = items;
  const why =
    first === undefined ? outcomeNames[reason].toLowerCase() : `${first.symbol} ${first.interval}: ${first.message}`;
  return [...reported, [`No position opened: ${why}`, 'info']];
}

/**
 * Requests that the server opens passing signals, once the AI checks of a scan have ended. A run that had ended before is not reported
 * again.
 */
async function openAfterChecks(client: QueryClient, scanId: string): Promise<void> {
  try {
    const { run, is_new: isNew } = await openFromScan(client, scanId);
    if (isNew) for (const [text, tone] of runToasts(run)) toast(text, tone);
  } catch (failure) {
    toastRejection(messageOf(failure, 'Could not open the positions.'), failure);
  }
}

/** The last scan with the response to an AI check in its result; unchanged when another scan is the last one by now. */
export function withAiCheck(
  last: LastScan | undefined,
  { scanId, signalId, fields }: { scanId: string; signalId: string; fields: AiFields },
): LastScan | undefined {
  if (last?.scan?.results == null || last.scan.scan_id !== scanId) return last;
  const { results } = last.scan;
  const all = results.all.map((signal) => (signal.signal_id === signalId ? { ...signal, ...fields } : signal));
  return { ...last, scan: { ...last.scan, results: { ...results, all } } };
}

/**
 * The AI checks of a scan: they start automatically when one ends while this page is open, and again on request.
 * @param isRead false until the last scan has been fetched: that first one is not a new scan
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
      ask: requestAiCheck,
      keep: (signalId, fields) =>
        void storeResponse<LastScan>(client, queryKeys.scan.last, (last) =>
          withAiCheck(last, { scanId: subject.scan_id, signalId, fields }),
        ),
    });
    // Only checked signals may open automatically; the server decides whether this scan may still open any.
    void checks.then((end) => {
      if (end === 'ended' && settings.auto_open_enabled) return openAfterChecks(client, subject.scan_id);
      return undefined;
    });
  }, [client]);
  useNewScan(scan?.scan_id ?? null, isRead && preferences !== null, check);
  return { check };
}

/** The scan present when the page opened is not new; the next one is. */
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

interface Props {
  run: ReturnType<typeof useScanRun>;
  /** Starts the AI check of the best results. */
  onCheck: () => void;
}

function ResultsPage({ run: { last }, onCheck }: Props) {
  const scan = last.data?.scan ?? null;
  if (last.error !== null && scan === null)
    return (
      <ErrorState
        failure={last.error}
        text={messageOf(last.error, 'Could not load the last scan.')}
        onRetry={() => void last.refetch()}
      />
    );
  if (last.isPending) return <SkeletonRows rows={8} />;
  if (scan?.results == null || scan.results.all.length === 0)
    return (
      <Panel title="Scan Results">
        <EmptyState text="No signals found">
          <button type="button" className="btn btn-primary" onClick={() => openPage('signals', 'scanner')}>
            Go to Scanner
          </button>
        </EmptyState>
      </Panel>
    );
  return <Results scan={scan} results={scan.results} onCheck={onCheck} />;
}

function Results({ scan, results, onCheck }: { scan: Scan; results: ScanResults; onCheck: () => void }) {
  const { filter, sort } = useSnapshot(scannerState);
  const selected = useSnapshot(navigation).opened.signal;
  const settings = usePreferences().data ?? null;
  // The levels that positions get, so that they sort as they are shown.
  const all = useMemo(
    () => results.all.map((signal) => ({ ...signal, ...usedLevels(signal, scan, settings) })),
    [results, scan, settings],
  );
  const rows = useMemo(() => sorted(filtered(all, filter), sort), [all, filter, sort]);
  const chosen = results.all.find(({ signal_id }) => signal_id === selected) ?? null;
  const select = (signal: ScanSignal | null) => setOpened('signal', signal?.signal_id ?? null);
  return (
    <div className="flex min-w-0 flex-1 gap-3">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <Guarded>
          <BestSignal scan={scan} results={results} onOpen={select} />
        </Guarded>
        <Panel
          title={`All results${rows.length < results.total ? `: ${formatCount(rows.length)} of ${formatCount(results.total)}` : ` (${formatCount(results.total)})`}`}
          aside={
            <span className="max-md:hidden">
              <Time at={scan.created_at} />, candles {formatDuration(results.data_age_ms)} old when scanned
            </span>
          }
          bodyClassName="flex flex-col"
        >
          {hasOwnLevels(scan, settings) && (
            <p className="border-b border-line px-3 py-1.5 text-muted">Stop and target use your own percent.</p>
          )}
          <AiCheckBar scanId={scan.scan_id} results={results} onCheck={onCheck} />
          <FilterRow />
          {rows.length === 0 ? (
            <EmptyState text="No results match these filters.">
              <button
                type="button"
                className="btn"
                onClick={() =>
                  Object.assign(scannerState, {
                    filter: { direction: 'All', interval: 'All', minConfidencePct: 0 },
                    sort: byRank,
                  })
                }
              >
                Clear filters
              </button>
            </EmptyState>
          ) : (
            <ResultTable rows={rows} sort={sort} selected={selected} onSelect={select} />
          )}
        </Panel>
      </div>
      <Guarded>{chosen !== null && <DetailDrawer signal={chosen} scan={scan} onClose={() => select(null)} />}</Guarded>
    </div>
  );
}

function FilterRow() {
  const { filter } = useSnapshot(scannerState);
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-2 border-b border-line p-2">
      <Segments
        label="Direction"
        isSmall
        options={directions}
        value={filter.direction}
        onSelect={(direction) => (scannerState.filter.direction = direction)}
      />
      <Segments
        label="Interval"
        isSmall
        options={intervalChoices}
        value={filter.interval}
        onSelect={(interval) => (scannerState.filter.interval = interval)}
      />
      <label className="flex items-center gap-2 text-label">
        Confidence at least
        <span className="w-20">
          <NumberInput
            aria-label="Confidence at least, percent"
            isSmall
            value={filter.minConfidencePct}
            min={0}
            max={100}
            step={5}
            decimals={1}
            unit="%"
            onChange={(value) => (scannerState.filter.minConfidencePct = value)}
          />
        </span>
      </label>
    </div>
  );
}

const isUnchecked = (signal: CheckFields): boolean => checkOutcome(signal) === 'not_asked';

const words = ['approved', 'not approved', 'passed', 'not passed', 'offline', 'not checked'] as const;

function wordOf(signal: CheckFields): (typeof words)[number] {
  if (isUnchecked(signal)) return 'not checked';
  if (signal.rule_check !== null) return signal.rule_check === 'passed' ? 'passed' : 'not passed';
  if (signal.ai_state === 'offline') return 'offline';
  return signal.ai_state === 'approved' ? 'approved' : 'not approved';
}

/** `3 approved, 6 not approved, 1 offline`; zero counts are left out. */
export function countsText(signals: readonly CheckFields[]): string {
  const result = Object.groupBy(signals, wordOf);
  return words.flatMap((word) => (result[word] === undefined ? [] : `${result[word].length} ${word}`)).join(', ');
}

/** Progress of a scan's check, its outcome, and a button that starts it. */
function AiCheckBar({ scanId, results, onCheck }: { scanId: string; results: ScanResults; onCheck: () => void }) {
  const state = useSnapshot(aiCheckState);
  const isOurs = state.scanId === scanId;
  const isRunning = isOurs && state.isRunning;
  const best = subjectsOf(results);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5">
      <span className="font-medium">
        {best.some(({ rule_check: rules }) => rules !== null) ? 'Rule check' : 'AI check'}
      </span>
      <span role="status" className="min-w-0 flex-1 text-muted tabular-nums">
        {isRunning ? `${state.doneCount} of ${state.totalCount} checked` : countsText(best)}
        {isOurs && !isRunning && state.notice !== null && ` Stopped: ${state.notice}`}
      </span>
      {isRunning ? (
        <button type="button" className="btn btn-small" onClick={stopByOwner}>
          Stop
        </button>
      ) : (
        <button type="button" className="btn btn-small" onClick={onCheck}>
          {best.some(isUnchecked) ? `Check the best ${best.length}` : 'Check again'}
        </button>
      )}
    </div>
  );
}
