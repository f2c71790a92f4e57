import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { NewsReaction, NewsStory } from '../../../api/types.ts';
import { formatPercent, formatSigned } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { useNow } from '../../../ui/Age.tsx';
import { type Cell, horizons, isLate, reactionRows } from './reactionView.ts';

const toneOf = (value: number): string => (value > 0 ? 'text-up' : value < 0 ? 'text-down' : 'text-muted');

/** Return of each tagged symbol after the story, beside its usual moves at that hour. */
export function ReactionTable({ story, symbolsMax }: { story: NewsStory; symbolsMax: number }) {
  const nowMs = useNow(15_000);
  const rows = reactionRows(story, nowMs).slice(0, symbolsMax);
  if (rows.length === 0) return null;
  if (isLate(story))
    return <p className="text-label text-muted">Not measured: the feed brought it more than 30 minutes late.</p>;
  return (
    <table
      aria-label={`What ${rows.map(({ symbol }) => symbol).join(', ')} did after it`}
      className="w-full text-label"
    >
      <thead>
        <tr className="text-muted">
          <th scope="col" className="text-left font-normal">
            After it
          </th>
          {horizons.map(({ label }) => (
            <th key={label} scope="col" className="w-24 text-right font-normal">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ symbol, cells }) => (
          <tr key={symbol}>
            <th scope="row" className="text-left font-medium">
              {symbol}
            </th>
            {cells.map((cell, at) => (
              <td key={horizons[at]?.label} className="text-right align-top">
                <CellText cell={cell} nowMs={nowMs} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CellText({ cell, nowMs }: { cell: Cell; nowMs: number }) {
  if (cell.state === 'none') return <span className="text-muted">–</span>;
  if (cell.state === 'due')
    return (
      <span className="text-muted">in {formatDuration(Math.ceil((cell.atMs - nowMs) / MINUTE_MS) * MINUTE_MS)}</span>
    );
  const { reaction } = cell;
  return (
    <span title={explained(reaction)}>
      <span className={`block font-mono ${toneOf(reaction.return)}`}>{formatPercent(reaction.return, true)}</span>
      <span className="block text-muted">
        z {formatSigned(reaction.z, 1)}, n {reaction.sample_count}
      </span>
    </span>
  );
}

const explained = ({ z, sample_count: count, p, volume_ratio: volume }: NewsReaction): string =>
  `${formatSigned(z, 1)} standard deviations from ${count} usual moves at this hour; ${formatPercent(p)} of them are at least as large. ` +
  `Volume ${volume.toFixed(1)} times the usual.`;
