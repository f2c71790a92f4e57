import { Children, isValidElement, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import type { HelpArticle } from '../../../api/types.ts';
import { ArticleLink } from '../../../ui/ArticleLink.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { ArticleDate, TagList } from '../ArticleLists.tsx';

export type ShownArticle = Omit<HelpArticle, 'id'>;

/** Number of headings from which a table of contents saves scrolling. */
const CONTENTS_MIN = 3;

/** A whole article: title, date, tags, table of contents, text, and what to read next. */
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

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((each) =>
      isValidElement<{ children?: ReactNode }>(each) ? textOf(each.props.children) : String(each as string | number),
    )
    .join('');
}

const articleAddress = /^\/help\/([a-z0-9-]+)(?:#([a-z0-9-]+))?$/;

/** Articles link only to one another; any other link becomes text. */
function TextLink({ href = '', children }: { href?: string | undefined; children?: ReactNode }) {
  const [, slug, anchor = 'top'] = articleAddress.exec(href) ?? [];
  if (slug === undefined) return children;
  return (
    <ArticleLink slug={slug} anchor={anchor}>
      {children}
    </ArticleLink>
  );
}

const plain: Components = {
  p: ({ children }) => <p>{children}</p>,
  a: ({ href, children }) => <TextLink href={href}>{children}</TextLink>,
  img: () => null,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1 pl-5">{children}</ul>,
  ol: ({ children }) => <ol className="flex list-decimal flex-col gap-1 pl-5">{children}</ol>,
  code: ({ children }) => (
    <code className="rounded-sm bg-row-hover px-1 font-mono text-[0.92em] break-words">{children}</code>
  ),
  pre: ({ children }) => (
    <ScrollSideways label="Example">
      <pre className="rounded border border-line bg-bg p-3 whitespace-pre [&>code]:bg-transparent [&>code]:px-0">
        {children}
      </pre>
    </ScrollSideways>
  ),
  table: ({ children }) => (
    <ScrollSideways label="Table">
      <table className="w-full border-collapse">{children}</table>
    </ScrollSideways>
  ),
  th: ({ children }) => (
    <th className="border-b border-line py-1.5 pr-4 text-left font-semibold whitespace-nowrap">{children}</th>
  ),
  td: ({ children }) => <td className="border-b border-line py-1.5 pr-4 align-top">{children}</td>,
};

/**
 * The text of an article. Its Markdown becomes React elements only: HTML in it is shown as text, and pictures and external links are
 * dropped.
 */
function ArticleText({ content, sections }: { content: string; sections: HelpArticle['sections'] }) {
  const components: Components = {
    ...plain,
    h2: ({ children }) => {
      const heading = textOf(children);
      return (
        <h2
          id={sections.find((each) => each.heading === heading)?.anchor}
          tabIndex={-1}
          className="mt-4 scroll-mt-20 rounded-sm text-page font-semibold outline-offset-4 target:outline-2 target:outline-accent"
        >
          {children}
        </h2>
      );
    },
  };
  return (
    <div className="flex flex-col gap-3 text-section leading-[24px]">
      <Markdown remarkPlugins={[remarkGfm]} components={components}>
        {content}
      </Markdown>
    </div>
  );
}
