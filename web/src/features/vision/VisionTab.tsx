import { Coins, ImageUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { useVisionStatistics } from '../../api/vision.ts';
import { formatCount, formatMoney, formatPercent, formatSigned, NO_VALUE, signTone } from '../../format/number.ts';
import { openTab } from '../../state/navigation.ts';
import { ArticleLink } from '../../ui/ArticleLink.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Result } from './Result.tsx';
import { Followed, Records } from './Views.tsx';
import { acceptedTypes, type AnalysisRun, texts, useAnalysis, usePastedPicture } from './useAnalysis.ts';

/** A picture of a chart in; its market, a direction and levels out. */
export function VisionTab() {
  const run = useAnalysis();
  usePastedPicture(run.start);
  return (
    <div className="flex min-w-0 flex-1 flex-col p-3">
      <h1 className="sr-only">Vision</h1>
      <div className="grid gap-3 lg:grid-cols-[340px_minmax(0,1fr)] lg:items-start">
        <div className="flex min-w-0 flex-col gap-3">
          <Guarded>
            <Upload run={run} />
            <Performance />
          </Guarded>
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <Guarded>
            <LastResult run={run} />
          </Guarded>
        </div>
      </div>
    </div>
  );
}

function Upload({ run }: { run: AnalysisRun }) {
  const { credits, isBroke, failure } = run;
  const state = run.last.data;
  const facts: [string, string][] = [
    ['Credits', credits === undefined ? '…' : formatCount(credits)],
    ['Auto trading', state === undefined ? '…' : state.auto_open ? 'ENABLED' : 'DISABLED'],
    ['AI detection', state?.detection.toUpperCase() ?? '…'],
  ];
  return (
    <Panel
      title="Chart analysis"
      aside={<ArticleLink slug="chart-analysis">How it works</ArticleLink>}
      bodyClassName="flex flex-col gap-3 p-3"
    >
      <dl className="grid grid-cols-3 gap-2">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-label text-muted">{name}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <DropArea run={run} />
      {isBroke && (
        <>
          <p className="text-label">{texts.noCredits}</p>
          <button type="button" className="btn" onClick={() => openTab('funds', 'purchase')}>
            <Coins size={14} aria-hidden="true" /> Add Credits
          </button>
        </>
      )}
      <Progress run={run} />
      {failure !== null && <ErrorState text={failure} />}
      <p className="text-label text-muted">
        One credit for a usable answer. It comes back when the picture is no chart, the answer is neutral or has no
        levels, or the AI model fails. The picture is read on our server; only the newest is kept.
        {state?.detection === 'smart' && ' An AI model of the operator is shown the picture, too, without your name.'}
      </p>
    </Panel>
  );
}

function DropArea({ run: { isBusy, isBroke, credits, start } }: { run: AnalysisRun }) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isOff = isBusy || isBroke || credits === undefined;
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && !isOff) start(file);
  };
  return (
    <>
      <button
        type="button"
        disabled={isOff}
        className={`flex flex-col items-center gap-2 rounded border border-dashed px-3 py-8 text-center ${
          isOver ? 'border-accent bg-row-hover' : 'border-line'
        } ${isOff ? 'text-muted' : 'hover:bg-row-hover'}`}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <ImageUp size={28} aria-hidden="true" className="text-muted" />
        <span className="font-semibold">{isBusy ? 'Reading the chart...' : texts.drop}</span>
        <span className="text-label text-muted">{texts.formats}</span>
        <span className="text-label text-muted">or paste a picture, or choose a file (1 credit)</span>
      </button>
      <input
        ref={input}
        type="file"
        aria-label="Chart picture"
        accept={acceptedTypes.join(',')}
        className="sr-only"
        tabIndex={-1}
        disabled={isOff}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) start(file);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

const stepWords: Record<string, string> = {
  shapes: 'Reading the candles',
  text: 'Reading the text',
  prices: 'Reading the prices',
  market: 'Looking for the market',
  analysis: 'Analysing',
  model: 'Asking the AI model',
};

function Progress({ run: { isBusy, progress } }: { run: AnalysisRun }) {
  if (!isBusy) return null;
  return (
    <div className="flex flex-col gap-1">
      <progress aria-label="Analysis progress" className="progress" value={progress?.pct ?? 0} max={100} />
      <span role="status" className="text-label text-muted">
        {progress === null ? 'Uploading' : (stepWords[progress.step] ?? 'Analysing')}
      </span>
    </div>
  );
}

function LastResult({ run: { last } }: { run: AnalysisRun }) {
  if (last.error !== null && last.data === undefined)
    return (
      <ErrorState
        failure={last.error}
        text={messageOf(last.error, 'The last analysis could not be read.')}
        onRetry={() => void last.refetch()}
      />
    );
  if (last.data === undefined) return <SkeletonRows rows={8} />;
  const { analysis } = last.data;
  if (analysis === null)
    return (
      <Panel title="Result">
        <EmptyState text="No analysis yet. A picture of a candle chart is read pixel by pixel, its candles are looked for in our own markets, and every statement says whether it is verified, read or guessed." />
      </Panel>
    );
  return <Result analysis={analysis} />;
}

/** What the positions of analyses brought. */
function Performance() {
  const { data, error, refetch } = useVisionStatistics();
  if (error !== null && data === undefined)
    return (
      <ErrorState
        failure={error}
        text={messageOf(error, 'The figures could not be read.')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <SkeletonRows rows={3} />;
  const { closed_count: closed, needed, patterns, sentiments, records, installation } = data;
  const tooFew = `${formatCount(closed)} of ${formatCount(needed)} closed positions from chart analyses so far. Figures are shown from then on.`;
  return (
    <>
      <Records records={records} />
      <Panel title="Pattern performance" bodyClassName="p-0">
        {patterns.length === 0 ? (
          <p className="p-3 text-label text-muted">{closed < needed ? tooFew : 'No analysis named a pattern.'}</p>
        ) : (
          <Shares rows={patterns.map((each) => ({ name: each.title, ...each }))} />
        )}
        <Followed
          rows={installation.patterns.map((each) => ({ ...each, name: `${each.title}, ${each.direction}` }))}
          needed={installation.needed}
        />
      </Panel>
      <Panel title="Sentiment impact" bodyClassName="p-0">
        {sentiments.length === 0 ? (
          <p className="p-3 text-label text-muted">{tooFew}</p>
        ) : (
          <Shares rows={sentiments.map((each) => ({ name: each.sentiment, ...each }))} />
        )}
        <Followed
          rows={installation.sentiments.map((each) => ({ ...each, name: each.sentiment }))}
          needed={installation.needed}
        />
      </Panel>
    </>
  );
}

interface ShareRow {
  name: string;
  count: number;
  win_share: number;
  mean_roi_pct: number;
  net_pnl: number;
}

function Shares({ rows }: { rows: readonly ShareRow[] }) {
  return (
    <table className="w-full text-label tabular-nums">
      <thead>
        <tr className="text-muted">
          <th scope="col" className="px-3 py-1 text-left font-normal">
            Name
          </th>
          <th scope="col" className="px-2 py-1 text-right font-normal">
            Closed
          </th>
          <th scope="col" className="px-2 py-1 text-right font-normal">
            Won
          </th>
          <th scope="col" className="px-3 py-1 text-right font-normal">
            Net PnL
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className="border-t border-line">
            <th scope="row" className="px-3 py-1 text-left font-normal first-letter:uppercase">
              {row.name}
            </th>
            <td className="px-2 py-1 text-right">{formatCount(row.count)}</td>
            <td className="px-2 py-1 text-right">{row.count === 0 ? NO_VALUE : formatPercent(row.win_share)}</td>
            <td className={`px-3 py-1 text-right ${signTone(row.net_pnl)}`}>
              {formatMoney(row.net_pnl, true)}{' '}
              <span className="text-muted">({formatSigned(row.mean_roi_pct, 2)} %)</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
