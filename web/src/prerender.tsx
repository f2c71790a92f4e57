import { prerender } from 'react-dom/static.edge';
import { landingPaths, publicPages } from './app/paths.ts';
import { Root } from './app/App.tsx';
import { faq } from './features/public/faq.ts';

export { landingPaths, publicPages, faq };

/** The markup of one public page as a signed-out reader sees it first. */
export async function renderPage(path: string): Promise<string> {
  const faults: unknown[] = [];
  const { prelude } = await prerender(<Root path={path} />, {
    // Nothing may come later by an inline script: the content security policy allows none.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: (fault) => void faults.push(fault),
  });
  const markup = await new Response(prelude).text();
  // React would leave the place empty for the browser to fill; here that is a page without its content.
  if (faults.length > 0) throw new Error(`${path} could not be written`, { cause: faults[0] });
  return markup;
}
