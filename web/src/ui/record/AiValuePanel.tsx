import type { Performance } from '../../api/types.ts';
import { formatCount } from '../../format/number.ts';
import { Panel } from '../Panel.tsx';
import { VetoFigures } from './VetoFigures.tsx';

const judges = { model: 'AI model', built_in: 'Built-in rules, no AI model' } as const;

/** What checks of signals were worth, by who made them. */
export function AiValuePanel({ values }: { values: Performance['ai_value'] }) {
  return (
    <Panel title="Value of the checks before opening" bodyClassName="flex flex-col gap-5 p-3">
      {values.length === 0 && <p className="text-muted">No checked signal is recorded yet.</p>}
      {values.map((value) => (
        <section key={`${value.decided_by} ${value.model}`} className="flex flex-col gap-2">
          <h3 className="flex flex-wrap items-baseline gap-x-3 font-medium">
            {judges[value.decided_by]}
            <span className="text-label font-normal text-muted">
              {value.model}; {formatCount(value.open)} still open, {formatCount(value.repeats)} near-identical left out
            </span>
          </h3>
          <VetoFigures veto={value} label={`${judges[value.decided_by]} beside a blind veto`} />
        </section>
      ))}
    </Panel>
  );
}
