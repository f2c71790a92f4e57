import type { SignalRecord } from '../../api/types.ts';
import { formatCount, formatFixed, NO_VALUE } from '../../format/number.ts';
import { Panel } from '../Panel.tsx';
import { ScrollSideways } from '../ScrollSideways.tsx';
import { pointsOf, RESOLVED_MIN } from './reliability.ts';
import { ReliabilityPlot } from './ReliabilityPlot.tsx';

/** Whether a stated confidence was true: curve, Brier score and calibration error, with counts and intervals. */
export function CalibrationPanel({ title, record }: { title: string; record: SignalRecord }) {
  const points = pointsOf(record);
  const { calibration } = record;
  return (
    <Panel title={title} aside={`n = ${formatCount(calibration.count)}`}>
      {calibration.count < RESOLVED_MIN ? (
        <p className="text-muted">
          Not enough data: {formatCount(calibration.count)} resolved signals, {RESOLVED_MIN} are needed. A signal is
          resolved when its target, its stop or its horizon is reached.
        </p>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,400px)_minmax(0,1fr)] lg:items-start">
          <ReliabilityPlot points={points} />
          <div className="flex min-w-0 flex-col gap-3">
            <p>
              Brier score {formatFixed(calibration.brier, 4)}; always stating the base rate would score{' '}
              {formatFixed(calibration.brier_of_base_rate, 4)}. Lower is better. Expected calibration error{' '}
              {formatFixed(calibration.ece, 4)}.
            </p>
            <ScrollSideways label={`${title}, by stated confidence`}>
              <BinTable record={record} />
            </ScrollSideways>
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
