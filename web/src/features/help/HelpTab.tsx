import { ArrowLeft, Search } from 'lucide-react';
import { type SubmitEvent, useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ApiFailure } from '../../api/failure.ts';
import { useHelpArticle, useHelpArticles } from '../../api/help.ts';
import { articleOf, helpPlace, keepHelp } from '../../state/helpPlace.ts';
import { navigation, openPage } from '../../state/navigation.ts';
import { type PageId, pageOf, tabPages } from '../../state/tabPages.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { EmptyState, Loaded } from '../../ui/Panel.tsx';
import { useIsWide } from '../../ui/useMedia.ts';
import { ArticleView, type ShownArticle } from './article/ArticleView.tsx';
import { ArticleList, SearchResults, useSettled, useShownCategories } from './ArticleLists.tsx';
import { ChatPage } from './chat/ChatPage.tsx';

const TAB = 'help';

const views: Record<PageId<typeof TAB>, () => React.ReactNode> = {
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
  const page = pageOf(TAB, slug === null ? saved : from);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="Help" pages={tabPages[TAB]} page={page} layout="reading">
      {slug === null ? <View /> : <ArticlePage key={slug} slug={slug} />}
    </PagedTab>
  );
}

/** Featured articles: six, or eight on wide screens. */
const FEATURED = { narrow: 6, wide: 8 };

/** The start page: a search field, the most read articles, and the categories. */
function BrowsePage() {
  const articles = useHelpArticles();
  const isWide = useIsWide('desktop');
  return (
    <div className="flex flex-col gap-5">
      <QuickSearch />
      <section aria-labelledby="help-featured" className="flex flex-col gap-2">
        <h2 id="help-featured" className="text-section font-semibold">
          Read first
        </h2>
        <Loaded response={articles} failure="Could not load the articles." rows={8}>
          {(all) => {
            const featured = all.filter((each) => each.featured);
            if (featured.length === 0) return <EmptyState text="No featured articles. Browse the categories." />;
            return (
              <ArticleList
                label="Featured articles"
                cards={featured.slice(0, isWide ? FEATURED.wide : FEATURED.narrow)}
              />
            );
          }}
        </Loaded>
      </section>
      {/* Fetched at once, shown once the list above is there: it would push them away under the pointer. */}
      <div className={articles.isPending ? 'hidden' : 'contents'}>
        <QuickCategories />
      </div>
    </div>
  );
}

function QuickSearch() {
  const [text, setText] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    keepHelp({ query: text });
    openPage('help', 'search');
  };
  return (
    <form role="search" className="flex gap-2" onSubmit={submit}>
      <input
        type="search"
        aria-label="Search the help"
        placeholder="What do you want to know?"
        maxLength={200}
        className="input"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="btn btn-primary">
        <Search size={14} aria-hidden="true" /> Search
      </button>
    </form>
  );
}

function QuickCategories() {
  const categories = useShownCategories();
  const open = (slug: string) => {
    keepHelp({ category: slug });
    openPage('help', 'categories');
  };
  return (
    <section aria-labelledby="help-categories" className="flex flex-col gap-2">
      <h2 id="help-categories" className="text-section font-semibold">
        Categories
      </h2>
      <Loaded response={categories} failure="Could not load the categories." rows={2}>
        {(shown) => (
          <ul className="grid grid-cols-2 gap-2 md:grid-cols-4">
            {shown.map(({ slug, name, article_count: count }) => (
              <li key={slug}>
                <button
                  type="button"
                  className="panel w-full gap-0 p-3 text-left hover:border-muted"
                  onClick={() => open(slug)}
                >
                  <span className="font-semibold">{name}</span>
                  <span className="text-label text-muted">{count === 1 ? '1 article' : `${count} articles`}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function SearchPage() {
  const { query } = useSnapshot(helpPlace);
  const text = useSettled(query).trim();
  return (
    <div className="flex flex-col gap-4">
      <input
        type="search"
        aria-label="Search the help"
        placeholder="Words of a title, a figure, an error"
        maxLength={200}
        // The page is a search field, so it takes the focus.
        autoFocus
        className="input"
        value={query}
        onChange={(event) => keepHelp({ query: event.target.value })}
      />
      {text === '' ? (
        <EmptyState text="Type a question or a few words. Typos are corrected." />
      ) : (
        <SearchResults
          text={text}
          elsewhere={
            <button type="button" className="btn btn-small" onClick={() => openPage('help', 'chat')}>
              Ask the assistant instead
            </button>
          }
        />
      )}
    </div>
  );
}

/** Every article, by category: all, or one selected category. */
function CategoriesPage() {
  const categories = useShownCategories();
  const articles = useHelpArticles();
  const { category } = useSnapshot(helpPlace);
  return (
    <Loaded response={categories} failure="Could not load the categories." rows={10}>
      {(known) => {
        const shown = known.filter(({ slug }) => category === null || slug === category);
        return (
          <div className="flex flex-col gap-5">
            <div role="group" aria-label="Category" className="flex flex-wrap gap-2">
              {[{ slug: null, name: 'All' }, ...known].map(({ slug, name }) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={category === slug}
                  className="btn btn-small btn-choice"
                  onClick={() => keepHelp({ category: slug })}
                >
                  {name}
                </button>
              ))}
            </div>
            <Loaded response={articles} failure="Could not load the articles." rows={10}>
              {(all) =>
                shown.map(({ slug, name }) => {
                  const cards = all.filter((each) => each.category === slug);
                  return (
                    <section key={slug} aria-label={name} className="flex flex-col gap-2">
                      <h2 className="text-section font-semibold">{name}</h2>
                      {cards.length === 0 ? (
                        <EmptyState text="No articles in this category yet." />
                      ) : (
                        <ArticleList label={name} cards={cards} />
                      )}
                    </section>
                  );
                })
              }
            </Loaded>
          </div>
        );
      }}
    </Loaded>
  );
}

/** One article in the help tab, with a link back to the page it was opened from. */
function ArticlePage({ slug }: { slug: string }) {
  const answer = useHelpArticle(slug);
  const from = pageOf(TAB, useSnapshot(helpPlace).from);
  const label = tabPages[TAB].find(({ id }) => id === from)?.label ?? 'Browse';
  const isGone = answer.error instanceof ApiFailure && answer.error.code === 'not_found';
  return (
    <div className="flex flex-col gap-3">
      <p className="mx-auto w-full max-w-180">
        <button type="button" className="btn btn-small btn-ghost -ml-2" onClick={() => openPage('help', from)}>
          <ArrowLeft size={14} aria-hidden="true" /> Back to {label}
        </button>
      </p>
      {isGone ? (
        <EmptyState text="Article not found. Try the search." />
      ) : (
        <Loaded response={answer} failure="Could not load the article." rows={10}>
          {(article) => <Placed article={article} />}
        </Loaded>
      )}
    </div>
  );
}

/** Scrolls to the requested heading once the text is there, and again when another one is requested. */
function Placed({ article }: { article: ShownArticle }) {
  const { anchor } = useSnapshot(helpPlace);
  const { moveCount } = useSnapshot(navigation);
  useEffect(() => {
    const heading = anchor === null ? null : document.getElementById(anchor);
    if (heading === null) return;
    heading.scrollIntoView({ block: 'start' });
    heading.focus({ preventScroll: true });
  }, [anchor, moveCount]);
  return <ArticleView article={article} />;
}
