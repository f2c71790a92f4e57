import type { HelpCategory } from '../../../api/types.ts';
import type { ShownArticle } from '../article/ArticleView.tsx';

/** The whole help, as the build of the pages has it. */
export interface HelpBook {
  categories: HelpCategory[];
  articles: ShownArticle[];
}

let stored: HelpBook | null = null;

/** Called by the build before it writes a page. */
export function keepBook(book: HelpBook): void {
  stored = book;
}

/** Null in a browser, where the pages of the help are written already. */
export const bookOfBuild = (): HelpBook | null => stored;
