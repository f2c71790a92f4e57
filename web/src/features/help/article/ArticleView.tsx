import type { HelpArticle } from '../../../api/types.ts';
import { ArticleLink } from '../../../ui/ArticleLink.tsx';
import { ArticleDate, TagList } from './ArticleParts.tsx';
import { ArticleText } from './ArticleText.tsx';

export type ShownArticle = Omit<HelpArticle, 'id'>;

/** Headings from which on a list of them saves scrolling. */
const CONTENTS_MIN = 3;

/** A whole article: title, date, tags, the list of its headings, text, and what to read next. */
export function ArticleView({ article }: { article: ShownArticle }) {
  const headings = article.sections.filter(({ anchor }) => anchor !== 'top');
  return (
    <article className="mx-auto flex w-full max-w-180 flex-col gap-4">
      <header className="flex flex-col gap-2">
        <h1 className="text-[24px] leading-[30px] font-semibold text-balance">{article.title}</h1>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-muted">
          <ArticleDate at={article.created_at} />
          <TagList tags={article.tags} />
        </div>
      </header>
      {headings.length >= CONTENTS_MIN && (
        <details className="panel p-3" open={headings.length <= 6}>
          <summary className="font-semibold">On this page</summary>
          <ul className="mt-2 grid gap-x-4 gap-y-1 md:grid-cols-2">
            {headings.map(({ anchor, heading }) => (
              <li key={anchor}>
                <ArticleLink slug={article.slug} anchor={anchor} className="text-accent hover:underline">
                  {heading}
                </ArticleLink>
              </li>
            ))}
          </ul>
        </details>
      )}
      <ArticleText content={article.content_md} sections={article.sections} />
      {article.related.length > 0 && (
        <section aria-label="Related articles" className="border-t border-line pt-3">
          <h2 className="font-semibold">Read next</h2>
          <ul className="mt-1 flex flex-col gap-1">
            {article.related.map(({ slug, title }) => (
              <li key={slug}>
                <ArticleLink slug={slug}>{title}</ArticleLink>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}
