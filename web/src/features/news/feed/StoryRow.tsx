import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { reactionMinutes, SYMBOLS_MEASURED } from '@sextant/workers/src/signals/newsVote.ts';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NewsReaction, NewsStory } from '../../../api/types.ts';
import { formatPercent, formatSigned, signTone } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { DirectionWord } from '../../../ui/NewsDirection.tsx';
import { Age, Time, useNow } from '../../../ui/Time.tsx';
import { FADE_MS, newsState } from './newsState.ts';

interface Props {
  story: NewsStory;
  isFading: boolean;
  isOpen: boolean;
  onRead: () => void;
}

/** One story. Its texts are external: plain text, and links that open outside this page. */
export function StoryRow({ story, isFading, isOpen, onRead }: Props) {
  const others = story.sources.length - 1;
  return (
    <li
      data-phase={isFading ? 'fading' : 'unread'}
      className={`border-b border-line px-3 py-2.5 transition-opacity last:border-b-0 ${isFading ? 'opacity-0' : ''}`}
      style={{ transitionDuration: `${FADE_MS}ms` }}
    >
      <div className="grid gap-x-4 gap-y-2 lg:grid-cols-[minmax(0,1fr)_360px_auto]">
        <div className="min-w-0">
          <h3 className="font-medium break-words">
            <OutsideLink href={story.link}>{story.title}</OutsideLink>
          </h3>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-label text-muted">
            <DirectionWord direction={story.sentiment} />
            {story.is_high_impact && <span className="rounded-sm border border-warn px-1 text-warn">High impact</span>}
            <span>
              {story.source}
              {others > 0 && ` and ${others} more`}
            </span>
            <Age sinceMs={Date.parse(story.latest_at)} />
            {story.is_simulated && <span className="rounded-sm border border-line px-1">simulated</span>}
            {story.symbols.map((symbol) => (
              <button
                key={symbol}
                type="button"
                className="min-h-6 rounded-sm border border-line px-1.5 text-text hover:bg-row-hover"
                aria-label={`Only stories about ${symbol}`}
                onClick={() => (newsState.filter = { ...newsState.filter, symbol })}
              >
                {symbol}
              </button>
            ))}
          </p>
        </div>
        <div className="min-w-0">
          <ReactionTable story={story} symbolsMax={isOpen ? Infinity : 1} />
        </div>
        <div className="flex flex-wrap items-start gap-2 lg:w-30 lg:flex-col lg:items-stretch lg:gap-1">
          <button type="button" className="btn btn-small" disabled={isFading} onClick={onRead}>
            <Check size={13} aria-hidden="true" /> Mark as Read
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-small"
            aria-expanded={isOpen}
            onClick={() => (newsState.openId = isOpen ? null : story.id)}
          >
            <ChevronDown size={13} aria-hidden="true" className={isOpen ? 'rotate-180' : ''} /> Details
          </button>
        </div>
      </div>
      {isOpen && <StoryDetails story={story} />}
    </li>
  );
}

function OutsideLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="underline-offset-2 hover:underline">
      {children}
    </a>
  );
}

function StoryDetails({ story }: { story: NewsStory }) {
  const text = story.content === '' ? story.description : story.content;
  return (
    <div className="mt-2 grid gap-x-4 gap-y-3 border-t border-line pt-2 lg:grid-cols-[minmax(0,1fr)_400px]">
      <div className="min-w-0">
        {text !== '' && <p className="break-words whitespace-pre-line">{text}</p>}
        {text === '' && <p className="text-muted">The feed provides a title only.</p>}
        {story.author !== null && <p className="mt-1 text-label text-muted">By {story.author}</p>}
      </div>
      <dl className="text-label">
        <Fact name="Published (per feed)">
          <Time at={story.pub_date} />
        </Fact>
        {story.latest_at !== story.pub_date && (
          <Fact name="Newest report">
            <Time at={story.latest_at} />
          </Fact>
        )}
        <Fact name="First seen here">
          <Time at={story.first_seen_at} />
        </Fact>
        <Fact name="Keywords">{story.keywords.length === 0 ? 'none' : story.keywords.join(', ')}</Fact>
        <Fact name={story.sources.length === 1 ? 'Source' : `${story.sources.length} sources`}>
          {story.sources.map(({ source, link, title, first_seen_at: at }) => (
            <span key={link} className="block" title={title}>
              <OutsideLink href={link}>{source}</OutsideLink> <Time at={at} />
            </span>
          ))}
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 border-b border-line py-1">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right break-words">{children}</dd>
    </div>
  );
}

/** Minutes after a story was first seen, with their column titles. */
const horizons = reactionMinutes.map((minutes) => ({
  minutes,
  label: minutes < 60 ? `+${minutes}m` : `+${minutes / 60}h`,
}));

type Cell = { state: 'measured'; reaction: NewsReaction } | { state: 'due'; atMs: number } | { state: 'none' };

interface ReactionRow {
  symbol: string;
  cells: Cell[];
}

/** Price move of each tagged symbol after the story, or when it will be known. */
function reactionRows(story: NewsStory, nowMs: number): ReactionRow[] {
  const seenMs = Date.parse(story.first_seen_at);
  return story.symbols.slice(0, SYMBOLS_MEASURED).map((symbol) => ({
    symbol,
    cells: horizons.map(({ minutes }): Cell => {
      const reaction = story.reactions.find((each) => each.symbol === symbol && each.horizon_minutes === minutes);
      if (reaction !== undefined) return { state: 'measured', reaction };
      const atMs = seenMs + minutes * MINUTE_MS;
      return atMs > nowMs ? { state: 'due', atMs } : { state: 'none' };
    }),
  }));
}

/** That a story was first seen long after its publication, when part of its move may be over. */
function LateNote({ story: { pub_date: published, first_seen_at: seen } }: { story: NewsStory }) {
  return (
    <p className="text-label text-muted">
      First seen {formatDuration(Date.parse(seen) - Date.parse(published))} after publication. Moves are measured from
      then.
    </p>
  );
}

/** Return of each tagged symbol after the story, beside its usual moves at that hour. */
function ReactionTable({ story, symbolsMax }: { story: NewsStory; symbolsMax: number }) {
  const nowMs = useNow(15_000);
  const rows = reactionRows(story, nowMs).slice(0, symbolsMax);
  if (rows.length === 0) return null;
  return (
    <>
      {story.is_late && <LateNote story={story} />}
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
    </>
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
      <span className={`block font-mono ${signTone(reaction.return, 'text-muted')}`}>
        {formatPercent(reaction.return, true)}
      </span>
      <span className="block text-muted">
        z {formatSigned(reaction.z, 1)}, n {reaction.sample_count}
      </span>
    </span>
  );
}

const explained = ({ z, sample_count: count, p, volume_ratio: volume }: NewsReaction): string =>
  `${formatSigned(z, 1)} standard deviations from ${count} usual moves at this hour; ${formatPercent(p)} of them are at least as large. ` +
  `Volume ${volume.toFixed(1)} times the usual.`;
