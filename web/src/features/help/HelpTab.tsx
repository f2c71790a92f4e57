import { useSnapshot } from 'valtio';
import { articleOf, helpPlace } from '../../state/helpPlace.ts';
import { navigation } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { ArticlePage } from './article/ArticlePage.tsx';
import { BrowsePage } from './BrowsePage.tsx';
import { CategoriesPage } from './CategoriesPage.tsx';
import { ChatPage } from './chat/ChatPage.tsx';
import { helpPages, type HelpPageId, pageOf } from './pages.ts';
import { SearchPage } from './SearchPage.tsx';

const TAB = 'help';

const views: Record<HelpPageId, () => React.ReactNode> = {
  browse: BrowsePage,
  search: SearchPage,
  chat: ChatPage,
  categories: CategoriesPage,
};

export function HelpTab() {
  const saved = useSnapshot(navigation).pages[TAB];
  const { from } = useSnapshot(helpPlace);
  const slug = articleOf(saved);
  // An article belongs to the page it was opened from, and that page's tab leads back.
  const page = pageOf(slug === null ? saved : from);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="Help" pages={helpPages} page={page} layout="reading">
      {slug === null ? <View /> : <ArticlePage key={slug} slug={slug} />}
    </PagedTab>
  );
}
