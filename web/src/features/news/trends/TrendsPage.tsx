import { useMemo } from 'react';
import { useNewsMarket, useNewsSentiment, useNewsTrending } from '../../../api/news.ts';
import { useTickDecimals } from '../../../data/symbols.ts';
import { formatMany, formatPercent, formatPrice, NO_VALUE, signTone } from '../../../format/number.ts';
import { formatMoment } from '../../../format/time.ts';
import { openPage } from '../../../state/navigation.ts';
import { useStore } from '../../../state/store.ts';
import { timeZoneState } from '../../../state/timeZone.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { late } from '../../../ui/late.tsx';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { DirectionBar } from '../../../ui/NewsDirection.tsx';
import { newsState, storiesText } from '../feed/newsState.ts';

/** The chart library is loaded with the first chart. */
const barPairs = late(
  async () => (await import('../../../charts/BarPairs.tsx')).BarPairs,
  <div className="skeleton h-51" />,
);

export function TrendsPage() {
  return (
    <div className="grid min-w-0 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Guarded>
        <SentimentPanel />
        <MarketPanel />
        <TopicsPanel />
      </Guarded>
    </div>
  );
}

function showOnly(symbol: string): void {
  newsState.filter = { symbol, source: null };
  openPage('news', 'feed');
}

type Sentiment = NonNullable<ReturnType<typeof useNewsSentiment>['data']>;

function SentimentPanel() {
  const sentiment = useNewsSentiment();
  return (
    <Panel title="Sentiment, last 24 hours" bodyClassName="flex flex-col gap-4 p-3" className="xl:col-span-2">
      <Loaded response={sentiment} failure="Could not load the sentiment." rows={5}>
        {(data) => (
          <>
            <SentimentBars byHour={data.by_hour} />
            <div className="grid gap-4 md:grid-cols-2">
              <CountsOf title="News" count={storiesText(data.articles.count)} counts={data.articles} />
              {data.posts === null ? (
                <p className="text-muted">Posts are not counted: no social source is connected.</p>
              ) : (
                <CountsOf title="Posts" count={formatMany(data.posts.count, 'post')} counts={data.posts} />
              )}
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function SentimentBars({ byHour }: { byHour: Sentiment['by_hour'] }) {
  const { zone } = useStore(timeZoneState);
  const series = useMemo(() => {
    const labels = byHour.map(({ at }) => /(\d\d):\d\d/.exec(formatMoment(at, zone)[0])?.[1] ?? '');
    const sum = (pick: (hour: Sentiment['by_hour'][number]) => number) => byHour.map(pick);
    return {
      labels,
      left: { name: 'Bullish stories', values: sum(({ bullish }) => bullish), colour: 'up' as const },
      right: { name: 'Bearish stories', values: sum(({ bearish }) => bearish), colour: 'down' as const },
    };
  }, [byHour, zone]);
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const label = `Stories by hour of the last 24: ${total(series.left.values)} bullish, ${total(series.right.values)} bearish`;
  return <barPairs.View label={label} {...series} />;
}

function CountsOf({ title, count, counts }: { title: string; count: string; counts: Sentiment['articles'] }) {
  return (
    <section aria-label={title} className="flex flex-col gap-1.5">
      <h3 className="text-label font-medium">
        {title}, {count}
      </h3>
      <DirectionBar {...counts} />
    </section>
  );
}

function MarketPanel() {
  const market = useNewsMarket();
  const decimalsOf = useTickDecimals();
  return (
    <Panel title="Symbols in the news" bodyClassName="">
      <Loaded response={market} failure="Could not load symbols in the news." rows={6}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState text="No symbols in stories of the last 24 hours." />
          ) : (
            <ScrollSideways label="Symbols in the news">
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col" className="lead">
                      Symbol
                    </th>
                    <th scope="col">Stories</th>
                    <th scope="col">Bullish</th>
                    <th scope="col">Bearish</th>
                    <th scope="col">Last price, USDT</th>
                    <th scope="col">24 h</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.symbol}>
                      <td className="lead">
                        <button
                          type="button"
                          className="min-h-6 font-medium text-accent hover:underline"
                          onClick={() => showOnly(row.symbol)}
                        >
                          {row.symbol}
                        </button>
                      </td>
                      <td>{row.story_count}</td>
                      <td className={row.bullish > 0 ? 'text-up' : 'text-muted'}>{row.bullish}</td>
                      <td className={row.bearish > 0 ? 'text-down' : 'text-muted'}>{row.bearish}</td>
                      <td>{formatPrice(row.last, decimalsOf(row.symbol))}</td>
                      <td className={signTone(row.change_24h, 'text-muted')}>
                        {row.change_24h === null ? NO_VALUE : formatPercent(row.change_24h, true)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollSideways>
          )
        }
      </Loaded>
    </Panel>
  );
}

function TopicsPanel() {
  const trending = useNewsTrending();
  return (
    <Panel title="Trending topics, last 24 hours" bodyClassName="">
      <Loaded response={trending} failure="Could not load the topics." rows={6}>
        {({ topics }) =>
          topics.length === 0 ? (
            <EmptyState text="No symbols or keywords in stories of the last 24 hours." />
          ) : (
            <TopicTable topics={topics} />
          )
        }
      </Loaded>
    </Panel>
  );
}

type Topics = NonNullable<ReturnType<typeof useNewsTrending>['data']>['topics'];

function TopicTable({ topics }: { topics: Topics }) {
  const largest = Math.max(...topics.map(({ count }) => count), 1);
  return (
    <ScrollSideways label="Trending topics">
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="lead">
              Topic
            </th>
            <th scope="col">Stories</th>
            <th scope="col">24 hours before</th>
          </tr>
        </thead>
        <tbody>
          {topics.map(({ kind, name, count, count_before: before }) => (
            <tr key={`${kind} ${name}`}>
              <td className="lead">
                <span className="flex items-center gap-3">
                  <span className="w-44 truncate max-md:w-28 font-medium">{name}</span>
                  <span aria-hidden="true" className="h-2 w-24 bg-row-hover max-md:hidden">
                    <span className="block h-full bg-accent" style={{ width: `${(count / largest) * 100}%` }} />
                  </span>
                  <span className="text-label text-muted">{kind}</span>
                </span>
              </td>
              <td>{count}</td>
              <td className="text-muted">{before}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}
