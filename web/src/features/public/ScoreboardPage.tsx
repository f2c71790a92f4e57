import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { AiValuePanel } from '../../ui/record/AiValuePanel.tsx';
import { CalibrationPanel, ConfidencePanel } from '../../ui/record/CalibrationPanel.tsx';
import { RecordPanel } from '../../ui/record/RecordPanel.tsx';
import { SignalTable } from '../../ui/record/SignalTable.tsx';
import { PageHead } from './PageHead.tsx';

/** The public record, losers included, without a filter (docs/architecture.md). */
export function ScoreboardPage() {
  return (
    <>
      <PageHead
        title="Outcome of every signal"
        lead="Each signal is recorded when a scan finds it, and it can never be changed or removed. A fixed rule decides its outcome after fees: target, stop or time limit, whichever comes first. Losers count like winners, and nothing is left out."
      />
      <Board />
    </>
  );
}

function Board() {
  const answer = useQuery({
    queryKey: queryKeys.scoreboard,
    queryFn: ({ signal }) => dataOf(api.GET('/api/scoreboard', { signal })),
    staleTime: 30_000,
  });
  if (answer.error !== null && answer.data === undefined)
    return (
      <div className="min-h-dvh">
        <ErrorState
          failure={answer.error}
          text={messageOf(answer.error, 'The record could not be read.')}
          onRetry={() => void answer.refetch()}
        />
      </div>
    );
  if (answer.data === undefined)
    return (
      <div className="panel min-h-dvh">
        <SkeletonRows rows={10} />
      </div>
    );
  const { market, confidence, engine, ai_check: ai, ai_value: values, newest } = answer.data;
  return (
    <div className="flex min-h-dvh flex-col gap-4">
      {market !== 'live' && (
        <p className="text-muted">
          {market === 'simulated'
            ? 'The market of this installation is simulated. These figures test the arithmetic, not a market you can trade.'
            : 'The market of this installation is a replay of recorded candles: what it shows has happened before.'}
        </p>
      )}
      <RecordPanel title="Engine: every signal" record={engine} market={market} />
      <CalibrationPanel title="Engine: stated confidence" record={engine} />
      <ConfidencePanel report={confidence} />
      {ai === null ? (
        <Panel title="AI check: approved">
          <p className="text-muted">
            No signal was approved by an AI model yet. The built-in rules are counted below, apart from it.
          </p>
        </Panel>
      ) : (
        <>
          <RecordPanel title="AI check: approved" record={ai} market={market} />
          <CalibrationPanel title="AI check: stated confidence" record={ai} />
        </>
      )}
      <AiValuePanel values={values} />
      <Panel title="Newest signals" aside="at most 50, winners and losers alike" bodyClassName="">
        {newest.length === 0 ? (
          <p className="p-3 text-muted">No signal is recorded yet. The record begins with the first scan.</p>
        ) : (
          <SignalTable signals={newest} />
        )}
      </Panel>
    </div>
  );
}
