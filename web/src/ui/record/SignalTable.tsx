import { useTickDecimals } from '../../api/symbols.ts';
import type { HistoricSignal } from '../../api/types.ts';
import { formatFixed, formatPercent, formatPrice, NO_VALUE } from '../../format/number.ts';
import { type Column, TableHead } from '../TableHead.tsx';
import { Time } from '../Time.tsx';

const outcomeNames = { TP: 'Target', SL: 'Stopped', TIME: 'Time ran out' };

const columns: readonly Column[] = [
  { name: 'Signal', isText: true },
  { name: 'Direction', isText: true },
  { name: 'Confidence, %' },
  { name: 'Score', isWideOnly: true },
  { name: 'Entry Price', isWideOnly: true },
  { name: 'Outcome', isText: true },
  { name: 'Result after fees', isWideOnly: true },
  { name: 'Candle closed', isWideOnly: true },
];

type Signal = Omit<HistoricSignal, 'mine'>;

/** Recorded signals and what became of each, winners and losers alike. */
export function SignalTable({ signals }: { signals: readonly Signal[] }) {
  const decimalsOf = useTickDecimals();
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Newest signals">
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
        {formatFixed(confidence * 100, 1)}
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
