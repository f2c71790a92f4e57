import { useState } from 'react';
import { useNewsRecords } from '../../../api/news.ts';
import type { NewsRecord } from '../../../api/types.ts';
import { formatCount, formatPercent, formatSigned, NO_VALUE } from '../../../format/number.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Segments } from '../../../ui/Segments.tsx';

const kinds = ['Sources', 'Keywords'] as const;
type Kind = (typeof kinds)[number];

/** What followed the stories of each source, and those with each keyword. */
export function RecordsPanel() {
  const [kind, setKind] = useState<Kind>('Sources');
  const records = useNewsRecords();
  return (
    <Panel
      title="Measured record, one hour after each story"
      aside={<Segments label="Record of" options={kinds} value={kind} onSelect={setKind} isSmall />}
      bodyClassName=""
    >
      <Loaded answer={records} failure="The records could not be read." rows={5}>
        {({ sources, keywords, min_count: min }) => {
          const rows = kind === 'Sources' ? sources : keywords;
          if (rows.length === 0)
            return (
              <EmptyState text="No story has been measured yet. The first figures come an hour after a story about a symbol." />
            );
          return (
            <>
              <RecordTable kind={kind} rows={rows} min={min} />
              <p className="border-t border-line px-3 py-2 text-label text-muted">
                Right: the first symbol of the story moved the way it was judged. Mean z: its move in that direction, in
                standard deviations of its usual moves at that hour. Significant: share of moves beyond 95 % of the
                usual ones; about 5 % when stories change nothing. Below {min} stories no share is shown and the weight
                is 0.
              </p>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function RecordTable({ kind, rows, min }: { kind: Kind; rows: readonly NewsRecord[]; min: number }) {
  return (
    <ScrollSideways label={`Record of ${kind.toLowerCase()}`}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="lead">
              {kind === 'Sources' ? 'Source' : 'Keyword'}
            </th>
            <th scope="col">Stories, n</th>
            <th scope="col">Right</th>
            <th scope="col">Mean z</th>
            <th scope="col">Significant</th>
            {kind === 'Sources' && <th scope="col">Weight in the vote</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td className="lead font-medium">{row.name}</td>
              <td>{formatCount(row.count)}</td>
              {row.is_below_min ? (
                <td colSpan={3} className="text-muted">
                  {`too few: ${row.count} of ${min}`}
                </td>
              ) : (
                <>
                  <td>{formatPercent(row.hit_share)}</td>
                  <td>{row.mean_z === null ? NO_VALUE : formatSigned(row.mean_z, 2)}</td>
                  <td>{formatPercent(row.significant_share)}</td>
                </>
              )}
              {kind === 'Sources' && <td>{row.weight.toFixed(2)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}
