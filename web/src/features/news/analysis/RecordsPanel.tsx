import { type ReactNode, useState } from 'react';
import { FRESH_MINUTES } from '@sextant/workers/src/signals/newsVote.ts';
import { useNewsRecords } from '../../../api/news.ts';
import type { NewsKeywordRecord, NewsSourceRecord } from '../../../api/types.ts';
import { formatCount, formatPercent, formatSigned, NO_VALUE } from '../../../format/number.ts';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { edgeText, replayedText, timesText } from './recordTexts.ts';

const kinds = ['Sources', 'Keywords'] as const;
type Kind = (typeof kinds)[number];

/** Price moves after the stories of each source, live beside replayed, and after those with each keyword. */
export function RecordsPanel() {
  const [kind, setKind] = useState<Kind>('Sources');
  const records = useNewsRecords();
  return (
    <Panel
      title="Measured record, one hour after each story"
      aside={<Segments label="Record of" options={kinds} value={kind} onSelect={setKind} isSmall />}
      bodyClassName=""
    >
      <Loaded response={records} failure="Could not load the track records." rows={5}>
        {({ sources, keywords, min_count: min, min_checks: minChecks, min_days: minDays }) => {
          if ((kind === 'Sources' ? sources : keywords).length === 0)
            return <EmptyState text="No measured stories yet. Figures start an hour after the first symbol story." />;
          return (
            <>
              {kind === 'Sources' ? (
                <SourceTable rows={sources} min={min} minChecks={minChecks} minDays={minDays} />
              ) : (
                <KeywordTable rows={keywords} min={min} />
              )}
              <p className="border-t border-line px-3 py-2 text-label text-muted">
                Right: the first symbol moved as judged. Mean z: its move in that direction, in standard deviations of
                usual moves at that hour. Significant: share of moves beyond 95 % of usual ones (about 5 % by chance).
                All of the last 180 days. Below {min} stories no share is shown and the weight is 0. Replayed: stories
                published over {FRESH_MINUTES} minutes before their first sight, as of their dates, one per symbol and
                hour. They weigh from {minDays} days on.
              </p>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

const figureHeads = ['Right', 'Mean z', 'Significant'] as const;

function FigureHeads({ origin }: { origin?: 'Live' | 'Replayed' }) {
  const of = origin === undefined ? '' : `${origin}: `;
  return (
    <>
      <th scope="col">{of}stories, n</th>
      {figureHeads.map((head) => (
        <th key={head} scope="col">
          {head}
        </th>
      ))}
    </>
  );
}

function FigureCells({ record, min }: { record: Omit<NewsKeywordRecord, 'name'>; min: number }) {
  return (
    <>
      <td>{formatCount(record.count)}</td>
      {record.is_below_min ? (
        <td colSpan={figureHeads.length} className="text-muted">
          {`too few: ${record.count} of ${min}`}
        </td>
      ) : (
        <>
          <td>{formatPercent(record.hit_share)}</td>
          <td>{record.mean_z === null ? NO_VALUE : formatSigned(record.mean_z, 2)}</td>
          <td>{formatPercent(record.significant_share)}</td>
        </>
      )}
    </>
  );
}

function Table({ label, heads, rows }: { label: string; heads: ReactNode; rows: ReactNode }) {
  return (
    <ScrollSideways label={label}>
      <table className="table">
        <thead>
          <tr>{heads}</tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </ScrollSideways>
  );
}

function KeywordTable({ rows, min }: { rows: readonly NewsKeywordRecord[]; min: number }) {
  return (
    <Table
      label="Record of keywords"
      heads={
        <>
          <th scope="col" className="lead">
            Keyword
          </th>
          <FigureHeads />
        </>
      }
      rows={rows.map((row) => (
        <tr key={row.name}>
          <td className="lead font-medium">{row.name}</td>
          <FigureCells record={row} min={min} />
        </tr>
      ))}
    />
  );
}

function SourceTable({
  rows,
  min,
  minChecks,
  minDays,
}: {
  rows: readonly NewsSourceRecord[];
  min: number;
  minChecks: number;
  minDays: number;
}) {
  return (
    <>
      <p className="border-b border-line px-3 py-2">{edgeText(rows, min, minDays)}</p>
      <Table
        label="Record of sources"
        heads={
          <>
            <th scope="col" className="lead">
              Source
            </th>
            <FigureHeads origin="Live" />
            <FigureHeads origin="Replayed" />
            <th scope="col">Weight in the vote</th>
          </>
        }
        rows={rows.map((row) => (
          <tr key={row.name}>
            <td className="lead">
              <span className="font-medium">{row.name}</span>
              <span className="block text-label text-muted">{timesText(row.times, minChecks)}</span>
              {row.replayed === null ? null : (
                <span className="block text-label text-muted">{`Replayed: ${replayedText(row.replayed, minDays)}.`}</span>
              )}
            </td>
            <FigureCells record={row} min={min} />
            {row.replayed === null ? (
              <td colSpan={figureHeads.length + 1} className="text-muted">
                none
              </td>
            ) : (
              <FigureCells record={row.replayed} min={min} />
            )}
            <td>{`${row.weight.toFixed(2)}${row.weight > 0 ? ` (${row.weight_origin})` : ''}`}</td>
          </tr>
        ))}
      />
    </>
  );
}
