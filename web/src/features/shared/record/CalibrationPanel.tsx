import type { ConfidenceBasis, ConfidenceReport, SignalRecord } from '../../../api/types.ts';
import { basisText, confidenceText, highestChance, isOwnVersion } from '../../../format/confidence.ts';
import { formatCount, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { RESOLVED_MIN } from './RecordPanel.tsx';
import { BeforeAndAfter, CalibrationFigures } from './Reliability.tsx';

/** Whether a stated confidence was true: curve, Brier score and calibration error, with counts and intervals. */
export function CalibrationPanel({ title, record }: { title: string; record: SignalRecord }) {
  const { calibration } = record;
  return (
    <Panel title={title} aside={`n = ${formatCount(calibration.count)}`}>
      {calibration.count < RESOLVED_MIN ? (
        <p className="text-muted">
          Not enough data: {formatCount(calibration.count)} of {RESOLVED_MIN} signals finished by target, stop or time.
        </p>
      ) : (
        <CalibrationFigures title={title} calibration={calibration} />
      )}
    </Panel>
  );
}

/** Basis of the stated confidence, and its reliability before and after calibration, on the same signals. */
export function ConfidencePanel({
  report: { bases, before, after },
  title = 'Confidence: before and after calibration',
}: {
  report: ConfidenceReport;
  title?: string;
}) {
  return (
    <Panel title={title} aside={`n = ${formatCount(after.count)}`}>
      <div className="flex flex-col gap-4">
        <ScrollSideways label={`${title}: meaning by interval`}>
          <BasisTable bases={bases} />
        </ScrollSideways>
        {after.count < RESOLVED_MIN ? (
          <p className="text-muted">
            {formatCount(after.count)} of {RESOLVED_MIN} signals with a win chance finished. Then it is compared with
            the score.
          </p>
        ) : (
          <BeforeAndAfter title={title} before={before} after={after} />
        )}
      </div>
    </Panel>
  );
}

function BasisTable({ bases }: { bases: readonly ConfidenceBasis[] }) {
  return (
    <table className="table" aria-label="What confidence means, by interval">
      <thead>
        <tr>
          <th className="lead" scope="col">
            Interval
          </th>
          <th className="lead" scope="col">
            What confidence means
          </th>
          <th scope="col">Outcomes</th>
          <th scope="col">Gained after fees</th>
          <th scope="col">Chances stated</th>
          <th className="lead" scope="col">
            Measured on signals from
          </th>
        </tr>
      </thead>
      <tbody>
        {bases.map((basis) => (
          <BasisRow key={basis.interval} basis={basis} />
        ))}
      </tbody>
    </table>
  );
}

function BasisRow({ basis }: { basis: ConfidenceBasis }) {
  const highest = highestChance(basis);
  const lowest = basis.points[0]?.chance;
  return (
    <tr>
      <th className="lead" scope="row">
        {basis.interval}
      </th>
      <td className="lead" title={basisText(basis)}>
        {basis.kind === 'calibrated'
          ? 'win chance after fees'
          : `${isOwnVersion(basis) ? 'score' : 'indicator agreement'} so far`}
      </td>
      <td>
        {basis.kind === 'calibrated' ? formatCount(basis.outcome_count) : `${basis.outcome_count} of ${basis.needed}`}
      </td>
      <td>{formatPercent(basis.base_rate)}</td>
      <td>
        {highest === null || lowest === undefined
          ? NO_VALUE
          : `${confidenceText(lowest)} to ${confidenceText(highest)}`}
      </td>
      <td className="lead text-muted">
        {basis.window_from === null || basis.window_to === null ? (
          NO_VALUE
        ) : (
          <>
            <Time at={basis.window_from} /> to <Time at={basis.window_to} />
          </>
        )}
      </td>
    </tr>
  );
}
