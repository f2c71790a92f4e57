import { useTickDecimals } from '../../api/market.ts';
import type { HistoricSignal } from '../../api/types.ts';
import { formatFixed, formatPercent, formatPrice, NO_VALUE } from '../../format/number.ts';
import { Time } from '../Time.tsx';

const outcomeNames = { TP: 'Target', SL: 'Stopped', TIME: 'Time ran out' };

type Signal = Omit<HistoricSignal, 'mine'>;

/** Recorded signals and what became of each, winners and losers alike. */
export function SignalTable({ signals }: { signals: readonly Signal[] }) {
  const decimalsOf = useTickDecimals();
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Newest signals">
      <table className="table">
        <thead>
          <tr>
            <th className="lead" scope="col">
              Signal
            </th>
            <th className="lead" scope="col">
              Direction
            </th>
            <th scope="col">Confidence, %</th>
            <th scope="col">Entry Price</th>
            <th className="lead" scope="col">
              Outcome
            </th>
            <th scope="col">Result after fees</th>
            <th scope="col">Candle closed</th>
          </tr>
        </thead>
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
  price,
  outcome,
  candle_close_at: closedAt,
}: Signal & { decimals: number | undefined }) {
  const net = outcome?.net_fraction;
  return (
    <tr>
      <td className="lead font-medium">
        {symbol} <span className="text-muted">{interval}</span>
      </td>
      <td className={`lead ${direction === 'LONG' ? 'text-up' : 'text-down'}`}>{direction}</td>
      <td>{formatFixed(confidence * 100, 1)}</td>
      <td>{formatPrice(price, decimals)}</td>
      <td className="lead">{outcome === null ? 'Open' : outcomeNames[outcome.outcome]}</td>
      <td className={net === undefined || net === 0 ? 'text-muted' : net > 0 ? 'text-up' : 'text-down'}>
        {net === undefined ? NO_VALUE : formatPercent(net, true)}
      </td>
      <td>
        <Time at={closedAt} />
      </td>
    </tr>
  );
}
