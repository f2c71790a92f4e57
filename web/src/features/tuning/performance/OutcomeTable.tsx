import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { HistoricSignal } from '../../../api/types.ts';
import { formatFixed, formatPercent, formatPrice, NO_VALUE } from '../../../format/number.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';

const COUNT = 50;
const outcomeNames = { TP: 'Target', SL: 'Stopped', TIME: 'Time ran out' };

/** The newest of the record, whatever became of them. */
export function OutcomeTable({ isMine }: { isMine: boolean }) {
  const answer = useQuery({
    queryKey: [...queryKeys.historicSignals, isMine],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/historic-signals', {
          params: { query: { limit: COUNT, mine: isMine ? 'true' : 'false' } },
          signal,
        }),
      ),
    staleTime: 30_000,
  });
  return (
    <Panel title="Newest signals" aside={`at most ${COUNT}, winners and losers alike`} bodyClassName="">
      {answer.error !== null && (
        <div className="p-3">
          <ErrorState
            text={messageOf(answer.error, 'The signals could not be read.')}
            onRetry={() => void answer.refetch()}
          />
        </div>
      )}
      {answer.isPending && <SkeletonRows rows={4} />}
      {answer.data?.signals.length === 0 && <p className="p-3 text-muted">None is recorded yet.</p>}
      {answer.data !== undefined && answer.data.signals.length > 0 && (
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
              {answer.data.signals.map((signal) => (
                <Row key={signal.id} {...signal} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function Row({ symbol, interval, direction, confidence, price, outcome, candle_close_at: closedAt }: HistoricSignal) {
  const net = outcome?.net_fraction;
  return (
    <tr>
      <td className="lead font-medium">
        {symbol} <span className="text-muted">{interval}</span>
      </td>
      <td className={`lead ${direction === 'LONG' ? 'text-up' : 'text-down'}`}>{direction}</td>
      <td>{formatFixed(confidence * 100, 1)}</td>
      <td>{formatPrice(price)}</td>
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
