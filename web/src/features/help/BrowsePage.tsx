import { Search } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { useHelpArticles } from '../../api/help.ts';
import { keepHelp } from '../../state/helpPlace.ts';
import { openPage } from '../../state/navigation.ts';
import { EmptyState } from '../../ui/Panel.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { useIsWide } from '../../ui/useMedia.ts';
import { ArticleList } from './ArticleCard.tsx';
import { useShownCategories } from './categories.ts';

/** Featured articles: six, eight where there is the width. */
const FEATURED = { narrow: 6, wide: 8 };

/** The way in: a field to search with, what most people read first, and the categories. */
export function BrowsePage() {
  const articles = useHelpArticles();
  const isWide = useIsWide('desktop');
  return (
    <div className="flex flex-col gap-5">
      <QuickSearch />
      <section aria-labelledby="help-featured" className="flex flex-col gap-2">
        <h2 id="help-featured" className="text-section font-semibold">
          Read first
        </h2>
        <Loaded answer={articles} failure="The articles could not be read." rows={8}>
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
      <QuickCategories />
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
      <Loaded answer={categories} failure="The categories could not be read." rows={2}>
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
