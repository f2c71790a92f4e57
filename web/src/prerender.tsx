import { prerender } from 'react-dom/static.edge';
import { loadPage } from './app/latePages.tsx';
import { helpArticles, landingPaths, type PublicPage, publicPages } from './app/paths.ts';
import { Root } from './app/App.tsx';
import { type HelpBook, keepBook } from './features/help/public/book.ts';
import { titleOf } from './features/help/public/HelpArticlePage.tsx';
import { faq } from './features/public/faq.ts';

export { landingPaths, publicPages, faq, keepBook };

/** One page per article. */
export const helpPages = ({ articles }: HelpBook): PublicPage[] =>
  articles.map(({ slug, title, question, tags }) => ({
    path: `${helpArticles}${slug}`,
    title: titleOf(title),
    description: `${question} The answer in the help of Sextant, with ${tags.slice(0, 4).join(', ')}.`,
  }));

/** The markup of one public page as a signed-out reader first sees it. */
export async function renderPage(path: string): Promise<string> {
  await loadPage(path);
  const faults: unknown[] = [];
  const { prelude } = await prerender(<Root path={path} />, {
    // No content may follow by an inline script: the content security policy allows none.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: (fault) => void faults.push(fault),
  });
  const markup = await new Response(prelude).text();
  // React would leave the place empty for the browser to fill; here that is a page without its content.
  if (faults.length > 0) throw new Error(`${path} could not be written`, { cause: faults[0] });
  return markup;
}
