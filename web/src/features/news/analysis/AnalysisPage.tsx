import { NEWS_ANALYSED } from '@sextant/workers/src/core/limits.ts';
import { useNews } from '../../../api/news.ts';
import type { News } from '../../../api/types.ts';
import { openPage } from '../../../state/navigation.ts';
import { Age } from '../../../ui/Time.tsx';
import { Guarded } from '../../../ui/Guarded.tsx';
import { DirectionBar, DirectionWord } from '../../../ui/NewsDirection.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { loadFailure, storiesText } from '../feed/newsState.ts';
import { RecordsPanel } from './RecordsPanel.tsx';

export function AnalysisPage() {
  const news = useNews();
  const { data } = news;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {news.error !== null && <ErrorState text={loadFailure(news.error)} onRetry={() => void news.refetch()} />}
      {news.isPending && <SkeletonRows rows={6} height={28} />}
      {data !== undefined && data.analysis.count === 0 && (
        <Panel title="Analysis">
          <EmptyState text={`No unread news. This page analyses the newest ${NEWS_ANALYSED} unread stories.`}>
            <button type="button" className="btn" onClick={() => openPage('news', 'feed')}>
              Go to Live News Feed
            </button>
          </EmptyState>
        </Panel>
      )}
      {data !== undefined && data.analysis.count > 0 && (
        <div className="grid min-w-0 items-start gap-3 md:grid-cols-2 xl:grid-cols-[320px_minmax(0,1fr)_minmax(0,1fr)]">
          <Guarded>
            <ImpactPanel analysis={data.analysis} />
            <KeywordsPanel analysis={data.analysis} />
            <AnalysedPanel stories={data.stories.slice(0, NEWS_ANALYSED)} />
          </Guarded>
        </div>
      )}
      <Guarded>
        <RecordsPanel />
      </Guarded>
    </div>
  );
}

const impacts = {
  high: { word: 'High', className: 'text-warn' },
  medium: { word: 'Medium', className: 'text-text' },
  low: { word: 'Low', className: 'text-muted' },
} as const;

function ImpactPanel({ analysis }: { analysis: News['analysis'] }) {
  const { word, className } = impacts[analysis.impact];
  return (
    <Panel title="Market impact" bodyClassName="flex flex-col gap-3 p-3">
      <div>
        <p className={`text-page font-semibold ${className}`}>{word}</p>
        <p className="text-label text-muted">
          {analysis.high_impact} of {storiesText(analysis.count)} with a high-impact keyword. High: more than 3, medium:
          1 to 3, low: none.
        </p>
      </div>
      <DirectionBar {...analysis} />
      <p className="text-label text-muted">
        Counted by the keyword list, version {analysis.keyword_version}, in the newest {NEWS_ANALYSED} unread stories.
        No AI model is used.
      </p>
    </Panel>
  );
}

function KeywordsPanel({ analysis: { keywords, symbols } }: { analysis: News['analysis'] }) {
  return (
    <Panel title="Keywords and symbols" bodyClassName="grid gap-x-6 gap-y-3 p-3 sm:grid-cols-2">
      <CountList
        label="Keywords"
        rows={keywords.map(({ phrase, ...rest }) => ({ name: phrase, ...rest }))}
        none="No listed keywords in these stories."
      />
      <CountList
        label="Symbols"
        rows={symbols.map(({ symbol, ...rest }) => ({ name: symbol, ...rest }))}
        none="No symbols in these stories."
      />
    </Panel>
  );
}

interface CountRow {
  name: string;
  count: number;
  direction: News['analysis']['keywords'][number]['direction'];
}

const ROWS_MAX = 8;

function CountList({ label, rows, none }: { label: string; rows: readonly CountRow[]; none: string }) {
  return (
    <section aria-label={label}>
      <h3 className="mb-1 text-label font-medium">{label}</h3>
      {rows.length === 0 && <p className="text-label text-muted">{none}</p>}
      <ul>
        {rows.slice(0, ROWS_MAX).map(({ name, count, direction }) => (
          <li key={name} className="flex items-center justify-between gap-3 border-b border-line py-1 last:border-b-0">
            <span className="min-w-0 truncate">{name}</span>
            <span className="flex shrink-0 gap-3 text-label">
              <DirectionWord direction={direction} />
              <span className="w-4 text-right font-mono">{count}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AnalysedPanel({ stories }: { stories: News['stories'] }) {
  return (
    <Panel title="Analysed stories" bodyClassName="" className="md:col-span-2 xl:col-span-1">
      <ul>
        {stories.map((story) => (
          <li key={story.id} className="border-b border-line px-3 py-2 last:border-b-0">
            <p className="break-words">{story.title}</p>
            <p className="flex flex-wrap gap-x-2 text-label text-muted">
              <DirectionWord direction={story.sentiment} />
              {story.is_high_impact && <span className="text-warn">High impact</span>}
              {story.keywords.length > 0 && <span>{story.keywords.join(', ')}</span>}
              <Age sinceMs={Date.parse(story.pub_date)} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
