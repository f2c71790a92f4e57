import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { useHelpArticle } from '../../../api/help.ts';
import { helpPlace } from '../../../state/helpPlace.ts';
import { navigation, openPage } from '../../../state/navigation.ts';
import { EmptyState } from '../../../ui/Panel.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { helpPages, pageOf } from '../pages.ts';
import { ArticleView, type ShownArticle } from './ArticleView.tsx';
import { ApiFailure } from '../../../api/failure.ts';

/** One article in the help tab, with the way back to the page it was opened from. */
export function ArticlePage({ slug }: { slug: string }) {
  const answer = useHelpArticle(slug);
  const from = pageOf(useSnapshot(helpPlace).from);
  const label = helpPages.find(({ id }) => id === from)?.label ?? 'Browse';
  const isGone = answer.error instanceof ApiFailure && answer.error.code === 'not_found';
  return (
    <div className="flex flex-col gap-3">
      <p className="mx-auto w-full max-w-180">
        <button type="button" className="btn btn-small btn-ghost -ml-2" onClick={() => openPage('help', from)}>
          <ArrowLeft size={14} aria-hidden="true" /> Back to {label}
        </button>
      </p>
      {isGone ? (
        <EmptyState text="There is no such article. It may have been renamed: try the search." />
      ) : (
        <Loaded answer={answer} failure="The article could not be read." rows={10}>
          {(article) => <Placed article={article} />}
        </Loaded>
      )}
    </div>
  );
}

/** Shows the heading that was asked for as soon as the text is there, and again when another one is asked for. */
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
