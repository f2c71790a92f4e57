import { useState } from 'react';
import type { Performance, SignalRecord } from '../../../api/types.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Time } from '../../../ui/Time.tsx';
import { CalibrationPanel } from './CalibrationPanel.tsx';
import { RecordPanel, RESOLVED_MIN } from './RecordPanel.tsx';
import { ReliabilityPlot } from './Reliability.tsx';

type Replay = NonNullable<Performance['replay']>;

const rows: readonly [name: string, of: (record: SignalRecord) => string][] = [
  ['Signals finished', ({ resolved }) => formatCount(resolved)],
  ['Independent', ({ independent_count: count }) => formatCount(Math.round(count))],
  ['Gained after fees', ({ hit_rate: rate }) => formatPercent(rate)],
  [
    '95 %',
    ({ hit_rate_interval: range }) =>
      range === null ? NO_VALUE : `${formatPercent(range.low)} to ${formatPercent(range.high)}`,
  ],
  ['Mean result after fees', ({ mean_net_fraction: mean }) => formatPercent(mean, true)],
  ['Calibration error', ({ calibration }) => formatFixed(calibration.ece, 4)],
];

interface SidesProps {
  live: SignalRecord;
  replayed: SignalRecord;
  /** Chances as stated, by the live outcomes that followed. */
  stated: SignalRecord['calibration'];
}

/** The live record and the replayed one in two columns, with both reliability curves. */
export function SideBySide({ live, replayed, stated }: SidesProps) {
  return (
    <Panel title="Live and replayed" aside="never mixed" bodyClassName="flex flex-col gap-4 p-3">
      <p className="text-muted">
        Live: recorded when a scan found them. Replayed: the same rules on stored candles, each signal from earlier
        candles only.
      </p>
      <ScrollSideways label="Live and replayed record">
        <table className="table" aria-label="Live and replayed record">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Figure
              </th>
              <th scope="col">Live</th>
              <th scope="col">Replayed</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, textOf]) => (
              <tr key={name}>
                <th className="lead" scope="row">
                  {name}
                </th>
                <td>{textOf(live)}</td>
                <td>{textOf(replayed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        {(
          [
            ['Live: stated win chance', stated],
            ['Replayed', replayed.calibration],
          ] as const
        ).map(([name, calibration]) => (
          <section key={name} aria-label={`${name}: reliability`} className="flex min-w-0 flex-col gap-2">
            <h3 className="font-medium">
              {name}, n = {formatCount(calibration.count)}
            </h3>
            {calibration.count < RESOLVED_MIN ? (
              <p className="text-muted">Not enough finished signals yet.</p>
            ) : (
              <ReliabilityPlot calibration={calibration} />
            )}
          </section>
        ))}
      </div>
    </Panel>
  );
}

interface Props {
  record: SignalRecord;
  replay: Replay;
  market: Performance['market'];
}

/** Outcomes, reliability and groups of a replay. */
export function ReplayPanels({ record, replay, market }: Props) {
  return (
    <>
      <RecordPanel title="Replayed: Live rules on stored candles" record={record} market={market} />
      <CalibrationPanel title="Replayed: chances stated before their outcomes" record={record} />
      <GroupPanel replay={replay} />
    </>
  );
}

const groupings = ['interval', 'direction', 'hour'] as const;
type Grouping = (typeof groupings)[number];
const groupingNames = { interval: 'Interval', direction: 'Direction', hour: 'Hour, UTC' };

/** The replayed signals by interval, direction or hour, each with its mean result and whether it shows an edge. */
function GroupPanel({ replay }: { replay: Replay }) {
  const [by, setBy] = useState<Grouping>('interval');
  const groups = replay.groups.filter((group) => group.by === by);
  const asOf = <Time at={replay.as_of} />;
  return (
    <Panel
      title="Replayed: by group"
      aside={
        <>
          {formatCount(replay.series)} of {formatCount(replay.series_wanted)} series, {asOf}
        </>
      }
      bodyClassName="flex flex-col gap-3 p-3"
    >
      <p className="text-muted">{survivorText(replay.survivor_bias)}</p>
      <div className="max-w-100">
        <select
          className="input"
          aria-label="Group replayed signals by"
          value={by}
          onChange={({ target }) => setBy(groupings.find((each) => each === target.value) ?? by)}
        >
          {groupings.map((each) => (
            <option key={each} value={each}>
              {groupingNames[each]}
            </option>
          ))}
        </select>
      </div>
      <ScrollSideways label="Replayed signals by group">
        <table className="table" aria-label="Replayed signals by group">
          <thead>
            <tr>
              <th className="lead" scope="col">
                {groupingNames[by]}
              </th>
              <th scope="col">n</th>
              <th scope="col">Independent</th>
              <th scope="col">Gained</th>
              <th scope="col">Mean result</th>
              <th scope="col">95 %</th>
              <th className="lead" scope="col">
                Edge
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <GroupRow key={group.key} group={group} />
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}

/** What the record would hide without delisted symbols. */
export function survivorText({ ended_symbols: count, net_pct: net, reason }: Replay['survivor_bias']): string {
  if (net === null) return `Survivorship bias not measured. ${reason ?? ''}`;
  const change =
    net === 0
      ? 'stay the same'
      : `be ${formatFixed(Math.abs(net), 2)} percentage points ${net > 0 ? 'higher' : 'lower'}`;
  return `Delisted symbols included: ${formatCount(count)}. Without them the mean result would ${change}.`;
}

function GroupRow({ group }: { group: Replay['groups'][number] }) {
  const { mean_net_pct: mean, net_low_pct: low, net_high_pct: high } = group;
  const pct = (value: number): string => formatPercent(value / 100, true);
  return (
    <tr>
      <th className="lead" scope="row">
        {group.key}
      </th>
      <td>{formatCount(group.count)}</td>
      <td>{formatCount(Math.round(group.independent_count))}</td>
      <td>{formatPercent(group.hit_rate)}</td>
      <td>{mean === null ? NO_VALUE : pct(mean)}</td>
      <td className="text-muted">{low === null || high === null ? NO_VALUE : `${pct(low)} to ${pct(high)}`}</td>
      <td className="lead">{(low ?? 0) > 0 ? 'shown' : 'not shown'}</td>
    </tr>
  );
}
