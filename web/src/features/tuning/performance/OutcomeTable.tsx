import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { SignalTable } from '../../../ui/record/SignalTable.tsx';

const COUNT = 50;

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
      {answer.data?.signals.length === 0 && <p className="p-3 text-muted">No signal is recorded yet.</p>}
      {answer.data !== undefined && answer.data.signals.length > 0 && <SignalTable signals={answer.data.signals} />}
    </Panel>
  );
}
