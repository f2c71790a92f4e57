import { FactList } from '../../../ui/FactList.tsx';
import { AUTO_SCAN_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { reasonCode, reasonText } from '@sextant/workers/src/signals/signalVerdict.ts';
import { ArrowRight, Coins, Radar } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useLastRun } from '../../../data/positions.ts';
import { useAwayScans, useCandidates } from '../../../api/scan.ts';
import { useStrategies } from '../../../data/strategies.ts';
import type { AwayScans, ConfidenceBasis, Preferences, Scan, ScanResults } from '../../../api/types.ts';
import { listedText, unreachableText } from '../../../format/confidence.ts';
import { formatCount } from '../../../format/number.ts';
import { symbolsOf } from '../../../format/symbolList.ts';
import { formatDuration } from '../../../format/time.ts';
import { openPage, openTab, setOpened } from '../../../state/navigation.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { StrategyChoice } from '../../../ui/StrategyChoice.tsx';
import { Time } from '../../../ui/Time.tsx';
import { BestSignal } from '../results/SignalParts.tsx';
import { AUTO_SCAN_CREDITS_PER_HOUR, SCAN_PRICE_TEXT, scanBodyOf, type useScanRun } from './useScanRun.ts';

type Run = ReturnType<typeof useScanRun>;

/** One button, its cost and scope, and the findings of the last scan. */
export function ScannerPage({ run }: { run: Run }) {
  const { last } = run;
  const scan = last.data?.scan ?? null;
  return (
    <div className="grid gap-3 lg:grid-cols-[340px_minmax(0,1fr)] lg:items-start">
      <Guarded>
        <RunPanel run={run} />
      </Guarded>
      <div className="flex min-w-0 flex-col gap-3">
        {last.error !== null && (
          <ErrorState
            failure={last.error}
            text={messageOf(last.error, 'Could not load the last scan.')}
            onRetry={() => void last.refetch()}
          />
        )}
        {last.isPending && <SkeletonRows rows={5} />}
        {last.data !== undefined && scan === null && (
          <Panel title="Last scan">
            <EmptyState
              text="No scan yet. Scan your universe to rank signals by your tuning."
              ghost={['Symbol', 'Direction', 'Confidence', 'Expected', 'Entry', 'Stop', 'Target']}
            />
          </Panel>
        )}
        {scan?.results != null && (
          <ScanTable scan={scan} results={scan.results} minimumPct={run.preferences?.min_auto_conf_pct ?? 0} />
        )}
      </div>
    </div>
  );
}

interface ResultsProps {
  scan: Scan;
  results: ScanResults;
  minimumPct: number;
}

/** The best of a scan, a link to the others, and all outcomes: each fails alone. */
function ScanTable({ scan, results, minimumPct }: ResultsProps) {
  const { all, confidence, total } = results;
  return (
    <Guarded>
      <MinimumNote bases={confidence} minimumPct={minimumPct} />
      {all.length === 0 ? (
        <Panel title="Last scan" aside={<Time at={scan.created_at} />}>
          <p>No signals found</p>
          <p className="text-muted">No symbol reached your minimum confidence.</p>
        </Panel>
      ) : (
        <BestSignal
          scan={scan}
          results={results}
          onOpen={({ signal_id: id }) => {
            setOpened('signal', id);
            openPage('signals', 'results');
          }}
        >
          <ShowAll total={results.is_complete ? total : all.length} />
        </BestSignal>
      )}
      <OutcomePanel scanId={scan.scan_id} results={results} />
    </Guarded>
  );
}

function ShowAll({ total }: { total: number }) {
  return (
    <button type="button" className="btn btn-small self-start" onClick={() => openPage('signals', 'results')}>
      {total === 1 ? 'Show the result' : `Show all ${formatCount(total)} results`}
      <ArrowRight size={14} aria-hidden="true" />
    </button>
  );
}

/** The minimum confidence is unreachable: shows the measured values, and a link to the setting. */
function MinimumNote({ bases, minimumPct }: { bases: readonly ConfidenceBasis[]; minimumPct: number }) {
  const text = unreachableText(bases, minimumPct);
  if (text === null) return null;
  return (
    <Notice tone="warn">
      {text}{' '}
      <button type="button" className="underline" onClick={() => openPage('signals', 'trading')}>
        Change Min Confidence
      </button>
    </Notice>
  );
}

function RunPanel({ run }: { run: Run }) {
  const { preferences, credits, isScanning, cancel } = run;
  return (
    <Panel title="Market scan" bodyClassName="flex flex-col gap-3 p-3">
      {preferences === null ? <SkeletonRows rows={3} /> : <Scope preferences={preferences} />}
      <StrategyChoice />
      <button
        type="button"
        className="btn btn-primary h-10"
        disabled={isScanning || credits === undefined || credits <= 0 || preferences === null}
        onClick={run.start}
      >
        <Radar size={16} aria-hidden="true" />
        {buttonText(isScanning, credits)}
      </button>
      {credits !== undefined && credits <= 0 && (
        <>
          <button type="button" className="btn" onClick={() => openTab('funds', 'purchase')}>
            <Coins size={14} aria-hidden="true" /> Add Credits
          </button>
          <p className="text-label text-muted">{NO_CREDITS_TEXT}</p>
        </>
      )}
      {isScanning && <Progress run={run} />}
      {isScanning && (
        <button type="button" className="btn" disabled={cancel === null} onClick={() => cancel?.()}>
          Cancel and return the credit
        </button>
      )}
      <p className="text-label text-muted">
        {SCAN_PRICE_TEXT} per scan. Reserved at the start; returned if the scan fails or is cancelled.
      </p>
      {preferences?.auto_scan_enabled === true && <AutoScanNote credits={credits} />}
      <AwayNote isOn={preferences?.keep_scanning === true} />
    </Panel>
  );
}

const NO_CREDITS_TEXT = 'No credits left. Positions, results and backtests work without credits.';

function buttonText(isScanning: boolean, credits: number | undefined): string {
  if (isScanning) return 'Scanning Market...';
  return credits !== undefined && credits <= 0 ? 'Insufficient Credits' : `Generate AI Signals (${SCAN_PRICE_TEXT})`;
}

function Scope({ preferences }: { preferences: Preferences }) {
  const listed = symbolsOf(preferences.whitelist).length;
  const excluded = symbolsOf(preferences.blacklist).length;
  const used = useStrategies().data?.strategies.find((each) => each.is_used);
  const intervals = used?.value.intervals.map(({ interval }) => interval) ?? scanBodyOf(preferences).intervals ?? [];
  const facts: [string, string][] = [
    [
      'Symbols',
      listed > 0 ? `${listed} on your whitelist` : `up to ${formatCount(preferences.max_symbols)} by turnover`,
    ],
    ...(excluded > 0 ? [['Left out', `${excluded} on your blacklist`] as [string, string]] : []),
    ['Intervals', intervals.join(', ')],
    ['Min Confidence', preferences.min_auto_conf_pct === 0 ? 'off' : `${preferences.min_auto_conf_pct} %`],
    ['Maximum Positions', `${preferences.positions_wanted} per scan`],
  ];
  return <FactList facts={facts} />;
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
        ? 'Auto-Scan stopped: No credits. Add credits to resume.'
        : `Auto-Scan is on: every ${AUTO_SCAN_MINUTES} minutes while this tab is open, up to ${AUTO_SCAN_CREDITS_PER_HOUR} credits per hour.`}
    </p>
  );
}

const words: Record<NonNullable<AwayScans['last']>['status'], string> = {
  queued: 'queued',
  running: 'is running',
  done: 'is done',
  failed: 'failed',
  cancelled: 'was cancelled',
  refused: 'was not started',
};

/** Whether the server scans while the user is away, when it last did, and why it stopped. Empty when it never did. */
function AwayNote({ isOn }: { isOn: boolean }) {
  const away = useAwayScans(true).data;
  const last = away?.last ?? null;
  if (!isOn && last === null) return null;
  const hasStopped = !isOn && last?.status === 'refused';
  return (
    <div className="border-t border-line pt-3 text-label text-muted">
      <p>
        {isOn
          ? `Keep scanning while I am away is on: every ${AUTO_SCAN_MINUTES} minutes, ${SCAN_PRICE_TEXT} per scan.`
          : hasStopped
            ? `Keep scanning while I am away has stopped: ${last.message ?? 'No credits'}. Switch it on again in Trading Settings.`
            : 'Keep scanning while I am away is off.'}
      </p>
      {last !== null && !hasStopped && (
        <p>
          Its last scan, <Time at={last.at} />, {words[last.status]}
          {last.message === null ? '.' : `: ${last.message}`}
        </p>
      )}
    </div>
  );
}

const SHOWN = 100;

/** Outcomes of a scan: each candidate has exactly one. */
function OutcomePanel({ scanId, results }: { scanId: string; results: ScanResults }) {
  const [code, setCode] = useState<string | null>(null);
  const counts = Object.entries(results.outcomes).sort(([, a], [, b]) => b - a);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const isListed = results.is_complete;
  return (
    <Panel
      title="Scan summary"
      aside={`${formatCount(total)} candidates, ${formatDuration(results.timing.total_ms)}`}
      bodyClassName=""
    >
      {!isListed && <p className="p-3 text-muted">Details are deleted. The best result and the counts remain.</p>}
      <ul>
        {counts.map(([each, count]) => (
          <li key={each} className="border-b border-line last:border-b-0">
            <button
              type="button"
              aria-expanded={code === each}
              disabled={!isListed}
              className="flex min-h-8 w-full items-center gap-3 px-3 text-left enabled:hover:bg-row-hover"
              onClick={() => setCode(code === each ? null : each)}
            >
              <span className="flex-1">{reasonText(each)}</span>
              <span className="font-mono">{formatCount(count)}</span>
            </button>
            {each === 'ELIGIBLE' && <OpenedLine scanId={scanId} />}
            {code === each && <CandidateList scanId={scanId} code={each} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** How many of the openable signals were opened, and a link to them; nothing while none was. */
function OpenedLine({ scanId }: { scanId: string }) {
  const run = useLastRun().data;
  if (run == null || run.scan_id !== scanId || run.opened === 0) return null;
  return (
    <button
      type="button"
      className="flex min-h-8 w-full items-center gap-3 pr-3 pl-6 text-left text-accent hover:bg-row-hover"
      onClick={() => openTab('auto', 'active')}
    >
      <span className="flex-1">{formatCount(run.opened)} of them opened as simulated positions: view them</span>
    </button>
  );
}

function CandidateList({ scanId, code }: { scanId: string; code: string }) {
  const candidates = useCandidates(scanId, true);
  const [shown, setShown] = useState(SHOWN);
  if (candidates.error !== null)
    return (
      <div className="p-3">
        <ErrorState
          failure={candidates.error}
          text={messageOf(candidates.error, 'Could not load the candidates.')}
          onRetry={() => void candidates.refetch()}
        />
      </div>
    );
  if (candidates.data === undefined) return <SkeletonRows rows={2} />;
  const matches = candidates.data.filter((each) => reasonCode(each.outcome, each.filtered_by) === code);
  return (
    <div className="border-t border-line bg-bg px-3 py-2">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(200px,1fr))] gap-x-6 text-label">
        {matches.slice(0, shown).map(({ symbol, interval, confidence }) => (
          <li key={`${symbol} ${interval}`} className="flex justify-between gap-2">
            <span>
              {symbol} <span className="text-muted">{interval === '*' ? '' : interval}</span>
            </span>
            <span className="text-muted tabular">{listedText(confidence)}</span>
          </li>
        ))}
      </ul>
      {matches.length > shown && (
        <button type="button" className="btn btn-ghost btn-small mt-2" onClick={() => setShown(shown + SHOWN)}>
          Show {formatCount(Math.min(SHOWN, matches.length - shown))} more
        </button>
      )}
    </div>
  );
}
