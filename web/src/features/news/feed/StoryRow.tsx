import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NewsStory } from '../../../api/types.ts';
import { Age } from '../../../ui/Age.tsx';
import { Time } from '../../../ui/Time.tsx';
import { DirectionWord } from '../../../ui/NewsDirection.tsx';
import { FADE_MS, newsState } from './newsState.ts';
import { ReactionTable } from './ReactionTable.tsx';

interface Props {
  story: NewsStory;
  isFading: boolean;
  isOpen: boolean;
  onRead: () => void;
}

/** One story. Its texts come from outside: plain text, and links that open apart from this page. */
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
            <Age sinceMs={Date.parse(story.pub_date)} />
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
        {text === '' && <p className="text-muted">The feed gives no text beside the title.</p>}
        {story.author !== null && <p className="mt-1 text-label text-muted">By {story.author}</p>}
      </div>
      <dl className="text-label">
        <Fact name="Published, says the feed">
          <Time at={story.pub_date} />
        </Fact>
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
