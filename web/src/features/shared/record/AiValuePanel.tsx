import type { Performance } from '../../../api/types.ts';
import { formatChance, formatCount, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';

const judges = { model: 'AI model', built_in: 'Built-in rules, no AI model' } as const;

/** A model by its name; the built-in rules, which have none, by their version. */
export const modelText = ({
  decided_by: by,
  model,
}: Pick<Performance['ai_value'][number], 'decided_by' | 'model'>): string =>
  by === 'built_in' ? model.replace(/^built-in-/, 'version ') : model;

/** Value of the checks of signals, by checker. */
export function AiValuePanel({ values }: { values: Performance['ai_value'] }) {
  return (
    <Panel title="What the checks before opening add" bodyClassName="flex flex-col gap-5 p-3">
      {values.length === 0 && <p className="text-muted">Checked signals appear here.</p>}
      {values.map((value) => (
        <section key={`${value.decided_by} ${value.model}`} className="flex flex-col gap-2">
          <h3 className="flex flex-wrap items-baseline gap-x-3 font-medium">
            {judges[value.decided_by]}
            <span className="text-label font-normal text-muted">
              {modelText(value)}; {formatCount(value.open)} still open, {formatCount(value.repeats)} near-duplicates
              excluded
            </span>
          </h3>
          <VetoFigures veto={value} label={`${judges[value.decided_by]} against a random veto`} />
        </section>
      ))}
    </Panel>
  );
}

type Veto = Pick<
  Performance['ai_value'][number],
  'is_enough' | 'needed' | 'all' | 'passed' | 'vetoed' | 'random' | 'value_added' | 'p_value'
>;
type Group = Veto['all'];

const groups = [
  ['all', 'All'],
  ['passed', 'Passed'],
  ['vetoed', 'Vetoed'],
] as const;

const pct = (value: number | null): string => (value === null ? NO_VALUE : formatPercent(value, true));
const band = (interval: { low: number; high: number } | null): string =>
  interval === null ? '' : `${formatPercent(interval.low, true)} to ${formatPercent(interval.high, true)}`;

/** Value of a choice among signals against a blind choice of the same rate: its figures, or how many signals are missing. */
export function VetoFigures({ veto, label }: { veto: Veto; label: string }) {
  const { random, value_added: added, p_value: chance } = veto;
  return (
    <div className="flex flex-col gap-2">
      {veto.is_enough && random !== null && added !== null ? (
        <p>
          <span className={`font-medium ${added === 0 ? '' : added > 0 ? 'text-up' : 'text-down'}`}>
            {formatPercent(added, true)}
          </span>{' '}
          per signal. A random veto at the same rate: {formatPercent(random.mean, true)} (95 %: {band(random)}).
          {chance !== null && ` Chance of this without skill: ${formatChance(chance, 1)}.`}
        </p>
      ) : veto.is_enough ? (
        <p className="text-muted">Too early to compare: the finished signals were open at the same time.</p>
      ) : (
        <p className="text-muted">
          Not enough data: {formatCount(veto.passed.count)} passed and {formatCount(veto.vetoed.count)} vetoed signals
          finished. Needs {veto.needed} of each.
        </p>
      )}
      <div className="more-sideways overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
        <table className="table">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Signals
              </th>
              <th scope="col">n</th>
              <th scope="col">Mean result</th>
              <th scope="col">95 %</th>
              <th scope="col">Gained</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(([key, name]) => (
              <Row key={key} name={name} group={veto[key]} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Row({ name, group }: { name: string; group: Group }) {
  return (
    <tr>
      <th className="lead" scope="row">
        {name}
      </th>
      <td>{formatCount(group.count)}</td>
      <td className={group.mean_net_fraction === null ? 'text-muted' : ''}>{pct(group.mean_net_fraction)}</td>
      <td className="text-muted">{band(group.mean_interval)}</td>
      <td className={group.hit_rate === null ? 'text-muted' : ''}>{formatPercent(group.hit_rate)}</td>
    </tr>
  );
}
