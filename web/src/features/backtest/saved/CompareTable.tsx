import { Check } from 'lucide-react';
import { useState } from 'react';
import type { SavedRun } from '../../../api/types.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { groupNames } from '../results/allFigures.ts';
import { MoreFigures } from '../results/MoreFigures.tsx';
import { compareRows } from './compare.ts';
import { type CompareGroup, compareGroups, withoutFigures } from './compareFigures.ts';
import type { CompareRow } from './compareRow.ts';

/** Figures, on demand all of them, then the settings. The better side of a figure carries a mark. */
export function CompareTable({ left, right }: { left: SavedRun; right: SavedRun }) {
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
        <Check size={12} aria-hidden="true" className="inline align-[-1px]" /> marks the better of two figures, where
        more or less of it is better by itself.
        {isOpen && unkept.length > 0 && ` Saved before these figures were kept: ${unkept.join(', ')}.`}
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
