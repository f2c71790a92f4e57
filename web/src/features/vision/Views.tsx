import { useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { useTickDecimals } from '../../data/symbols.ts';
import type { VisionAnalysis, VisionStatistics } from '../../api/types.ts';
import { useVisionStatistics } from '../../api/vision.ts';
import { confidenceText } from '../../format/confidence.ts';
import {
  formatCount,
  formatMoney,
  formatPercent,
  formatPrice,
  formatSigned,
  NO_VALUE,
  signTone,
} from '../../format/number.ts';
import { Notice } from '../../ui/Notice.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { PatternRecordDialog } from './PatternRecordDialog.tsx';
import { percent } from './percent.ts';

type View = VisionAnalysis['views'][number];
type Record = VisionStatistics['records'][number];

export const directionTones = { LONG: 'text-up', SHORT: 'text-down', NEUTRAL: 'text-muted' } as const;

const nameOf = ({ by, model }: Pick<View, 'by' | 'model'>): string =>
  by === 'model' ? `AI model ${model ?? ''}`.trim() : 'Rules';

/** The view of the rules and that of a model beside each other, each with its own record. */
export function Views({ analysis }: { analysis: VisionAnalysis }) {
  const decimals = useTickDecimals()(analysis.symbol ?? '');
  const { views, decided_by: decider, decided_because: because, model_failure: failure } = analysis;
  return (
    <section aria-label="Views" className="flex flex-col gap-2 border-t border-line pt-2">
      <p className="text-label text-muted">{because}</p>
      {failure !== null && <Notice tone="warn">{failure}</Notice>}
      {views.length > 1 && (
        <div className="grid gap-2 md:grid-cols-2">
          {views.map((view) => (
            <ViewCard key={view.by} view={view} isDecider={view.by === decider} decimals={decimals} />
          ))}
        </div>
      )}
    </section>
  );
}

interface CardProps {
  view: View;
  isDecider: boolean;
  /** Decimals of the symbol's tick. */
  decimals: number | undefined;
}

function ViewCard({ view, isDecider, decimals }: CardProps) {
  const { direction, levels } = view;
  return (
    <article aria-label={nameOf(view)} className="flex flex-col gap-1 rounded border border-line p-2 text-label">
      <h3 className="flex flex-wrap justify-between gap-x-3 font-semibold">
        <span>
          {nameOf(view)} <span className={directionTones[direction]}>{direction}</span>
        </span>
        {isDecider && <span className="text-accent">decides</span>}
      </h3>
      <p className="tabular-nums">
        Confidence {confidenceText(view.confidence)}, risk {view.risk_score} of 10. Entry{' '}
        {formatPrice(levels.entry, decimals)}, stop {formatPrice(levels.sl, decimals)}, target{' '}
        {formatPrice(levels.tp, decimals)}.
      </p>
      {view.by === 'model' && <p>{view.rationale}</p>}
      <p className="text-muted">{recordText(view.record)}</p>
    </article>
  );
}

/** How often a view was right, and whether the sample is large enough. */
export function recordText(record: Record | null): string {
  if (record === null) return 'No track record: interval unknown.';
  const { count, needed, interval, right_count: right, right_share: share, right_low: low, right_high: high } = record;
  if (share === null) return `No finished views on ${interval} yet.`;
  const coin = record.base_share === null ? '' : ` Guessing LONG as often: ${percent(record.base_share)} right.`;
  const spoken = `LONG in ${percent(record.long_share)}; price rose in ${percent(record.rose_share)}.${coin}`;
  if (count < needed)
    return `Right in ${formatCount(right)} of ${formatCount(count)} views on ${interval}; needs ${needed}. ${spoken}`;
  return `Right in ${percent(share)} of ${formatCount(count)} views on ${interval} (95 % interval ${percent(low)} to ${percent(high)}). ${spoken}`;
}

/** Results of positions opened from analyses. */
export function Performance() {
  const { data, error, refetch } = useVisionStatistics();
  const [isReplayed, setReplayed] = useState(false);
  if (error !== null && data === undefined)
    return (
      <ErrorState failure={error} text={messageOf(error, 'The figures did not load.')} onRetry={() => void refetch()} />
    );
  if (data === undefined) return <SkeletonRows rows={3} />;
  const { closed_count: closed, needed, patterns, sentiments, records, installation } = data;
  const tooFew = `${formatCount(closed)} of ${formatCount(needed)} closed positions from chart analyses so far.`;
  return (
    <>
      <Records records={records} />
      <PatternRecordDialog isOpen={isReplayed} onClose={() => setReplayed(false)} />
      <Panel
        title="Pattern performance"
        aside={
          <button type="button" className="btn btn-small" onClick={() => setReplayed(true)}>
            Replayed
          </button>
        }
        bodyClassName="p-0"
      >
        {patterns.length === 0 ? (
          <p className="p-3 text-label text-muted">{closed < needed ? tooFew : 'No patterns yet.'}</p>
        ) : (
          <Shares rows={patterns.map((each) => ({ name: each.title, ...each }))} />
        )}
        <Followed
          rows={installation.patterns.map((each) => ({ ...each, name: `${each.title}, ${each.direction}` }))}
          needed={installation.needed}
        />
      </Panel>
      <Panel title="Sentiment impact" bodyClassName="p-0">
        {sentiments.length === 0 ? (
          <p className="p-3 text-label text-muted">{tooFew}</p>
        ) : (
          <Shares rows={sentiments.map((each) => ({ name: each.sentiment, ...each }))} />
        )}
        <Followed
          rows={installation.sentiments.map((each) => ({ ...each, name: each.sentiment }))}
          needed={installation.needed}
        />
      </Panel>
    </>
  );
}

/** Records of the whole installation: a view is right when the close ten candles later lies in its direction. */
function Records({ records }: { records: readonly Record[] }) {
  return (
    <Panel title="Record of the views" bodyClassName="p-0">
      {records.length === 0 ? (
        <p className="p-3 text-label text-muted">
          No finished views yet. Views of a current chart finish ten candles later.
        </p>
      ) : (
        <table className="w-full text-label tabular-nums">
          <Head names={['View', 'Judged', 'Right (95 %), coin']} />
          <tbody>
            {records.map((record) => (
              <tr key={`${record.by} ${record.model} ${record.interval}`} className="border-t border-line">
                <th scope="row" className="px-3 py-1 text-left font-normal break-words">
                  {nameOf(record)}, {record.interval}
                </th>
                <td className="px-2 py-1 text-right">{formatCount(record.count)}</td>
                <td className="px-3 py-1 text-right">
                  {record.count < record.needed
                    ? `${formatCount(record.right_count)}, needs ${record.needed}`
                    : `${percent(record.right_share)} (${percent(record.right_low)} to ${percent(record.right_high)}), ${percent(record.base_share)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

/** Heads of a table whose first column is text. */
function Head({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr className="text-muted">
        {names.map((name, at) => (
          <th
            key={name}
            scope="col"
            className={`py-1 font-normal ${at === 0 ? 'text-left' : 'text-right'} ${at === 0 || at === names.length - 1 ? 'px-3' : 'px-2'}`}
          >
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface FollowedRow {
  name: string;
  count: number;
  right_count: number;
  right_low: number | null;
  right_high: number | null;
}

const FOLLOWED_SHOWN = 8;

/** Price moves after the analyses of all users: the price ten candles later, not the result of a position. */
function Followed({ rows, needed }: { rows: readonly FollowedRow[]; needed: number }) {
  return (
    <div className="border-t border-line text-label">
      <p className="px-3 pt-2 text-muted">
        {rows.length === 0
          ? 'All users: no finished analyses yet.'
          : `All users: how often price moved that way within ten candles. Needs ${needed} cases.`}
      </p>
      <ul className="px-3 pt-1 pb-2 tabular-nums">
        {rows.slice(0, FOLLOWED_SHOWN).map((row) => (
          <li key={row.name} className="flex flex-wrap justify-between gap-x-3">
            <span className="first-letter:uppercase">{row.name}</span>
            <span className={row.count < needed ? 'text-muted' : ''}>{followedText(row, needed)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const followedText = (row: FollowedRow, needed: number): string => {
  const part = `${formatCount(row.right_count)} of ${formatCount(row.count)}`;
  return row.count < needed ? part : `${part} (${percent(row.right_low)} to ${percent(row.right_high)})`;
};

interface ShareRow {
  name: string;
  count: number;
  win_share: number;
  mean_roi_pct: number;
  net_pnl: number;
}

function Shares({ rows }: { rows: readonly ShareRow[] }) {
  return (
    <table className="w-full text-label tabular-nums">
      <Head names={['Name', 'Closed', 'Won', 'Net PnL']} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className="border-t border-line">
            <th scope="row" className="px-3 py-1 text-left font-normal first-letter:uppercase">
              {row.name}
            </th>
            <td className="px-2 py-1 text-right">{formatCount(row.count)}</td>
            <td className="px-2 py-1 text-right">{row.count === 0 ? NO_VALUE : formatPercent(row.win_share)}</td>
            <td className={`px-3 py-1 text-right ${signTone(row.net_pnl)}`}>
              {formatMoney(row.net_pnl, true)}{' '}
              <span className="text-muted">({formatSigned(row.mean_roi_pct, 2)} %)</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
