import { DefinedTerm } from '../../../ui/Hint.tsx';
import type { Run } from '../backtestState.ts';
import { figureGroups, groupedFigures, groupNames, restsOn } from './allFigures.ts';

/** Everything else there is to know of a run, for whoever asks for it. */
export function AllFigures({ result }: Pick<Run, 'result'>) {
  const basis = { ...result.summary, ...result.analysis };
  return (
    <div className="grid gap-px border-t border-line bg-line @2xl:grid-cols-3">
      {figureGroups.map((group) => (
        <section
          key={group}
          aria-label={`Figures: ${groupNames[group]}`}
          className="min-w-0 bg-panel px-3 py-2 text-label"
        >
          <p className="flex justify-between gap-2 pb-1 font-semibold">
            {groupNames[group]} <span className="font-normal text-muted tabular-nums">{restsOn(group, basis)}</span>
          </p>
          <dl className="tabular-nums">
            {groupedFigures(result, group).map(({ definition, value, isMissing }) => (
              <div key={definition.name} className="flex min-h-6 items-baseline justify-between gap-2">
                <dt className="text-muted">
                  <DefinedTerm definition={definition} />
                </dt>
                <dd className={`text-right ${isMissing ? 'text-muted' : 'font-medium'}`}>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
