import { type ReactNode, useEffect, useState } from 'react';
import { useHelpCategories, useHelpSearch } from '../../api/help.ts';
import type { HelpCard, HelpCategory } from '../../api/types.ts';
import { ArticleLink } from '../../ui/ArticleLink.tsx';
import { ErrorState, SkeletonRows } from '../../ui/Panel.tsx';

/** Tags shown of an article in a list. */
const CARD_TAGS = 3;

/** An article in a list: title, category, and the passage that matches the search. */
function ArticleCard({ card }: { card: HelpCard }) {
  return (
    <li className="panel relative gap-1 p-3 hover:border-muted">
      <h3 className="text-section font-semibold">
        {/* The whole card is the link's target. */}
        <ArticleLink slug={card.slug} className="after:absolute after:inset-0 after:content-['']">
          {card.title}
        </ArticleLink>
      </h3>
      {card.snippet.length === 0 ? (
        <p className="text-muted">{card.question}</p>
      ) : (
        <p className="break-words text-muted">
          {card.snippet.map(({ text, is_hit: isHit }, at) =>
            isHit ? (
              <mark key={at} className="rounded-sm bg-accent-soft font-medium text-text">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </p>
      )}
      <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-1 text-label text-muted">
        <ArticleDate at={card.created_at} />
        <TagList tags={card.tags.slice(0, CARD_TAGS)} />
      </div>
    </li>
  );
}

export function ArticleList({ label, cards }: { label: string; cards: readonly HelpCard[] }) {
  return (
    <ul aria-label={label} className="grid gap-3 md:grid-cols-2">
      {cards.map((card) => (
        <ArticleCard key={card.slug} card={card} />
      ))}
    </ul>
  );
}

/** The UTC day an article was written, independent of the reader's time zone. */
export function ArticleDate({ at }: { at: string }) {
  const day = at.slice(0, 10);
  return <time dateTime={day}>{day}</time>;
}

export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <li key={tag} className="rounded border border-line px-1.5">
          {tag}
        </li>
      ))}
    </ul>
  );
}

const TYPING_MS = 150;

/** The typed text, debounced. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface Props {
  /** Trimmed, not empty. */
  text: string;
  /** Other help, shown when nothing is found. */
  elsewhere?: ReactNode;
}

export function SearchResults({ text, elsewhere }: Props) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useHelpSearch(text);
  if (error !== null) return <ErrorState text="Search failed" onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  const { articles, nearest, corrected_to: corrected, is_other_language: isOtherLanguage } = data;
  return (
    <div aria-busy={isFetching} className={`flex flex-col gap-3 ${isPlaceholderData ? 'opacity-60' : ''}`}>
      <p role="status" className="text-muted">
        {isOtherLanguage
          ? 'Help is in English. Closest articles:'
          : articles.length === 0
            ? 'No articles found'
            : articles.length === 1
              ? '1 article'
              : `${articles.length} articles`}
        {corrected !== null && (
          <>
            {' '}
            for <b className="text-text">{corrected}</b>, instead of <q>{text}</q>
          </>
        )}
      </p>
      {articles.length > 0 && <ArticleList label="Found articles" cards={articles} />}
      {articles.length === 0 && nearest.length > 0 && (
        <section aria-labelledby="help-nearest" className="flex flex-col gap-2">
          <h2 id="help-nearest" className="font-semibold">
            Nearest articles
          </h2>
          <ArticleList label="Nearest articles" cards={nearest} />
          {elsewhere !== undefined && <p>{elsewhere}</p>}
        </section>
      )}
    </div>
  );
}

const CATEGORIES_MAX = 8;

/** Categories shown when the server names none. */
const defaultCategories: readonly HelpCategory[] = [
  { slug: 'getting-started', name: 'Getting Started', article_count: 0 },
  { slug: 'trading', name: 'Trading', article_count: 0 },
  { slug: 'api', name: 'API', article_count: 0 },
  { slug: 'troubleshooting', name: 'Troubleshooting', article_count: 0 },
];

const shownCategories = (served: readonly HelpCategory[]): readonly HelpCategory[] =>
  served.length === 0 ? defaultCategories : served.slice(0, CATEGORIES_MAX);

export function useShownCategories() {
  const answer = useHelpCategories();
  return { ...answer, data: answer.data && shownCategories(answer.data) };
}
