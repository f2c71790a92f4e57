import { lazy, Suspense, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useHelpArticle } from '../../../api/help.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { EmptyState, Loaded, SkeletonRows } from '../../../ui/Panel.tsx';
import type { ShownArticle } from '../article/ArticleView.tsx';
import { Written } from './Written.tsx';

/** Loaded late: prerendered pages need no Markdown renderer. */
const ArticleView = lazy(async () => ({ default: (await import('../article/ArticleView.tsx')).ArticleView }));

/** `/help/<slug>`: one public article. */
export function HelpArticlePage() {
  const [path] = useLocation();
  const slug = path.slice('/help/'.length);
  return (
    <div className="mx-auto flex w-full max-w-180 flex-col gap-6">
      <p>
        <Link href="/help" className="text-accent underline underline-offset-2">
          Help centre
        </Link>
      </p>
      <Written
        key={slug}
        name={slug}
        write={({ articles }) => {
          const article = articles.find((each) => each.slug === slug);
          if (article === undefined) throw new Error(`no article ${slug}`);
          return <Drawn article={article} />;
        }}
      >
        <Fetched slug={slug} />
      </Written>
    </div>
  );
}

function Drawn({ article }: { article: ShownArticle }) {
  return (
    <Suspense fallback={<SkeletonRows rows={10} />}>
      <ArticleView article={article} />
    </Suspense>
  );
}

function Fetched({ slug }: { slug: string }) {
  const answer = useHelpArticle(slug);
  const title = answer.data?.title;
  useEffect(() => {
    if (title !== undefined) document.title = titleOf(title);
  }, [title]);
  if (answer.error instanceof ApiFailure && answer.error.code === 'not_found')
    return <EmptyState text="Article not found." />;
  return (
    <Loaded response={answer} failure="Could not load the article." rows={10}>
      {(article) => <Drawn article={article} />}
    </Loaded>
  );
}

export const titleOf = (title: string): string => `${title} · Sextant help`;
