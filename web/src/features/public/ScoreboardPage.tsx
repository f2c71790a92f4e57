import type { components } from '../../api/schema.gen.ts';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { Panel } from '../../ui/Panel.tsx';
import { AiValuePanel } from '../shared/record/AiValuePanel.tsx';
import { CalibrationPanel, ConfidencePanel } from '../shared/record/CalibrationPanel.tsx';
import { ReplayPanels, SideBySide } from '../shared/record/ReplayPanels.tsx';
import { RecordPanel, SignalTable } from '../shared/record/RecordPanel.tsx';
import { PageHead } from './PageHead.tsx';
import { PublicResponse } from './PublicResponse.tsx';

/** The public record, losers included, without a filter (docs/architecture.md). */
export function ScoreboardPage() {
  return (
    <>
      <PageHead
        title="Outcome of every signal"
        lead="Every signal is recorded when a scan finds it, and never changed or removed. Outcome after fees: target, stop or time limit, whichever comes first. Losers count like winners."
      />
      <Board />
    </>
  );
}

function Board() {
  const response = useQuery({
    queryKey: queryKeys.scoreboard,
    queryFn: ({ signal }) => dataOf(api.GET('/api/scoreboard', { signal })),
    staleTime: 30_000,
  });
  const replayed = useQuery({
    queryKey: queryKeys.replayedScoreboard,
    queryFn: ({ signal }) => dataOf(api.GET('/api/scoreboard', { params: { query: { origin: 'replayed' } }, signal })),
    staleTime: 30_000,
  });
  // Shown together: the replayed record stands above panels of the live one, which would move if it came later.
  const { data: record } = response;
  const both = record === undefined || replayed.isPending ? undefined : { record, replayed: replayed.data };
  return (
    <PublicResponse response={{ ...response, data: both }} failure="Could not load the track record.">
      {(records) => <WholeRecord {...records} />}
    </PublicResponse>
  );
}

type Scoreboard = components['schemas']['ScoreboardResponse'];

function WholeRecord({ record, replayed }: { record: Scoreboard; replayed: Scoreboard | undefined }) {
  const { market, confidence, engine, ai_check: ai, ai_value: values, newest } = record;
  return (
    <div className="flex min-h-dvh flex-col gap-4">
      {market !== 'live' && (
        <p className="text-muted">
          {market === 'simulated'
            ? 'Simulated market: these figures test the arithmetic only.'
            : 'Replayed market: recorded candles.'}
        </p>
      )}
      {replayed?.replay != null && <SideBySide live={engine} replayed={replayed.engine} stated={confidence.chance} />}
      <RecordPanel title="Engine: every signal" record={engine} market={market} />
      <CalibrationPanel title="Engine: stated confidence" record={engine} />
      <ConfidencePanel report={confidence} />
      {replayed?.replay != null && <ReplayPanels record={replayed.engine} replay={replayed.replay} market={market} />}
      {ai === null ? (
        <Panel title="AI check: approved">
          <p className="text-muted">
            No signals approved by an AI model yet. Built-in rules are counted separately below.
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
          <p className="p-3 text-muted">No signals yet. The track record starts with the first scan.</p>
        ) : (
          <SignalTable signals={newest} />
        )}
      </Panel>
    </div>
  );
}
