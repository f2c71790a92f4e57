import { useTickDecimals } from '../../../data/symbols.ts';
import type { HistoricSignal, Performance, SignalRecord } from '../../../api/types.ts';
import { confidenceText } from '../../../format/confidence.ts';
import { formatCount, formatFixed, formatPercent, formatPrice, NO_VALUE } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { type Column, TableHead } from '../../../ui/TableHead.tsx';
import { Time } from '../../../ui/Time.tsx';

const marketNames = { simulated: 'simulated market', replay: 'replayed market', live: 'live market' };

interface Props {
  title: string;
  record: SignalRecord;
  market: Performance['market'];
  /** Left on the opposite signal; absent where nothing does. */
  turned?: number;
}

/** Outcomes of recorded signals, losers included. */
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
      record.ambiguous > 0 ? `${formatCount(record.ambiguous)} also touched the target` : '',
    ],
    ['Time ran out', formatCount(record.time), timeNote(turned, record.delisted)],
    [
      'Still open',
      formatCount(record.open),
      record.overdue > 0 ? `${formatCount(record.overdue)} overdue: candles missing` : 'in progress',
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

/** Other ends than target, stop and time. */
const timeNote = (turned: number, delisted: number): string =>
  [
    ...(turned > 0 ? [`${formatCount(turned)} closed on the opposite signal`] : []),
    ...(delisted > 0 ? [`${formatCount(delisted)} delisted, settled at the last price`] : []),
  ].join('; ');

/** Below this many resolved signals a rate says more about luck than about the rule. */
export const RESOLVED_MIN = 10;

/** A share with its interval and its n, or a text that the sample is too small. */
function rateText(
  rate: number | null,
  interval: { low: number; high: number } | null,
  count: number,
): { value: string; note: string } {
  if (rate === null || interval === null || count < RESOLVED_MIN)
    return { value: 'Not enough data', note: `n = ${count}, needs ${RESOLVED_MIN}` };
  const pct = (value: number): string => (value * 100).toFixed(1);
  return { value: `${pct(rate)} %`, note: `95 %: ${pct(interval.low)} to ${pct(interval.high)}, n = ${count}` };
}

const outcomeNames = { TP: 'Target', SL: 'Stopped', TIME: 'Time ran out', DELISTED: 'Delisted' };

const columns: readonly Column[] = [
  { name: 'Signal', isText: true },
  { name: 'Direction', isText: true },
  { name: 'Confidence' },
  { name: 'Score', isWideOnly: true },
  { name: 'Entry Price', isWideOnly: true },
  { name: 'Outcome', isText: true },
  { name: 'Result after fees', isWideOnly: true },
  { name: 'Candle closed', isWideOnly: true },
];

type Signal = Omit<HistoricSignal, 'mine'>;

/** Recorded signals with the outcome of each, winners and losers alike. */
export function SignalTable({ signals }: { signals: readonly Signal[] }) {
  const decimalsOf = useTickDecimals();
  return (
    <div className="more-sideways overflow-x-auto" tabIndex={0} role="group" aria-label="Newest signals">
      <table className="table">
        <TableHead columns={columns} />
        <tbody>
          {signals.map((signal) => (
            <Row key={signal.id} decimals={decimalsOf(signal.symbol)} {...signal} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  decimals,
  symbol,
  interval,
  direction,
  confidence,
  confidence_kind: kind,
  raw_confidence: raw,
  price,
  outcome,
  candle_close_at: closedAt,
}: Signal & { decimals: number | undefined }) {
  const net = outcome?.net_fraction;
  const netText = net === undefined ? NO_VALUE : formatPercent(net, true);
  const netTone = net === undefined || net === 0 ? 'text-muted' : net > 0 ? 'text-up' : 'text-down';
  return (
    <tr>
      <td className="lead font-medium">
        {symbol} <span className="text-muted">{interval}</span>
      </td>
      <td className={`lead ${direction === 'LONG' ? 'text-up' : 'text-down'}`}>{direction}</td>
      <td>
        {confidenceText(confidence)}
        {kind === 'score' && <span className="ml-1 text-label text-muted">score</span>}
      </td>
      <td className="text-muted max-md:hidden">{formatFixed(raw * 100, 1)}</td>
      <td className="max-md:hidden">{formatPrice(price, decimals)}</td>
      <td className="lead">
        {outcome === null ? 'Open' : outcomeNames[outcome.outcome]}
        {net !== undefined && <span className={`ml-2 md:hidden ${netTone}`}>{netText}</span>}
      </td>
      <td className={`max-md:hidden ${netTone}`}>{netText}</td>
      <td className="max-md:hidden">
        <Time at={closedAt} />
      </td>
    </tr>
  );
}
