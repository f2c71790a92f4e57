import { useState } from 'react';
import { metricDefinitions as define } from '../../../api/metrics.gen.ts';
import { formatMoney, formatPercent } from '../../../format/number.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import type { Run } from '../backtestState.ts';
import { MoreFigures } from './MoreFigures.tsx';
import { figureGroups, groupedFigures, groupNames, restsOn } from './allFigures.ts';
import { type MetricCell, metricCells, signTone, type Tone } from './metricCells.ts';

const tones: Record<Tone, string> = {
  up: 'text-up',
  down: 'text-down',
  warn: 'text-warn',
  muted: 'text-muted',
  plain: '',
};

/** Characters of a net PnL that the width of its cell holds in the large type. */
const LONG_FIGURE = 10;

/** The figures that decide, each beside what it rests on. */
export function MetricStrip({ run }: { run: Run }) {
  const { summary } = run.result;
  const { initialEquity } = run.costs;
  const [isOpen, setOpen] = useState(false);
  const net = formatMoney(summary.netPnl, true);
  return (
    <section aria-label="Result" className="@container overflow-hidden rounded border border-line">
      <div className="grid gap-px bg-line @2xl:grid-cols-[190px_1fr]">
        <div className="flex flex-col justify-center bg-panel px-4 py-3 text-label text-muted tabular-nums">
          <p>
            <DefinedTerm definition={define.netPnl} />, USDT
          </p>
          <p
            data-testid="net-pnl"
            className={`${net.length > LONG_FIGURE ? 'text-page leading-8' : 'text-figure'} font-semibold ${tones[signTone(summary.netPnl)]}`}
          >
            {net}
          </p>
          <p>
            {formatPercent(summary.netPnl / initialEquity, true)} of {formatMoney(initialEquity)}
          </p>
          {summary.ambiguousFraction > 0 && (
            <p>
              {run.costs.sameBar === 'target' ? (
                <>
                  <DefinedTerm definition={define.pessimistic} label="stop first" />{' '}
                  {formatMoney(summary.pessimisticNetPnl, true)}
                </>
              ) : (
                <>
                  <DefinedTerm definition={define.optimistic} label="target first" />{' '}
                  {formatMoney(summary.optimisticNetPnl, true)}
                </>
              )}
            </p>
          )}
        </div>
        <dl className="grid grid-cols-2 gap-px bg-line tabular-nums @lg:grid-cols-4 @5xl:grid-cols-6">
          {metricCells(run).map((cell) => (
            <Cell key={cell.definition.name} {...cell} />
          ))}
        </dl>
      </div>
      <div className="border-t border-line bg-panel px-2 py-1">
        <MoreFigures isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      </div>
      {isOpen && <AllFigures result={run.result} />}
    </section>
  );
}

function Cell({ definition, value, note, tone, noteTone = 'muted', isMissing = false }: MetricCell) {
  return (
    <div className="min-w-0 bg-panel px-3 py-2">
      <dt className="truncate text-label text-muted">
        <DefinedTerm definition={definition} />
      </dt>
      <dd>
        <span
          className={`block min-h-5 truncate font-semibold ${isMissing ? 'text-label leading-5' : 'text-section'} ${tones[tone]}`}
        >
          {value}
        </span>
        <span className={`block min-h-4 truncate text-label ${tones[noteTone]}`}>{note}</span>
      </dd>
    </div>
  );
}

/** Everything else there is to know of a run, for whoever asks for it. */
function AllFigures({ result }: Pick<Run, 'result'>) {
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
