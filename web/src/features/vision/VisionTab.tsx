import { manyInWords } from '@sextant/workers/src/core/manyInWords.ts';
import { creditPrices } from '@sextant/workers/src/core/creditPrices.ts';
import { IMAGE_BYTES_MAX, IMAGE_MIB_MAX, imageTooLargeText } from '@sextant/workers/src/core/limits.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Coins, ImageUp } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { proxy, useSnapshot } from 'valtio';
import { useCredits } from '../../api/credits.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { storeResponse } from '../../api/storeResponse.ts';
import type { LastVision, VisionAnalysis } from '../../api/types.ts';
import { refetchAnalysis, postChart, useLastVision, useVisionProgress } from '../../api/vision.ts';
import { capitalized } from '../../format/names.ts';
import { formatCount, formatMany } from '../../format/number.ts';
import { createLatestTask } from '../../state/latestTask.ts';
import { openTab } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { ArticleLink } from '../../ui/ArticleLink.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Result } from './Result.tsx';
import { Performance } from './Views.tsx';

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
        {capitalized(manyInWords(creditPrices.vision, 'credit'))} per usable result. Refunded when there is no chart,
        direction or level, or the AI fails. The picture is read on our server; only the newest is stored.
        {state?.detection === 'smart' && " The operator's AI model sees the picture too, without your name."}
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
        <span className="text-label text-muted">
          or paste a picture, or choose a file ({formatMany(creditPrices.vision, 'credit')})
        </span>
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
  market: 'Matching the market',
  analysis: 'Analysing',
  model: 'Querying the AI model',
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
        text={messageOf(last.error, 'The last analysis did not load.')}
        onRetry={() => void last.refetch()}
      />
    );
  if (last.data === undefined) return <SkeletonRows rows={8} />;
  const { analysis } = last.data;
  if (analysis === null)
    return (
      <Panel title="Result">
        <EmptyState text="Drop a candle chart to analyse it. Each result is marked verified, read or estimated." />
      </Panel>
    );
  return <Result analysis={analysis} />;
}

/** Texts of the tab that are used more than once or also sent by the server. */
const texts = {
  drop: 'Drop your chart here',
  formats: `PNG, JPG, WEBP, max ${IMAGE_MIB_MAX}MB`,
  failed: 'Analysis failed',
  noCredits: 'Insufficient credits',
  openFailed: 'Auto position failed',
  empty: 'The file is empty.',
  otherType: 'Use a PNG, JPEG or WebP image.',
} as const;

const acceptedTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** Problems of a file that can be found before the upload. */
function fileError({ size, type }: { size: number; type: string }): string | undefined {
  if (size === 0) return texts.empty;
  if (size > IMAGE_BYTES_MAX) return imageTooLargeText;
  return type === '' || acceptedTypes.includes(type) ? undefined : texts.otherType;
}

interface RunState {
  isSending: boolean;
  /** Why the newest analysis failed, in full; null when it did not. */
  failure: string | null;
}
const first = (): RunState => ({ isSending: false, failure: null });

/** Outlives the tab: an analysis continues while another tab is open. */
const runState = proxy<RunState>(first());
onUserReset(() => Object.assign(runState, first()));
const task = createLatestTask();

async function send(client: QueryClient, file: Blob): Promise<void> {
  runState.isSending = true;
  runState.failure = null;
  client.setQueryData(queryKeys.vision.progress, null);
  const isNewest = await task.run({
    work: (signal) => postChart(file, crypto.randomUUID(), signal),
    onDone: ({ analysis }) => {
      void storeResponse<LastVision>(
        client,
        queryKeys.vision.last,
        (last) => last && { ...last, analysis, is_running: false },
      );
      showOpening(analysis);
    },
    onFailed: (failure) => {
      const isBroke = failure instanceof ApiFailure && failure.code === 'insufficient_credits';
      const text = isBroke ? texts.noCredits : texts.failed;
      runState.failure = `${text}. ${messageOf(failure, '')}`.trim();
      toast(text, 'error');
    },
  });
  if (!isNewest) return;
  runState.isSending = false;
  await refetchAnalysis(client);
}

function showOpening({ opening }: VisionAnalysis): void {
  if (opening === null) return;
  const tones = { opened: 'success', skipped: 'info', failed: 'error' } as const;
  toast(opening.message, tones[opening.outcome]);
}

/** The last analysis, a running one, and a function to start one. Use once, in the tab. */
function useAnalysis() {
  const client = useQueryClient();
  const last = useLastVision();
  const progress = useVisionProgress();
  const credits = useCredits().data?.balance;
  const { isSending, failure } = useSnapshot(runState);
  const isBusy = isSending || last.data?.is_running === true;
  const isBroke = credits !== undefined && credits < 1;

  const start = (file: Blob): void => {
    if (isBusy) return;
    const problem = isBroke ? texts.noCredits : fileError(file);
    if (problem !== undefined) {
      runState.failure = problem;
      toast(problem, 'error');
      return;
    }
    void send(client, file);
  };
  return { last, progress, credits, isBusy, isBroke, failure, start };
}

type AnalysisRun = ReturnType<typeof useAnalysis>;

/** Calls `take` with a picture pasted anywhere while the tab is open, except into a field. */
function usePastedPicture(take: (file: Blob) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (file === undefined) return;
      event.preventDefault();
      latest.current(file);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
