import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { allNews, NEWS_SHOWN, type NewsFilter, useNews, useNewsMarket } from '../../../api/news.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { News } from '../../../api/types.ts';
import { formatCount } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { Field } from '../../../ui/Field.tsx';
import { Guarded } from '../../../ui/Guarded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { fadeAndMark, newsState } from './newsState.ts';
import { loadFailure } from '../words.ts';
import { PostsPanel } from './PostsPanel.tsx';
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
          The newest {NEWS_SHOWN} are shown; reading them brings the next.
        </p>
      )}
    </Panel>
  );
}

/** Stories of the answer that were marked here since. */
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
    <EmptyState text="No unread story matches the filter.">
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

/** Feeds that cannot be read now; nothing while all can. */
function FeedStates({ feeds }: { feeds: News['feeds'] }) {
  const down = feeds.filter(({ state }) => state === 'down');
  const waiting = feeds.filter(({ state }) => state === 'waiting');
  if (down.length === 0 && waiting.length === 0) return null;
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
      {waiting.length > 0 && (
        <Notice tone="info">{`Not read yet: ${waiting.map(({ name }) => name).join(', ')}.`}</Notice>
      )}
    </div>
  );
}
