import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { NEWS_SHOWN, useNews } from '../../api/news.ts';
import { useRecentTrades } from '../../data/positions.ts';
import type { PositionView } from '../../api/positionView.ts';
import { changeFollow, fetchProfile, fetchRanking } from '../../api/profile.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Profile, Ranking } from '../../api/types.ts';
import { reasonNames } from '../../format/names.ts';
import { formatCount, formatFixed, formatMoney, signTone } from '../../format/number.ts';
import { formatDay, formatUtc } from '../../format/time.ts';
import { navigation, openPage, openTab } from '../../state/navigation.ts';
import { toastRejection } from '../../state/toasts.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { DirectionWord } from '../../ui/NewsDirection.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { EmptyState, ErrorState, Loaded, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { Age, Time } from '../../ui/Time.tsx';
import { Picture, ProfileSettings } from './ProfileSettings.tsx';

const TAB = 'profile';

const pages = [
  { id: 'overview', label: 'Overview' },
  { id: 'news', label: 'News' },
  { id: 'activity', label: 'Recent Activity' },
  { id: 'settings', label: 'Profile Settings' },
] as const;
type PageId = (typeof pages)[number]['id'];

const views: Record<PageId, (props: { profile: Profile }) => React.ReactNode> = {
  overview: Overview,
  news: ProfileNews,
  activity: RecentActivity,
  settings: ProfileSettings,
};

export function ProfileTab() {
  const saved = useSnapshot(navigation).pages[TAB];
  const page = pages.find(({ id }) => id === saved)?.id ?? 'overview';
  const profile = useQuery({
    queryKey: queryKeys.profile,
    queryFn: fetchProfile,
    select: (response) => response ?? undefined,
  });
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="Profile" pages={pages} page={page} layout="reading">
      {profile.data !== undefined && <View profile={profile.data} />}
      {profile.data === undefined && !profile.isError && <SkeletonRows rows={6} />}
      {profile.data === undefined && profile.isError && (
        <ErrorState
          failure={profile.error}
          text={messageOf(profile.error, 'Could not load the profile.')}
          onRetry={() => void profile.refetch()}
        />
      )}
    </PagedTab>
  );
}

function Overview({ profile }: { profile: Profile }) {
  return (
    <div className="flex flex-col gap-4">
      <Guarded>
        <Card profile={profile} />
        <RankingPanel />
      </Guarded>
    </div>
  );
}

function Card({ profile }: { profile: Profile }) {
  return (
    <article className="panel overflow-hidden">
      <Picture kind="cover" url={profile.cover_url} name={profile.display_name} className="border-b border-line" />
      <div className="flex flex-wrap items-start gap-4 p-4">
        <Picture
          kind="avatar"
          url={profile.avatar_url}
          name={profile.display_name}
          className="-mt-12 w-24 shrink-0 rounded border border-line"
        />
        <div className="min-w-0 flex-1 max-md:order-last max-md:basis-full">
          <h2 className="text-page font-semibold break-words">{profile.display_name}</h2>
          <p className="text-muted">
            {profile.username !== null && <>@{profile.username} · </>}
            Joined <time title={formatUtc(profile.created_at)}>{formatDay(profile.created_at)}</time>
          </p>
        </div>
        <button type="button" className="btn max-md:ml-auto" onClick={() => openPage('profile', 'settings')}>
          Edit profile
        </button>
      </div>
      {/* Plain text: React escapes it, line breaks are preserved, and it never renders as markup. */}
      {profile.bio !== null && <p className="px-4 pb-4 break-words whitespace-pre-line">{profile.bio}</p>}
    </article>
  );
}

type Row = Ranking['rows'][number];

/** Users who opted in, ranked by the return of simulated positions on their margin. */
function RankingPanel() {
  const ranking = useQuery({ queryKey: queryKeys.ranking, queryFn: fetchRanking });
  const { data } = ranking;
  return (
    <Panel title={`Ranking, last ${data?.days ?? 30} days`} bodyClassName="">
      {data === undefined && !ranking.isError && <SkeletonRows rows={3} />}
      {data === undefined && ranking.isError && (
        <ErrorState
          failure={ranking.error}
          text={messageOf(ranking.error, 'Could not load the ranking.')}
          onRetry={() => void ranking.refetch()}
        />
      )}
      {data?.rows.length === 0 && (
        <EmptyState text={`No user with a public username has closed ${data.positions_min} simulated positions yet.`} />
      )}
      {data !== undefined && data.rows.length > 0 && <RankingTable rows={data.rows} />}
      {data !== undefined && (
        <p className="border-t border-line px-3 py-2 text-label text-muted">
          Simulated positions only, after {data.positions_min} closed ones: results of few positions are mostly luck. To
          appear, set a username and switch Leaderboard on under Account, Privacy &amp; Data.
        </p>
      )}
    </Panel>
  );
}

function RankingTable({ rows }: { rows: readonly Row[] }) {
  return (
    <ScrollSideways label="Ranking">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col" className="lead">
              Trader
            </th>
            <th scope="col">Positions</th>
            <th scope="col" className="max-md:hidden">
              Won
            </th>
            <th scope="col" className="max-md:hidden">
              Net PnL, USDT
            </th>
            <th scope="col">On margin</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.username} aria-current={row.is_you || undefined}>
              <td>{row.rank}</td>
              <td className="lead">
                <span className="flex items-center gap-2">
                  <span className={row.is_you ? 'font-semibold' : ''}>@{row.username}</span>
                  {row.is_you && <span className="text-label text-muted">you</span>}
                  {row.can_follow && <FollowButton row={row} />}
                </span>
              </td>
              <td>{formatCount(row.positions)}</td>
              <td className="max-md:hidden">{formatCount(row.winners)}</td>
              <td className={`max-md:hidden ${signTone(row.net_pnl)}`}>{formatMoney(row.net_pnl, true)}</td>
              <td className={signTone(row.return_on_margin_pct)}>
                {row.return_on_margin_pct > 0 ? '+' : ''}
                {formatFixed(row.return_on_margin_pct, 2)} %
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}

function FollowButton({ row }: { row: Row }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => changeFollow(row.username, !row.is_followed),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.ranking }),
    onError: (failure) => toastRejection(messageOf(failure, 'Could not save.'), failure),
  });
  return (
    <button
      type="button"
      className="btn btn-ghost btn-small btn-icon"
      aria-pressed={row.is_followed}
      aria-label={row.is_followed ? `Stop following @${row.username}` : `Follow @${row.username}`}
      disabled={change.isPending}
      onClick={() => change.mutate()}
    >
      <Star size={14} aria-hidden="true" fill={row.is_followed ? 'currentColor' : 'none'} />
    </button>
  );
}

/** The newest unread stories; marking and filters are in the News tab. */
function ProfileNews() {
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
      <Loaded response={news} failure="Failed to load news" rows={8}>
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

const TRADES_SHOWN = 10;

/** The last closed simulated positions. */
function RecentActivity() {
  const trades = useRecentTrades(TRADES_SHOWN);
  return (
    <Panel
      title={`Recent Activity, last ${TRADES_SHOWN} closed trades`}
      aside={
        <button type="button" className="btn btn-small" onClick={() => openTab('dashboard', 'history')}>
          Go to History
        </button>
      }
      bodyClassName=""
    >
      <Loaded response={trades} failure="Could not load trades." rows={6}>
        {(closed) =>
          closed.length === 0 ? (
            <EmptyState text="No closed trades yet. Closed simulated positions appear here.">
              <button type="button" className="btn" onClick={() => openTab('signals', 'scanner')}>
                Go to Scanner
              </button>
            </EmptyState>
          ) : (
            <TradeTable trades={closed} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const toneOfKnown = (value: number | null): string =>
  value === null || value === 0 ? '' : value > 0 ? 'text-up' : 'text-down';

function TradeTable({ trades }: { trades: readonly PositionView[] }) {
  return (
    <ScrollSideways label="Recent trades">
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="lead">
              Trade
            </th>
            <th scope="col">Net PnL, USDT</th>
            <th scope="col">On margin</th>
            <th scope="col">Closed by</th>
            <th scope="col">Closed</th>
          </tr>
        </thead>
        <tbody>
          {trades.map(({ id, symbol, side, netPnl, returnOnMarginPct, closeReason, closedAt }) => (
            <tr key={id}>
              <td className="lead">
                <span className="font-medium">{symbol}</span> <span className="text-muted">{side}</span>
              </td>
              <td className={toneOfKnown(netPnl)}>{formatMoney(netPnl, true)}</td>
              <td className={toneOfKnown(returnOnMarginPct)}>
                {returnOnMarginPct !== null && returnOnMarginPct > 0 ? '+' : ''}
                {formatFixed(returnOnMarginPct, 2)} %
              </td>
              <td>{closeReason === null ? '–' : reasonNames[closeReason]}</td>
              <td>
                <Time at={closedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}
