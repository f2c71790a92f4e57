import type { Performance, SignalRecord } from '../../api/types.ts';
import { formatCount, formatPercent } from '../../format/number.ts';
import { Panel } from '../Panel.tsx';
import { rateText, RESOLVED_MIN } from './reliability.ts';

const marketNames = { simulated: 'simulated market', replay: 'replayed market', live: 'live market' };

interface Props {
  title: string;
  record: SignalRecord;
  market: Performance['market'];
  /** Left on the opposite signal; absent where nothing does. */
  turned?: number;
}

/** What became of recorded signals, losers included. */
export function RecordPanel({ title, record, market, turned = 0 }: Props) {
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
    [
      'Time ran out',
      formatCount(record.time),
      turned > 0 ? `${formatCount(turned)} left before on the opposite signal` : '',
    ],
    [
      'Still open',
      formatCount(record.open),
      record.overdue > 0
        ? `${formatCount(record.overdue)} past their time: no candles to judge by`
        : 'neither won nor lost',
    ],
  ];
  return (
    <Panel
      title={title}
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
