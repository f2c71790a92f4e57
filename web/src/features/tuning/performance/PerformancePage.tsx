import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Performance } from '../../../api/types.ts';
import { basisText, outcomesText } from '../../../format/confidence.ts';
import { formatCount, formatMany, formatFixed, formatPercent } from '../../../format/number.ts';
import { voteName } from '../../../format/voteName.ts';
import { Field } from '../../../ui/Field.tsx';
import { Guarded } from '../../../ui/Guarded.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Time } from '../../../ui/Time.tsx';
import { AiValuePanel, VetoFigures } from '../../shared/record/AiValuePanel.tsx';
import { CalibrationPanel, ConfidencePanel } from '../../shared/record/CalibrationPanel.tsx';
import { ReplayPanels } from '../../shared/record/ReplayPanels.tsx';
import { RecordPanel, SignalTable } from '../../shared/record/RecordPanel.tsx';
import { StrategyReplayPanel } from './StrategyReplayPanel.tsx';

const kinds = ['engine', 'mine', 'ai_check'] as const;
type Kind = (typeof kinds)[number];
const kindNames = { engine: 'All signals', mine: 'From my scans', ai_check: 'AI-approved' };

/** The whole track record, losers included. */
export function PerformancePage() {
  const [kind, setKind] = useState<Kind>('engine');
  const response = useQuery({
    queryKey: queryKeys.performance,
    queryFn: ({ signal }) => dataOf(api.GET('/api/performance', { signal })),
    staleTime: 30_000,
  });
  const replayed = useQuery({
    queryKey: queryKeys.replayedPerformance,
    queryFn: ({ signal }) => dataOf(api.GET('/api/performance', { params: { query: { origin: 'replayed' } }, signal })),
    staleTime: 30_000,
  });
  if (response.error !== null && response.data === undefined)
    return (
      <ErrorState
        failure={response.error}
        text={messageOf(response.error, 'The track record did not load.')}
        onRetry={() => void response.refetch()}
      />
    );
  // Shown together: the replayed record stands among panels of the live one, which would move if it came later.
  if (response.data === undefined || replayed.isPending) return <SkeletonRows rows={8} />;
  const shown = kinds.filter((each) => response.data[each] !== null);
  const record = response.data[kind] ?? response.data.engine;
  return (
    <div className="flex flex-col gap-3">
      <div className="max-w-100">
        <Segments label="Signals" options={shown} value={kind} nameOf={(each) => kindNames[each]} onSelect={setKind} />
      </div>
      <Guarded>
        <RecordPanel title="Signal outcomes" record={record} market={response.data.market} />
        <CalibrationPanel title="Confidence calibration" record={record} />
        <ConfidencePanel report={response.data.confidence} />
      </Guarded>
      <Guarded>
        {replayed.data?.replay != null && (
          <ReplayPanels record={replayed.data.engine} replay={replayed.data.replay} market={replayed.data.market} />
        )}
      </Guarded>
      <Guarded>
        <OwnStrategies strategies={response.data.strategies} market={response.data.market} />
        <StrategyReplayPanel live={response.data.strategies} />
      </Guarded>
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Guarded>
          <AiValuePanel values={response.data.ai_value} />
          <TuningValuePanel tuning={response.data.tuning} />
        </Guarded>
      </div>
      <Guarded>
        <VotesPanel votes={response.data.votes} />
        <OutcomeTable isMine={kind === 'mine'} />
      </Guarded>
    </div>
  );
}

/** The outcomes of the user's saved strategies, each by its own exits, and the reliability of their stated confidence. */
function OwnStrategies({ strategies, market }: Pick<Performance, 'strategies' | 'market'>) {
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = strategies.find(({ id }) => id === chosen) ?? strategies[0];
  if (shown === undefined) return null;
  const { name, version, record, confidence } = shown;
  return (
    <>
      <Panel title="Your saved strategies" aside={`${outcomesText(record.resolved)} of version ${version.slice(0, 8)}`}>
        <div className="flex flex-col gap-3">
          {strategies.length > 1 && (
            <div className="max-w-100">
              <Field label="Strategy">
                {(ids) => (
                  <select
                    {...ids}
                    className="input"
                    value={shown.id}
                    onChange={(event) => setChosen(event.target.value)}
                  >
                    {strategies.map((each) => (
                      <option key={each.id} value={each.id}>
                        {each.is_used ? `${each.name}, traded now` : each.name}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            </div>
          )}
          <p className="text-label text-muted">
            Signals of {name} from your scans, with its own exits, after fees. Each version counts separately.
            {confidence.bases.map((basis) => ` ${basisText(basis)}`)}
          </p>
        </div>
      </Panel>
      <RecordPanel title={`Outcomes of ${name}`} record={record} market={market} turned={record.turned} />
      <CalibrationPanel title={`Calibration of ${name}`} record={record} />
      <ConfidencePanel title={`${name}: before and after calibration`} report={confidence} />
    </>
  );
}

const COUNT = 50;

/** The newest signals of the record, with any outcome. */
function OutcomeTable({ isMine }: { isMine: boolean }) {
  const response = useQuery({
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
    <Panel title="Newest signals" aside={`up to ${COUNT}, wins and losses`} bodyClassName="">
      {response.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={response.error}
            text={messageOf(response.error, 'The signals did not load.')}
            onRetry={() => void response.refetch()}
          />
        </div>
      )}
      {response.isPending && <SkeletonRows rows={4} />}
      {response.data?.signals.length === 0 && <p className="p-3 text-muted">Signals appear here after a scan.</p>}
      {response.data !== undefined && response.data.signals.length > 0 && (
        <SignalTable signals={response.data.signals} />
      )}
    </Panel>
  );
}

type Tuning = NonNullable<Performance['tuning']>;

/** The saved weights and floor as a filter on recorded signals: before they were set, and since. Only the second half judges them. */
function TuningValuePanel({ tuning }: { tuning: Performance['tuning'] }) {
  return (
    <Panel title="Value of your tuning" bodyClassName="flex flex-col gap-5 p-3">
      {tuning === null ? (
        <p className="text-muted">Save a tuning to compare it with past signals.</p>
      ) : (
        <>
          <Half
            title="Out of sample"
            note={
              <>
                candles closed after you saved, <Time at={tuning.saved_at} />: the fair test.
              </>
            }
            half={tuning.out_of_sample}
          />
          <Half title="In sample" note="seen when you chose: optimistic" half={tuning.in_sample} />
          {tuning.unexplained > 0 && (
            <p className="text-label text-muted">
              {formatMany(tuning.unexplained, 'signal')} excluded: votes are missing or do not match the score.
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

function Half({ title, note, half }: { title: string; note: React.ReactNode; half: Tuning['in_sample'] }) {
  const { brier_before: before, brier_after: after } = half;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="flex flex-wrap items-baseline gap-x-3 font-medium">
        {title}
        <span className="text-label font-normal text-muted">{note}</span>
      </h3>
      <VetoFigures veto={half} label={`Your tuning against a random veto, ${title.toLowerCase()}`} />
      <p className="text-label text-muted">
        {formatCount(half.turned)} of the vetoed change direction.{' '}
        {before !== null && after !== null
          ? `Brier score ${formatFixed(before, 4)} recorded, ${formatFixed(after, 4)} with your weights; lower is better.`
          : 'Brier score: not enough data.'}
      </p>
    </section>
  );
}

/** How often each vote was right, on resolved signals. */
function VotesPanel({ votes }: { votes: Performance['votes'] }) {
  return (
    <Panel title="Hit rate of each vote" aside="resolved signals" bodyClassName="">
      {votes.length === 0 ? (
        <p className="p-3 text-muted">Votes of finished signals appear here.</p>
      ) : (
        <div className="more-sideways overflow-x-auto" tabIndex={0} role="group" aria-label="Hit rate of each vote">
          <table className="table">
            <thead>
              <tr>
                <th className="lead" scope="col">
                  Vote
                </th>
                <th scope="col">n</th>
                <th scope="col">Right</th>
                <th scope="col">95 %</th>
              </tr>
            </thead>
            <tbody>
              {votes.map(({ vote, count, hit_rate: rate, hit_rate_interval: interval }) => (
                <tr key={vote}>
                  <th className="lead" scope="row">
                    {voteName(vote)}
                  </th>
                  <td>{formatCount(count)}</td>
                  <td className={rate === null ? 'text-muted' : ''}>
                    {rate === null ? 'Not enough data' : formatPercent(rate)}
                  </td>
                  <td className="text-muted">
                    {rate === null || interval === null
                      ? ''
                      : `${formatPercent(interval.low)} to ${formatPercent(interval.high)}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
