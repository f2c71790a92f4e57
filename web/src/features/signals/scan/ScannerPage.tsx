import { ArrowRight, Radar } from 'lucide-react';
import { messageOf } from '../../../api/failure.ts';
import type { Preferences } from '../../../api/types.ts';
import { formatCount } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { BestCard } from '../results/BestCard.tsx';
import { OutcomePanel } from '../results/OutcomePanel.tsx';
import { scannerState } from '../scannerState.ts';
import { symbolsOf } from '../../../format/symbolList.ts';
import { AUTO_SCANS_PER_HOUR } from './useAutoScan.ts';
import { AwayNote } from './AwayNote.tsx';
import { scanBodyOf } from './scanBody.ts';
import type { useScanRun } from './useScanRun.ts';

type Run = ReturnType<typeof useScanRun>;

/** One button, what it costs and looks at, and what the last scan found. */
export function ScannerPage({ run }: { run: Run }) {
  const { last } = run;
  const scan = last.data?.scan ?? null;
  const best = scan?.results?.best ?? null;
  return (
    <div className="grid gap-3 lg:grid-cols-[340px_minmax(0,1fr)] lg:items-start">
      <RunPanel run={run} />
      <div className="flex min-w-0 flex-col gap-3">
        {last.error !== null && (
          <ErrorState
            text={messageOf(last.error, 'The last scan could not be read.')}
            onRetry={() => void last.refetch()}
          />
        )}
        {last.isPending && <SkeletonRows rows={5} />}
        {last.data !== undefined && scan === null && (
          <Panel title="Last scan">
            <p className="text-muted">
              None yet. A scan reads the closed candles of every symbol in your universe, scores them with your tuning
              and ranks what it finds.
            </p>
          </Panel>
        )}
        {scan?.results != null && (
          <>
            {best === null ? (
              <Panel title="Last scan" aside={<Time at={scan.created_at} />}>
                <p>No signals found</p>
                <p className="text-muted">No symbol had a direction with your minimum confidence.</p>
              </Panel>
            ) : (
              <BestCard
                signal={best}
                at={scan.created_at}
                onOpen={() => {
                  scannerState.selected = best.signal_id;
                  openPage('signals', 'results');
                }}
              />
            )}
            {scan.results.total > 0 && (
              <button type="button" className="btn self-start" onClick={() => openPage('signals', 'results')}>
                {scan.results.total === 1 ? 'Open the result' : `Open all ${formatCount(scan.results.total)} results`}
                <ArrowRight size={14} aria-hidden="true" />
              </button>
            )}
            <OutcomePanel scanId={scan.scan_id} results={scan.results} />
          </>
        )}
      </div>
    </div>
  );
}

function RunPanel({ run }: { run: Run }) {
  const { preferences, credits, isScanning, cancel } = run;
  return (
    <Panel title="Market scan" bodyClassName="flex flex-col gap-3 p-3">
      {preferences === null ? <SkeletonRows rows={3} /> : <Scope preferences={preferences} />}
      <button
        type="button"
        className="btn btn-primary h-10"
        disabled={isScanning || credits === undefined || credits <= 0 || preferences === null}
        onClick={run.start}
      >
        <Radar size={16} aria-hidden="true" />
        {buttonText(isScanning, credits)}
      </button>
      {credits !== undefined && credits <= 0 && <p className="text-label text-muted">{NO_CREDITS_TEXT}</p>}
      {isScanning && <Progress run={run} />}
      {isScanning && (
        <button type="button" className="btn" disabled={cancel === null} onClick={() => cancel?.()}>
          Cancel and return the credit
        </button>
      )}
      <p className="text-label text-muted">
        1 credit per scan, whatever it finds. It is reserved when the scan starts and returned when the scan fails or is
        cancelled.
      </p>
      {preferences?.auto_scan_enabled === true && <AutoScanNote credits={credits} />}
      <AwayNote isOn={preferences?.keep_scanning === true} />
    </Panel>
  );
}

/** How credits can be had. */
const NO_CREDITS_TEXT =
  'You have no credits left. This version does not sell credits yet. Positions, results and backtests work without credits.';

function buttonText(isScanning: boolean, credits: number | undefined): string {
  if (isScanning) return 'Scanning Market...';
  return credits !== undefined && credits <= 0 ? 'Insufficient Credits' : 'Generate AI Signals (1 credit)';
}

function Scope({ preferences }: { preferences: Preferences }) {
  const listed = symbolsOf(preferences.whitelist).length;
  const excluded = symbolsOf(preferences.blacklist).length;
  const facts: [string, string][] = [
    [
      'Symbols',
      listed > 0 ? `${listed} on your whitelist` : `up to ${formatCount(preferences.max_symbols)} by turnover`,
    ],
    ...(excluded > 0 ? [['Left out', `${excluded} on your blacklist`] as [string, string]] : []),
    ['Intervals', (scanBodyOf(preferences).intervals ?? []).join(', ')],
    ['Minimum confidence', preferences.min_auto_conf_pct === 0 ? 'off' : `${preferences.min_auto_conf_pct} %`],
    ['Positions wanted', String(preferences.positions_wanted)],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Progress({ run: { progress } }: { run: Run }) {
  return (
    <div className="flex flex-col gap-1">
      <progress
        aria-label="Scan progress"
        className="progress"
        {...(progress === null ? {} : { value: progress.done, max: Math.max(1, progress.total) })}
      />
      <p role="status" className="text-label text-muted">
        {progress === null
          ? 'Waiting for the first candles'
          : `${formatCount(progress.done)} of ${formatCount(progress.total)} series`}
      </p>
    </div>
  );
}

function AutoScanNote({ credits }: { credits: number | undefined }) {
  return (
    <p className="border-t border-line pt-3 text-label text-muted">
      {credits !== undefined && credits <= 0
        ? 'Auto-Scan has stopped: No credits. It goes on when there are some.'
        : `Auto-Scan is on: every 10 minutes while this tab is open, up to ${AUTO_SCANS_PER_HOUR} credits per hour.`}
    </p>
  );
}
