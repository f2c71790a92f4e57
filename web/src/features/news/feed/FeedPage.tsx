import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import {
  allNews,
  NEWS_SHOWN,
  type NewsFilter,
  useNews,
  useNewsMarket,
  useNewsSettings,
  useTweets,
} from '../../../api/news.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { News } from '../../../api/types.ts';
import { formatCount } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { Field } from '../../../ui/Field.tsx';
import { Guarded } from '../../../ui/Guarded.tsx';
import { DirectionWord } from '../../../ui/NewsDirection.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Age, Time } from '../../../ui/Time.tsx';
import { fadeAndMark, loadFailure, newsState } from './newsState.ts';
import { StoryRow } from './StoryRow.tsx';

export function FeedPage() {
  return (
    <div className="grid min-w-0 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_340px]">
      <Guarded>
        <StoriesPanel />
        <PostsPanel />
      </Guarded>
    </div>
  );
}

const wordsOf = { one: 'Failed to mark as read', all: 'Failed to mark all as read' } as const;

function useMark() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, isAll }: { ids: readonly string[]; isAll: boolean; words: keyof typeof wordsOf }) =>
      fadeAndMark(ids, isAll),
    onError: (failure, { words }) => {
      const why = messageOf(failure, '');
      toast(why === '' ? wordsOf[words] : `${wordsOf[words]}: ${why}`, 'error');
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.news.all }),
  });
}

function StoriesPanel() {
  const { filter, phases, openId } = useSnapshot(newsState);
  const news = useNews(filter);
  const mark = useMark();
  const unread = (news.data?.stories ?? []).filter(({ id }) => phases[id] !== 'gone');
  const shown = unread.slice(0, NEWS_SHOWN);
  const isFiltered = filter.symbol !== null || filter.source !== null;
  const markAll = () => mark.mutate({ ids: unread.map(({ id }) => id), isAll: !isFiltered, words: 'all' });
  const count = Math.max(unread.length, (news.data?.unread_count ?? 0) - goneIn(news.data, phases));
  return (
    <Panel
      title={news.data === undefined ? 'Unread stories' : `Unread stories (${formatCount(count)})`}
      aside={
        <button type="button" className="btn btn-small" disabled={shown.length === 0} onClick={markAll}>
          Mark All Read
        </button>
      }
      bodyClassName=""
    >
      <Filters filter={filter} news={news.data} />
      {news.error !== null && (
        <div className="p-3">
          <ErrorState text={loadFailure(news.error)} onRetry={() => void news.refetch()} />
        </div>
      )}
      {news.data !== undefined && <FeedStates feeds={news.data.feeds} />}
      {news.isPending && <SkeletonRows rows={8} height={28} />}
      {news.data !== undefined && shown.length === 0 && <NoStories isFiltered={isFiltered} />}
      <ul aria-label="Stories" className={news.isPlaceholderData ? 'opacity-50' : ''}>
        {shown.map((story) => (
          <StoryRow
            key={story.id}
            story={story}
            isFading={phases[story.id] === 'fading'}
            isOpen={openId === story.id}
            onRead={() => mark.mutate({ ids: [story.id], isAll: false, words: 'one' })}
          />
        ))}
      </ul>
      {unread.length > shown.length && (
        <p className="border-t border-line px-3 py-2 text-label text-muted">
          The newest {NEWS_SHOWN} are shown. Mark as read to see more.
        </p>
      )}
    </Panel>
  );
}

/** Number of stories in the response that were marked here since. */
const goneIn = (news: News | undefined, phases: Readonly<Record<string, string>>): number =>
  (news?.stories ?? []).filter(({ id }) => phases[id] === 'gone').length;

function NoStories({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyState text="No unread news. New stories appear here.">
        <button type="button" className="btn" onClick={() => openPage('news', 'trends')}>
          Go to Market Trends
        </button>
      </EmptyState>
    );
  return (
    <EmptyState text="No unread stories match the filter.">
      <button type="button" className="btn" onClick={() => (newsState.filter = allNews)}>
        Show all stories
      </button>
    </EmptyState>
  );
}

function Filters({ filter, news }: { filter: NewsFilter; news: News | undefined }) {
  const market = useNewsMarket().data;
  const known = [
    ...(filter.symbol === null ? [] : [filter.symbol]),
    ...(market?.rows ?? []).map(({ symbol }) => symbol),
    ...(news?.stories ?? []).flatMap(({ symbols }) => symbols),
  ];
  return (
    <div className="flex flex-wrap gap-3 border-b border-line p-3">
      <Choice
        label="Symbol"
        all="All symbols"
        options={[...new Set(known)].sort()}
        value={filter.symbol}
        onChange={(symbol) => (newsState.filter = { ...newsState.filter, symbol })}
      />
      <Choice
        label="Source"
        all="All sources"
        options={news?.sources ?? []}
        value={filter.source}
        onChange={(source) => (newsState.filter = { ...newsState.filter, source })}
      />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  options: readonly string[];
  value: string | null;
  onChange: (value: string | null) => void;
}

function Choice({ label, all, options, value, onChange }: ChoiceProps) {
  return (
    <div className="w-44 max-md:flex-1">
      <Field label={label}>
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={value ?? ''}
            onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
          >
            <option value="">{all}</option>
            {options.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

/** Feeds that fail or whose dates cannot be read; nothing when all work. */
function FeedStates({ feeds }: { feeds: News['feeds'] }) {
  const down = feeds.filter(({ state }) => state === 'down');
  const waiting = feeds.filter(({ state }) => state === 'waiting');
  const dated = feeds.filter(({ state, date_note: note }) => state === 'ok' && note !== null);
  if (down.length + waiting.length + dated.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 border-b border-line p-3">
      {down.length > 0 && (
        <Notice tone="warn">
          {down.length} of {feeds.length} feeds cannot be read:
          <ul>
            {down.map(({ name, message, last_read_at: at }) => (
              <li key={name}>
                {name}: {message}{' '}
                {at !== null && (
                  <>
                    Last read <Time at={at} />.
                  </>
                )}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {dated.map(({ name, date_note: note }) => (
        <Notice key={name} tone="info">{`${name}: ${note ?? ''}`}</Notice>
      ))}
      {waiting.length > 0 && (
        <Notice tone="info">{`Waiting for: ${waiting.map(({ name }) => name).join(', ')}.`}</Notice>
      )}
    </div>
  );
}

const FAILED = 'Failed to load tweets';

/** Posts of the social source, newest first. */
function PostsPanel() {
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
        <EmptyState text="No social source. The operator can set X_BEARER_TOKEN to read X." />
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
        <EmptyState text="Posts are off in your news settings.">
          <button type="button" className="btn" onClick={() => openPage('news', 'settings')}>
            Go to News Settings
          </button>
        </EmptyState>
      )}
      {posts.length === 0 && settings?.shows_posts === true && <EmptyState text="No post in the last 24 hours." />}
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
