import { useHelpCategories } from '../../api/help.ts';
import type { HelpCategory } from '../../api/types.ts';

export const CATEGORIES_MAX = 8;

/** What the help is about when the server names no categories. */
export const defaultCategories: readonly HelpCategory[] = [
  { slug: 'getting-started', name: 'Getting Started', article_count: 0 },
  { slug: 'trading', name: 'Trading', article_count: 0 },
  { slug: 'api', name: 'API', article_count: 0 },
  { slug: 'troubleshooting', name: 'Troubleshooting', article_count: 0 },
];

export const shownCategories = (served: readonly HelpCategory[]): readonly HelpCategory[] =>
  served.length === 0 ? defaultCategories : served.slice(0, CATEGORIES_MAX);

export function useShownCategories() {
  const answer = useHelpCategories();
  return { ...answer, data: answer.data && shownCategories(answer.data) };
}
