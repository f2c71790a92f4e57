import { useMemo } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import type { Scan, ScanResults, ScanSignal } from '../../../api/types.ts';
import { formatCount } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { openPage } from '../../../state/navigation.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { NumberInput } from '../../../ui/NumberInput.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Time } from '../../../ui/Time.tsx';
import { aiCheckState, stopByOwner, subjectsOf } from '../check/aiChecks.ts';
import type { useScanRun } from '../scan/useScanRun.ts';
import { scannerState } from '../scannerState.ts';
import { BestCard } from './BestCard.tsx';
import { DetailDrawer } from './DetailDrawer.tsx';
import { ResultTable } from './ResultTable.tsx';
import { byRank, directions, filtered, intervalChoices, sorted } from './resultView.ts';
import { type CheckFields, isUnchecked } from './signalText.ts';

interface Props {
  run: ReturnType<typeof useScanRun>;
  /** Asks the AI check about the best results. */
  onCheck: () => void;
}

export function ResultsPage({ run: { last }, onCheck }: Props) {
  const scan = last.data?.scan ?? null;
  if (last.error !== null && scan === null)
    return (
      <ErrorState
        failure={last.error}
        text={messageOf(last.error, 'The last scan could not be read.')}
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
  const { filter, sort, selected } = useSnapshot(scannerState);
  const rows = useMemo(() => sorted(filtered(results.all, filter), sort), [results, filter, sort]);
  const chosen = results.all.find(({ signal_id }) => signal_id === selected) ?? null;
  const select = (signal: ScanSignal | null) => (scannerState.selected = signal?.signal_id ?? null);
  return (
    <div className="flex min-w-0 flex-1 gap-3">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <Guarded>
          {results.best !== null && (
            <BestCard
              signal={results.best}
              basis={results.confidence.find(({ interval }) => interval === results.best?.interval)}
              at={scan.created_at}
              strategy={scan.params.strategy}
              onOpen={() => select(results.best)}
            />
          )}
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
          <AiCheckBar scanId={scan.scan_id} results={results} onCheck={onCheck} />
          <FilterRow />
          {rows.length === 0 ? (
            <EmptyState text="No result matches these filters.">
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

const words = ['approved', 'not approved', 'passed', 'not passed', 'offline', 'not checked'] as const;

function wordOf(signal: CheckFields): (typeof words)[number] {
  if (isUnchecked(signal)) return 'not checked';
  if (signal.rule_check !== null) return signal.rule_check === 'passed' ? 'passed' : 'not passed';
  if (signal.ai_state === 'offline') return 'offline';
  return signal.ai_state === 'approved' ? 'approved' : 'not approved';
}

/** `3 approved, 6 not approved, 1 offline`; what there is none of is not said. */
export function countsText(signals: readonly CheckFields[]): string {
  const found = Object.groupBy(signals, wordOf);
  return words.flatMap((word) => (found[word] === undefined ? [] : `${found[word].length} ${word}`)).join(', ');
}

/** How far the check of a scan is, what came of it, and the way to ask for it. */
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
