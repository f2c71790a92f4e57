import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { ErrorState, SkeletonRows } from '../../../ui/Panel.tsx';
import { AiValuePanel } from '../../../ui/record/AiValuePanel.tsx';
import { CalibrationPanel } from '../../../ui/record/CalibrationPanel.tsx';
import { RecordPanel } from '../../../ui/record/RecordPanel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { OutcomeTable } from './OutcomeTable.tsx';
import { TuningValuePanel } from './TuningValuePanel.tsx';
import { VotesPanel } from './VotesPanel.tsx';

const kinds = ['engine', 'mine', 'ai_check'] as const;
type Kind = (typeof kinds)[number];
const kindNames = { engine: 'All signals', mine: 'From my scans', ai_check: 'AI-approved' };

/** The record as it is, losers included. */
export function PerformancePage() {
  const [kind, setKind] = useState<Kind>('engine');
  const answer = useQuery({
    queryKey: queryKeys.performance,
    queryFn: ({ signal }) => dataOf(api.GET('/api/performance', { signal })),
    staleTime: 30_000,
  });
  if (answer.error !== null && answer.data === undefined)
    return (
      <ErrorState
        text={messageOf(answer.error, 'The record could not be read.')}
        onRetry={() => void answer.refetch()}
      />
    );
  if (answer.data === undefined) return <SkeletonRows rows={8} />;
  const shown = kinds.filter((each) => answer.data[each] !== null);
  const record = answer.data[kind] ?? answer.data.engine;
  return (
    <div className="flex flex-col gap-3">
      <div className="max-w-100">
        <Segments label="Signals" options={shown} value={kind} nameOf={(each) => kindNames[each]} onSelect={setKind} />
      </div>
      <RecordPanel title="Signal outcomes" record={record} market={answer.data.market} />
      <CalibrationPanel title="Confidence calibration" record={record} />
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <AiValuePanel values={answer.data.ai_value} />
        <TuningValuePanel tuning={answer.data.tuning} />
      </div>
      <VotesPanel votes={answer.data.votes} />
      <OutcomeTable isMine={kind === 'mine'} />
    </div>
  );
}
