import { useState } from 'react';
import { useHelpArticles } from '../../../api/help.ts';
import type { HelpCategory } from '../../../api/types.ts';
import { Loaded } from '../../../ui/Panel.tsx';
import { SignInNotice } from '../chat/SignInNotice.tsx';
import { SearchResults, useSettled, useShownCategories } from '../ArticleLists.tsx';
import { Written } from './Written.tsx';

/** `/help`, public: every article by category, and a search. */
export function HelpHomePage() {
  const [query, setQuery] = useState('');
  const text = useSettled(query).trim();
  return (
    <>
      <header className="flex max-w-180 flex-col gap-4">
        <h1 className="text-[30px] leading-[36px] font-semibold tracking-tight md:text-[40px] md:leading-[46px]">
          Help centre
        </h1>
        <p className="text-section leading-[24px] text-muted">Learn each tab and what every figure means.</p>
        <input
          type="search"
          aria-label="Search the help"
          placeholder="Words of a title, a figure, an error"
          maxLength={200}
          className="input"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </header>
      {text !== '' && <SearchResults text={text} />}
      <div hidden={text !== ''}>
        <Written
          name="contents"
          write={({ categories, articles }) => <Contents categories={categories} articles={articles} />}
        >
          <FetchedContents />
        </Written>
      </div>
      <section aria-labelledby="assistant" className="flex max-w-180 flex-col gap-3">
        <h2 id="assistant" className="text-page font-semibold">
          Ask the assistant
        </h2>
        <p className="text-muted">Get answers from these articles, with sources. It says when none fits.</p>
        <SignInNotice />
      </section>
    </>
  );
}

interface Named {
  slug: string;
  title: string;
  category: string;
}

function Contents({ categories, articles }: { categories: readonly HelpCategory[]; articles: readonly Named[] }) {
  return (
    <div className="gap-10 md:columns-2 lg:columns-3">
      {categories.map(({ slug: category, name }) => (
        <section key={category} aria-labelledby={`category-${category}`} className="mb-8 break-inside-avoid">
          <h2 id={`category-${category}`} className="text-page font-semibold">
            {name}
          </h2>
          <ul className="mt-3 flex flex-col gap-1.5 text-section">
            {articles
              .filter((each) => each.category === category)
              .map(({ slug, title }) => (
                <li key={slug}>
                  <a href={`/help/${slug}`} className="text-accent hover:underline">
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function FetchedContents() {
  const categories = useShownCategories();
  const articles = useHelpArticles();
  return (
    <Loaded response={articles} failure="Could not load the articles." rows={10}>
      {(all) => (
        <Loaded response={categories} failure="Could not load the categories." rows={10}>
          {(shown) => <Contents categories={shown} articles={all} />}
        </Loaded>
      )}
    </Loaded>
  );
}
