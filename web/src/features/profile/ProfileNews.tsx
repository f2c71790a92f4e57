import { NEWS_SHOWN, useNews } from '../../api/news.ts';
import { openTab } from '../../state/navigation.ts';
import { Age } from '../../ui/Age.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { DirectionWord } from '../../ui/NewsDirection.tsx';
import { EmptyState, Panel } from '../../ui/Panel.tsx';

/** The newest unread stories; marking and filters are in the News tab. */
export function ProfileNews() {
  const news = useNews();
  return (
    <Panel
      title="News"
      aside={
        <button type="button" className="btn btn-small" onClick={() => openTab('news', 'feed')}>
          Go to News
        </button>
      }
      bodyClassName=""
    >
      <Loaded answer={news} failure="Failed to load news" rows={8}>
        {({ stories }) =>
          stories.length === 0 ? (
            <EmptyState text="No unread news." />
          ) : (
            <ul aria-label="News">
              {stories.slice(0, NEWS_SHOWN).map((story) => (
                <li key={story.id} className="border-b border-line px-3 py-2 last:border-b-0">
                  <a
                    href={story.link}
                    target="_blank"
                    rel="noopener noreferrer"
                    className="font-medium break-words underline-offset-2 hover:underline"
                  >
                    {story.title}
                  </a>
                  <p className="flex flex-wrap gap-x-2 text-label text-muted">
                    <DirectionWord direction={story.sentiment} />
                    <span>{story.source}</span>
                    <Age sinceMs={Date.parse(story.pub_date)} />
                    {story.is_simulated && <span>simulated</span>}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
