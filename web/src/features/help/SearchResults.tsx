import { type ReactNode, useEffect, useState } from 'react';
import { useHelpSearch } from '../../api/help.ts';
import { ErrorState, SkeletonRows } from '../../ui/Panel.tsx';
import { ArticleList } from './ArticleCard.tsx';

const TYPING_MS = 150;

/** What is typed, a moment after the last key. */
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
  /** Where else to ask when nothing is found. */
  elsewhere?: ReactNode;
}

export function SearchResults({ text, elsewhere }: Props) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useHelpSearch(text);
  if (error !== null) return <ErrorState text="Search failed" onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  const { articles, nearest, corrected_to: corrected } = data;
  return (
    <div aria-busy={isFetching} className={`flex flex-col gap-3 ${isPlaceholderData ? 'opacity-60' : ''}`}>
      <p role="status" className="text-muted">
        {articles.length === 0
          ? 'No articles found'
          : articles.length === 1
            ? '1 article'
            : `${articles.length} articles`}
        {corrected !== null && (
          <>
            {' '}
            for <b className="text-text">{corrected}</b>, because <q>{text}</q> finds none
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
