import { useSnapshot } from 'valtio';
import { useHelpArticles } from '../../api/help.ts';
import { helpPlace, keepHelp } from '../../state/helpPlace.ts';
import { EmptyState } from '../../ui/Panel.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ArticleList } from './ArticleCard.tsx';
import { useShownCategories } from './categories.ts';

/** Every article, by category: all of them, or one that is chosen. */
export function CategoriesPage() {
  const categories = useShownCategories();
  const articles = useHelpArticles();
  const { category } = useSnapshot(helpPlace);
  return (
    <Loaded answer={categories} failure="The categories could not be read." rows={10}>
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
            <Loaded answer={articles} failure="The articles could not be read." rows={10}>
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
