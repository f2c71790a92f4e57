import { Check, Pencil, X } from 'lucide-react';
import { memo, type SubmitEvent, useState } from 'react';
import { useSnapshot } from 'valtio';
import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { messageOf } from '../../../api/failure.ts';
import { formatCount, formatMoney } from '../../../format/number.ts';
import { toastRejection } from '../../../state/toasts.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { groupNames } from '../results/allFigures.ts';
import { MoreFigures } from '../results/MetricStrip.tsx';
import { compared, COMPARED_MAX, comparedOf, dropCompared, useRenameRun, useSavedRuns } from './comparedRuns.ts';
import { type ComparedRun, type CompareRow, isPortfolio, isSingle } from './compareRow.ts';
import { cautionsOf, type CompareGroup, compareGroups, compareRows, withoutFigures } from './compareRuns.ts';
import { linesOf, plotSize } from './equityLines.ts';
import { pinned, type PinnedPortfolio, renamePinned } from './pinnedPortfolios.ts';

/** Up to four runs side by side, saved ones and accounts over many symbols. Differences are bold, and what makes the runs hard to compare is said. */
export const Comparison = memo(function Comparison() {
  const { ids } = useSnapshot(compared);
  const { runs: portfolios } = useSnapshot(pinned);
  const saved = useSavedRuns().data ?? [];
  const runs = comparedOf<ComparedRun>([...saved, ...(portfolios as PinnedPortfolio[])], ids);
  if (runs.length === 0) return null;
  const cautions = cautionsOf(runs);
  return (
    <section aria-label="Comparison">
      <Panel title="Comparison" aside={`${formatCount(runs.length)} of ${COMPARED_MAX} runs`} bodyClassName="relative">
        <div className="flex flex-col gap-3 p-3">
          {runs.length === 1 && (
            <p className="text-muted">Change the setup or the parameters, then press Compare again.</p>
          )}
          {cautions.length > 0 && (
            <Notice tone="warn">
              {cautions.map((caution) => (
                <p key={caution}>{caution}</p>
              ))}
            </Notice>
          )}
          <Equities runs={runs} />
          <CompareTable runs={runs} />
        </div>
      </Panel>
    </section>
  );
});

/** Colour and dashes of each line: either of them identifies it. */
const strokes = [
  { colour: 'var(--series-1)', dashes: 'none' },
  { colour: 'var(--series-2)', dashes: '7 4' },
  { colour: 'var(--series-3)', dashes: '2 3' },
  { colour: 'var(--series-4)', dashes: '10 3 2 3' },
] as const;
const strokeOf = (at: number) => {
  const { colour, dashes } = strokes[at % strokes.length] ?? strokes[0];
  return { fill: 'none', stroke: colour, strokeDasharray: dashes, strokeWidth: 1.75 };
};

/** The gains on one scale, each over its own scored window. */
function Equities({ runs }: { runs: readonly ComparedRun[] }) {
  const { lines, zero, high, low } = linesOf(runs.map(({ equity }) => equity));
  const { width, height } = plotSize;
  return (
    <figure className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="h-40 w-full border border-line"
        >
          <line x1={0} x2={width} y1={zero} y2={zero} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          {lines.map((points, at) => (
            <polyline key={runs[at]?.id} points={points} {...strokeOf(at)} vectorEffect="non-scaling-stroke" />
          ))}
        </svg>
        <div aria-hidden="true" className="flex flex-col justify-between text-right font-mono text-label text-muted">
          <span>{formatMoney(high, true)}</span>
          <span>{formatMoney(low, true)}</span>
        </div>
      </div>
      <figcaption className="text-label text-muted">Gain in USDT, each over its own scored window.</figcaption>
      <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-label">
        {runs.map(({ id, name, equity }, at) => (
          <li key={id} className="flex min-w-0 items-center gap-1.5">
            <svg width="28" height="8" aria-hidden="true" className="shrink-0">
              <line x1="0" x2="28" y1="4" y2="4" {...strokeOf(at)} />
            </svg>
            <span className="truncate">{name}</span>
            <span className="font-mono text-muted">{formatMoney((equity.at(-1) ?? 0) - (equity[0] ?? 0), true)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Two runs fit a phone without scrolling; `w-30` of the first column. */
const LEAD_MIN_PX = 120;
const RUN_MIN_PX = 104;

/** Figures, on demand all of them, then the settings. The best value of each figure is marked. */
function CompareTable({ runs }: { runs: readonly ComparedRun[] }) {
  const [isOpen, setOpen] = useState(false);
  const { figures, settings } = compareRows(runs);
  const notStored = withoutFigures(runs);
  return (
    <>
      <ScrollSideways label="Figures side by side">
        {/* Fixed: the columns of the runs are equally wide, whatever the length of their texts. */}
        <table className="table table-fixed" style={{ minWidth: LEAD_MIN_PX + runs.length * RUN_MIN_PX }}>
          <thead>
            <tr>
              <th scope="col" className="lead w-30 md:w-56">
                <span className="sr-only">Figure</span>
              </th>
              {runs.map((run) => (
                <th key={run.id} scope="col" className="wraps wrap-anywhere">
                  <RunHead run={run} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map((row) => (
              <Row key={row.name} row={row} runs={runs} />
            ))}
            {runs.some(isSingle) && (
              <tr>
                <td colSpan={runs.length + 1} className="lead">
                  <MoreFigures isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
                </td>
              </tr>
            )}
          </tbody>
          {isOpen &&
            runs.some(isSingle) &&
            compareGroups(runs).map((group) => <Group key={group.group} {...group} runs={runs} />)}
          <tbody className="border-t-2 border-line">
            {settings.map((row) => (
              <Row key={row.name} row={row} runs={runs} />
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      <p className="text-label text-muted">
        Bold: the runs differ. <Check size={12} aria-hidden="true" className="inline align-[-1px]" /> marks the best
        figure.
        {isOpen && notStored.length > 0 && ` Not stored in older runs: ${notStored.join(', ')}.`}
      </p>
    </>
  );
}

/** Name of a run, which can be changed here, and the way out of the comparison. */
function RunHead({ run }: { run: ComparedRun }) {
  const { id, name } = run;
  const [isEdited, setEdited] = useState(false);
  if (isEdited) return <NameForm id={id} name={name} isHere={isPortfolio(run)} onClose={() => setEdited(false)} />;
  return (
    <span className="flex flex-wrap items-center justify-end gap-1">
      <span className="min-w-0">{name}</span>
      <button
        type="button"
        className="btn btn-ghost btn-small btn-icon shrink-0"
        aria-label={`Rename ${name}`}
        title="Rename"
        onClick={() => setEdited(true)}
      >
        <Pencil size={12} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small btn-icon shrink-0"
        aria-label={`Remove ${name} from the comparison`}
        title="Remove from the comparison"
        onClick={() => dropCompared(id)}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  );
}

interface NameProps {
  id: string;
  name: string;
  /** The run is in this browser, not on the server. */
  isHere: boolean;
  onClose: () => void;
}

function NameForm({ id, name, isHere, onClose }: NameProps) {
  const rename = useRenameRun();
  const [text, setText] = useState(name);
  const next = text.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (next === '' || next === name) {
      onClose();
      return;
    }
    if (isHere) {
      renamePinned(id, next);
      onClose();
      return;
    }
    rename.mutate(
      { id, name: next },
      {
        onSuccess: onClose,
        onError: (failure) => toastRejection(messageOf(failure, 'The run was not renamed'), failure),
      },
    );
  };
  return (
    <form className="flex flex-wrap items-center justify-end gap-1" onSubmit={submit}>
      <input
        autoFocus
        className="input h-7 max-w-36 font-normal"
        aria-label={`New name of ${name}`}
        maxLength={SAVED_NAME_MAX}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onClose();
        }}
      />
      <button type="submit" className="btn btn-small" disabled={next === '' || rename.isPending}>
        {rename.isPending ? 'Saving…' : 'Rename'}
      </button>
    </form>
  );
}

interface Columns {
  runs: readonly ComparedRun[];
}

function Group({ group, samples, rows, runs }: CompareGroup & Columns) {
  return (
    <tbody className="border-t-2 border-line">
      <tr>
        <th scope="rowgroup" className="lead wraps">
          <span className="font-semibold text-text">{groupNames[group]}</span>
        </th>
        {runs.map(({ id }, at) => (
          <td key={id} className="wraps wrap-anywhere text-muted">
            {samples[at]}
          </td>
        ))}
      </tr>
      {rows.map((row) => (
        <Row key={row.name} row={row} runs={runs} />
      ))}
    </tbody>
  );
}

function Row({ row: { name, texts, isDifferent, definition, best }, runs }: { row: CompareRow } & Columns) {
  return (
    <tr data-different={isDifferent}>
      <th scope="row" className={`lead wraps ${isDifferent ? 'font-semibold' : 'font-normal text-muted'}`}>
        {definition === undefined ? name : <DefinedTerm definition={definition} label={name} />}
      </th>
      {runs.map(({ id }, at) => (
        <td key={id} className={`font-mono wraps wrap-anywhere ${isDifferent ? 'font-semibold' : 'text-muted'}`}>
          {best === at && <Best />}
          {texts[at]}
        </td>
      ))}
    </tr>
  );
}

function Best() {
  return (
    <>
      <Check size={12} strokeWidth={3} aria-hidden="true" className="mr-1 inline align-[-1px] text-accent" />
      <span className="sr-only">best: </span>
    </>
  );
}
