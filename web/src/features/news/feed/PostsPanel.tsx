import { messageOf } from '../../../api/failure.ts';
import { useNewsSettings, useTweets } from '../../../api/news.ts';
import { openPage } from '../../../state/navigation.ts';
import { Age } from '../../../ui/Age.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { DirectionWord } from '../../../ui/NewsDirection.tsx';

const FAILED = 'Failed to load tweets';

/** Posts of the social source, newest first. */
export function PostsPanel() {
  const tweets = useTweets();
  const { data } = tweets;
  const why = messageOf(tweets.error, '');
  return (
    <Panel title="Posts" aside={data?.name ?? undefined} bodyClassName="">
      {tweets.error !== null && (
        <div className="p-3">
          <ErrorState text={why === '' ? FAILED : `${FAILED}: ${why}`} onRetry={() => void tweets.refetch()} />
        </div>
      )}
      {tweets.isPending && <SkeletonRows rows={6} />}
      {data !== undefined && !data.is_connected && (
        <EmptyState text="No social source is connected. The operator sets X_BEARER_TOKEN to read posts from X." />
      )}
      {data?.is_connected === true && <Posts {...data} />}
    </Panel>
  );
}

type Tweets = NonNullable<ReturnType<typeof useTweets>['data']>;

function Posts({ posts, message, is_simulated: isSimulated }: Tweets) {
  const settings = useNewsSettings().data;
  return (
    <>
      {message !== null && (
        <div className="p-3">
          <Notice tone="warn">{message}</Notice>
        </div>
      )}
      {posts.length === 0 && settings?.shows_posts === false && (
        <EmptyState text="Posts are hidden by your news settings.">
          <button type="button" className="btn" onClick={() => openPage('news', 'settings')}>
            Go to News Settings
          </button>
        </EmptyState>
      )}
      {posts.length === 0 && settings?.shows_posts !== false && <EmptyState text="No post in the last 24 hours." />}
      <ul aria-label="Posts" tabIndex={0} className="max-h-[calc(100dvh-190px)] overflow-y-auto">
        {posts.map((post) => (
          <li key={post.id} className="border-b border-line px-3 py-2 last:border-b-0">
            <p className="break-words whitespace-pre-line">{post.text}</p>
            <p className="mt-0.5 flex flex-wrap gap-x-2 text-label text-muted">
              <DirectionWord direction={post.sentiment} />
              <a href={post.link} target="_blank" rel="noopener noreferrer" className="underline underline-offset-2">
                {post.author === null ? 'Open the post' : `@${post.author}`}
              </a>
              <Age sinceMs={Date.parse(post.posted_at)} />
              {isSimulated && <span className="rounded-sm border border-line px-1">simulated</span>}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
