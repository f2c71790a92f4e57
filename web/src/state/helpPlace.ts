import { proxy } from 'valtio';
import { navigation, openTab } from './navigation.ts';
import { readSaved, save } from './storage.ts';
import { onUserReset } from './userReset.ts';

/** The page of the help tab that shows an article has this before the slug. */
const ARTICLE = 'article/';

interface HelpPlace {
  anchor: string | null;
  from: string;
  query: string;
  category: string | null;
  draft: string;
}

/** Where the reader is within the help, beside the state in the shell's navigation. */
export const helpPlace = proxy<HelpPlace>({
  /** Heading to show; null for the start of the article. */
  anchor: null,
  /** The page an article was opened from. */
  from: 'browse',
  query: '',
  /** Chosen on the page of categories; null for all. */
  category: null,
  /** Typed to the assistant and not sent yet. */
  draft: '',
});

/** The slug of the article that a saved page of the help tab shows; null when it shows none. */
export const articleOf = (page: string | undefined): string | null =>
  page?.startsWith(ARTICLE) === true ? page.slice(ARTICLE.length) : null;

const READ_KEY = 'articlesRead';

/** Whether this browser has opened an article for the signed-in user. */
export const articleRead = (slug: string): boolean => (readSaved(READ_KEY) ?? '').split(' ').includes(slug);

function noteRead(slug: string): void {
  if (!articleRead(slug)) save(READ_KEY, `${readSaved(READ_KEY) ?? ''} ${slug}`.trim());
}

/** Opens an article in the help tab, from wherever the reader is. */
export function openArticle(slug: string, anchor: string | null = null): void {
  const page = navigation.pages.help;
  if (page !== undefined && articleOf(page) === null) helpPlace.from = page;
  helpPlace.anchor = anchor === 'top' ? null : anchor;
  noteRead(slug);
  openTab('help', `${ARTICLE}${slug}`);
}

/** Opens the target of a public help URL, such as `/help/first-steps#what-to-do-first`. False for any other URL. */
export function openHelpAddress(path: string, hash: string): boolean {
  const slug = /^\/help\/([a-z0-9-]{1,55})$/.exec(path)?.[1];
  if (slug === undefined && path !== '/help') return false;
  if (slug === undefined) openTab('help');
  else openArticle(slug, hash.slice(1) || null);
  return true;
}

/** Stores input and choices on the pages of the help. */
export function keepHelp(change: Partial<Pick<HelpPlace, 'query' | 'category' | 'draft'>>): void {
  Object.assign(helpPlace, change);
}

onUserReset(() => {
  save(READ_KEY, null);
  helpPlace.anchor = null;
  helpPlace.from = 'browse';
  helpPlace.query = '';
  helpPlace.category = null;
  helpPlace.draft = '';
});
