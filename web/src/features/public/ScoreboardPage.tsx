import type { components } from '../../api/schema.gen.ts';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { Panel } from '../../ui/Panel.tsx';
import { AiValuePanel } from '../shared/record/AiValuePanel.tsx';
import { CalibrationPanel, ConfidencePanel } from '../shared/record/CalibrationPanel.tsx';
import { RecordPanel, SignalTable } from '../shared/record/RecordPanel.tsx';
import { PageHead } from './PageHead.tsx';
import { PublicAnswer } from './PublicAnswer.tsx';

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
  return (
    <PublicAnswer answer={answer} failure="The record could not be read.">
      {(record) => <WholeRecord record={record} />}
    </PublicAnswer>
  );
}

type Scoreboard = components['schemas']['ScoreboardAnswer'];

function WholeRecord({ record }: { record: Scoreboard }) {
  const { market, confidence, engine, ai_check: ai, ai_value: values, newest } = record;
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
