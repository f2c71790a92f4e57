import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Performance, SignalRecord } from '../../../api/types.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { OutcomeTable } from './OutcomeTable.tsx';
import { pointsOf, rateText, RESOLVED_MIN } from './reliability.ts';
import { ReliabilityPlot } from './ReliabilityPlot.tsx';

const kinds = ['engine', 'mine', 'ai_check'] as const;
type Kind = (typeof kinds)[number];
const kindNames = { engine: 'All signals', mine: 'From my scans', ai_check: 'AI-approved' };
const marketNames = { simulated: 'simulated market', replay: 'replayed market', live: 'live market' };

/** The record as it is, losers included (TUNE-012). */
export function PerformancePage() {
  const [kind, setKind] = useState<Kind>('engine');
  const answer = useQuery({
    queryKey: queryKeys.performance,
    queryFn: ({ signal }) => dataOf(api.GET('/api/performance', { signal })),
    staleTime: 30_000,
  });
  if (answer.error !== null && answer.data === undefined)
    return (
      <ErrorState
        text={messageOf(answer.error, 'The record could not be read.')}
        onRetry={() => void answer.refetch()}
      />
    );
  if (answer.data === undefined) return <SkeletonRows rows={8} />;
  const shown = kinds.filter((each) => answer.data[each] !== null);
  const record = answer.data[kind] ?? answer.data.engine;
  return (
    <div className="flex flex-col gap-3">
      <div className="max-w-100">
        <Segments label="Signals" options={shown} value={kind} nameOf={(each) => kindNames[each]} onSelect={setKind} />
      </div>
      <RecordPanel record={record} market={answer.data.market} />
      <CalibrationPanel record={record} />
      <OutcomeTable isMine={kind === 'mine'} />
    </div>
  );
}

function RecordPanel({ record, market }: { record: SignalRecord; market: Performance['market'] }) {
  const rate = rateText(record.hit_rate, record.hit_rate_interval, record.resolved);
  const isEnough = record.resolved >= RESOLVED_MIN;
  const figures: [string, string, string][] = [
    ['Gained after fees', rate.value, rate.note],
    [
      'Mean result',
      isEnough ? formatPercent(record.mean_net_fraction, true) : 'Not enough data',
      'of the entry price, after fees',
    ],
    ['Target reached', formatCount(record.tp), ''],
    [
      'Stopped',
      formatCount(record.sl),
      record.ambiguous > 0 ? `${formatCount(record.ambiguous)} counted so when both were touched` : '',
    ],
    ['Time ran out', formatCount(record.time), ''],
    ['Still open', formatCount(record.open), 'neither won nor lost'],
  ];
  return (
    <Panel
      title="What became of the signals"
      aside={`${marketNames[market]}, n = ${formatCount(record.resolved)} of ${formatCount(record.signals)}`}
      bodyClassName=""
    >
      <dl className="grid grid-cols-2 gap-px bg-line md:grid-cols-3 xl:grid-cols-6">
        {figures.map(([name, value, note]) => (
          <div key={name} className="bg-panel px-3 py-2">
            <dt className="text-label text-muted">{name}</dt>
            <dd className="font-medium">{value}</dd>
            {note !== '' && <dd className="text-label text-muted">{note}</dd>}
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function CalibrationPanel({ record }: { record: SignalRecord }) {
  const points = pointsOf(record);
  const { calibration } = record;
  return (
    <Panel title="Does confidence mean anything?" aside={`n = ${formatCount(calibration.count)}`}>
      {calibration.count < RESOLVED_MIN ? (
        <p className="text-muted">
          Not enough data: {formatCount(calibration.count)} resolved signals, {RESOLVED_MIN} are needed. A signal is
          resolved when its target, its stop or its horizon is reached.
        </p>
      ) : (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,400px)_minmax(0,1fr)] lg:items-start">
          <ReliabilityPlot points={points} />
          <div className="flex flex-col gap-3">
            <p>
              Brier score {formatFixed(calibration.brier, 4)}; always stating the base rate would score{' '}
              {formatFixed(calibration.brier_of_base_rate, 4)}. Lower is better. Expected calibration error{' '}
              {formatFixed(calibration.ece, 4)}.
            </p>
            <BinTable record={record} />
          </div>
        </div>
      )}
    </Panel>
  );
}

function BinTable({ record: { calibration } }: { record: SignalRecord }) {
  const pct = (value: number | null | undefined): string =>
    value === null || value === undefined ? NO_VALUE : formatFixed(value * 100, 1);
  return (
    <table className="table" aria-label="Reliability by stated confidence">
      <thead>
        <tr>
          <th className="lead" scope="col">
            Stated, %
          </th>
          <th scope="col">n</th>
          <th scope="col">Mean stated, %</th>
          <th scope="col">Gained, %</th>
          <th scope="col">95 %</th>
        </tr>
      </thead>
      <tbody>
        {calibration.bins.map((bin) => (
          <tr key={bin.from}>
            <th className="lead" scope="row">
              {pct(bin.from)} to {pct(bin.to)}
            </th>
            <td>{formatCount(bin.count)}</td>
            <td>{pct(bin.mean_confidence)}</td>
            <td>{pct(bin.win_rate)}</td>
            <td>{bin.interval === null ? NO_VALUE : `${pct(bin.interval.low)} to ${pct(bin.interval.high)}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
