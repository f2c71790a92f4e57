import {
  confidenceOf,
  type Direction,
  directionOf,
  isExplained,
  scoreWith,
} from '@sextant/workers/src/signals/rescoring.ts';
import type { TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';
import { useMemo } from 'react';
import { messageOf } from '../../api/failure.ts';
import { useLastScan } from '../../api/scan.ts';
import type { ConfidenceBasis, Scan, ScanSignal } from '../../api/types.ts';
import { confidenceText, statedConfidence } from '../../format/confidence.ts';
import { formatCount, formatMany, formatSigned } from '../../format/number.ts';
import { voteName } from '../../format/voteName.ts';
import { openTab } from '../../state/navigation.ts';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { Time } from '../../ui/Time.tsx';
import { type TuningDraft, tuningKeys, tuningNames, tuningWire } from './useTuning.ts';

interface Rescored {
  signal: ScanSignal;
  /** -1 to 1. */
  score: number;
  direction: Direction;
  /** 0 to 1. */
  confidence: number;
}

interface Rescoring {
  /** Largest change of confidence first. */
  changed: Rescored[];
  count: number;
  /** Results with another direction, or none. */
  turned: number;
  /** Results that would newly fall below the floor, and those that would no longer. */
  belowFloor: number;
  /** Results whose own score cannot be reproduced from the stored votes; they are left out. */
  unexplained: number;
}

/**
 * Every result of a scan under other weights, in one pass.
 * @param floor 0.1 to 1, null is off
 * @param bases maps of the scan
 */
export function rescore(
  results: readonly ScanSignal[],
  params: Scan['params'],
  tuning: TuningWeights,
  floor: number | null,
  bases: readonly ConfidenceBasis[] = [],
): Rescoring {
  const known = results.filter((signal) => isExplained(signal, params.tuning));
  const all = known.map((signal): Rescored => {
    const score = scoreWith(signal, tuning);
    const basis = bases.find(({ interval }) => interval === signal.interval);
    const confidence = statedConfidence(confidenceOf(score), basis);
    return { signal, score, direction: directionOf(score), confidence };
  });
  const change = ({ signal, confidence }: Rescored): number => Math.abs(confidence - signal.confidence);
  return {
    changed: all.filter((each) => each.score !== each.signal.score).sort((a, b) => change(b) - change(a)),
    count: all.length,
    turned: all.filter(({ signal, direction }) => direction !== signal.direction).length,
    belowFloor: all.filter(({ confidence }) => confidence < (floor ?? 0)).length,
    unexplained: results.length - known.length,
  };
}

const ROWS = 12;

/** Effect of the sliders on the last scan: computed here from the votes stored with it. */
export function RescorePanel({ draft }: { draft: TuningDraft }) {
  const last = useLastScan();
  const scan = last.data?.scan ?? null;
  return (
    <Panel
      title="The last scan with these weights"
      aside={scan !== null && <Time at={scan.created_at} />}
      bodyClassName=""
    >
      {last.isPending && <SkeletonRows rows={4} />}
      {last.error !== null && (
        <ErrorState
          failure={last.error}
          text={messageOf(last.error, 'The last scan did not load.')}
          onRetry={() => void last.refetch()}
        />
      )}
      {last.data !== undefined && (scan?.results?.all.length ?? 0) === 0 && (
        <EmptyState text="No signals found. Scan to preview each change here.">
          <button type="button" className="btn" onClick={() => openTab('signals', 'scanner')}>
            Go to Scanner
          </button>
        </EmptyState>
      )}
      {scan?.results != null && scan.results.all.length > 0 && <Changes scan={scan} draft={draft} />}
    </Panel>
  );
}

function Changes({ scan, draft }: { scan: Scan; draft: TuningDraft }) {
  const { changed, count, turned, belowFloor, unexplained } = useMemo(
    () =>
      rescore(scan.results?.all ?? [], scan.params, tuningWire(draft.weights), draft.floor, scan.results?.confidence),
    [scan, draft],
  );
  const figures: [string, number][] = [
    ['Results', count],
    ['Confidence changed', changed.length],
    ['Direction changed or none', turned],
    ['Below the floor', belowFloor],
  ];
  return (
    <>
      <dl
        aria-label="Effect of the change"
        className="grid grid-cols-2 gap-px border-b border-line bg-line md:grid-cols-4"
      >
        {figures.map(([name, value]) => (
          <div key={name} className="bg-panel px-3 py-2">
            <dt className="text-label text-muted">{name}</dt>
            <dd className="font-medium">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
      {changed.length === 0 ? (
        <p className="p-3 text-muted">{noChangeText(scan.params, draft.weights)}</p>
      ) : (
        <ScrollSideways label="Results that change">
          <table className="table">
            <thead>
              <tr>
                <th className="lead" scope="col">
                  Signal
                </th>
                <th scope="col">Scan, %</th>
                <th scope="col">Now, %</th>
                <th scope="col">Change</th>
                <th scope="col">Direction</th>
              </tr>
            </thead>
            <tbody>
              {changed.slice(0, ROWS).map((each) => (
                <Row key={each.signal.signal_id} {...each} />
              ))}
            </tbody>
          </table>
        </ScrollSideways>
      )}
      <p className="border-t border-line p-3 text-label text-muted">
        Preview of the last scan
        {changed.length > ROWS && `: the ${ROWS} largest of ${formatCount(changed.length)} changes`}. Symbols without a
        direction are excluded. See Performance for which weights did better.
        {unexplained > 0 && ` Not available for ${formatMany(unexplained, 'result')}.`}
      </p>
    </>
  );
}

/** Why no result changes: the weights equal the scan's, or do not apply to it. */
export function noChangeText({ tuning, strategy }: Scan['params'], weights: TuningDraft['weights']): string {
  if (strategy !== undefined) return `Not available for your own rules (${strategy.name}).`;
  const now = tuningWire(weights);
  const moved = tuningKeys.filter((key) => now[tuningNames[key]] !== tuning[tuningNames[key]]);
  if (moved.length === 0) return 'Same weights as the last scan.';
  const names = moved.map((key) => voteName(tuningNames[key])).join(', ');
  return `Results stay the same with these weights (${names}).`;
}

function Row({ signal, confidence, direction }: Rescored) {
  return (
    <tr>
      <td className="lead font-medium">
        {signal.symbol} <span className="text-muted">{signal.interval}</span>
      </td>
      <td>{confidenceText(signal.confidence)}</td>
      <td>{confidenceText(confidence)}</td>
      <td>{formatSigned((confidence - signal.confidence) * 100, 1)}</td>
      <td className={direction === signal.direction ? 'text-muted' : 'text-warn'}>
        {direction === signal.direction ? direction : `${signal.direction} to ${direction}`}
      </td>
    </tr>
  );
}
