import { Check } from 'lucide-react';
import { useState } from 'react';
import type { SavedRun } from '../../../api/types.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { groupNames } from '../results/allFigures.ts';
import { MoreFigures } from '../results/MetricStrip.tsx';
import {
  cautions,
  type CompareGroup,
  compareGroups,
  type CompareRow,
  compareRows,
  withoutFigures,
} from './compareRuns.ts';

/** Two saved runs side by side. Differences are marked, and so is what makes the runs hard to compare. */
export function Compare({ left, right }: { left: SavedRun; right: SavedRun }) {
  const matches = cautions(left, right);
  return (
    <section aria-label="Comparison" className="relative flex flex-col gap-3 border-t border-line p-3">
      {matches.length > 0 && (
        <Notice tone="warn">
          {matches.map((caution) => (
            <p key={caution}>{caution}</p>
          ))}
        </Notice>
      )}
      <Equities runs={[left, right]} />
      <CompareTable left={left} right={right} />
    </section>
  );
}

const size = { width: 600, height: 96 };

/** Each equity over its own scored window: the first solid, the second dashed. */
function Equities({ runs: [left, right] }: { runs: [SavedRun, SavedRun] }) {
  const gain = ({ equity }: SavedRun) => equity.map((value) => value - (equity[0] ?? 0));
  const [a, b] = [gain(left), gain(right)];
  // Both in one chart, so that they share the scale: the second follows the first.
  const low = Math.min(0, ...a, ...b);
  const high = Math.max(0, ...a, ...b);
  const scaled = (values: number[]): string => {
    const shares = values.map((value) => (value - low) / (high - low || 1));
    const step = size.width / Math.max(1, shares.length - 1);
    return shares
      .map((share, i) => `${(i * step).toFixed(1)},${(size.height - 2 - share * (size.height - 4)).toFixed(1)}`)
      .join(' ');
  };
  return (
    <figure>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-24 w-full"
      >
        <polyline
          points={scaled(a)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          points={scaled(b)}
          fill="none"
          stroke="var(--text)"
          strokeWidth="1.5"
          strokeDasharray="5 4"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="text-label text-muted">
        Gain in USDT, each over its own scored window: {left.name} solid, {right.name} dashed.
      </figcaption>
    </figure>
  );
}

/** Figures, on demand all of them, then the settings. The better value of each figure is marked. */
function CompareTable({ left, right }: { left: SavedRun; right: SavedRun }) {
  const [isOpen, setOpen] = useState(false);
  const { figures, settings } = compareRows(left, right);
  const unkept = withoutFigures([left, right]);
  return (
    <>
      <ScrollSideways label="Figures side by side">
        <table className="table w-full">
          <thead>
            <tr>
              <th scope="col" className="lead">
                <span className="sr-only">Figure</span>
              </th>
              {[left, right].map(({ id, name }) => (
                <th key={id} scope="col" className="wraps">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map((row) => (
              <Row key={row.name} row={row} />
            ))}
            <tr>
              <td colSpan={3} className="lead">
                <MoreFigures isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
              </td>
            </tr>
          </tbody>
          {isOpen && compareGroups(left, right).map((group) => <Group key={group.group} {...group} />)}
          <tbody className="border-t-2 border-line">
            {settings.map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      <p className="text-label text-muted">
        <Check size={12} aria-hidden="true" className="inline align-[-1px]" /> marks the better figure.
        {isOpen && unkept.length > 0 && ` Not stored in older runs: ${unkept.join(', ')}.`}
      </p>
    </>
  );
}

function Group({ group, left, right, rows }: CompareGroup) {
  return (
    <tbody className="border-t-2 border-line">
      <tr>
        <th scope="rowgroup" className="lead">
          <span className="font-semibold text-text">{groupNames[group]}</span>
        </th>
        {[left, right].map((basis, at) => (
          <td key={at} className="wraps text-muted">
            {basis}
          </td>
        ))}
      </tr>
      {rows.map((row) => (
        <Row key={row.name} row={row} />
      ))}
    </tbody>
  );
}

function Row({ row: { name, left, right, isDifferent, definition, better } }: { row: CompareRow }) {
  const look = `font-mono wraps ${isDifferent ? 'font-semibold' : 'text-muted'}`;
  return (
    <tr>
      <th scope="row" className="lead wraps font-normal text-muted">
        {definition === undefined ? name : <DefinedTerm definition={definition} label={name} />}
      </th>
      {(
        [
          ['left', left],
          ['right', right],
        ] as const
      ).map(([side, text]) => (
        <td key={side} className={look}>
          {better === side && <Better />}
          {text}
        </td>
      ))}
    </tr>
  );
}

function Better() {
  return (
    <>
      <Check size={12} strokeWidth={3} aria-hidden="true" className="mr-1 inline align-[-1px] text-accent" />
      <span className="sr-only">better: </span>
    </>
  );
}
