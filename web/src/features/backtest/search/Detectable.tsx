import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import type { DetectableResult } from '@sextant/workers/src/protocol/honesty.ts';
import { type DataMark, isSameData } from '@sextant/workers/src/candles/sameData.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { intervalToMs } from '../../../api/candles.ts';
import { serverClock } from '../../../api/serverClock.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatCount, formatFixed, formatMany } from '../../../format/number.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { type Draft, draft, plannedWindow, rangeOf, type Run, runState, warmupOf } from '../backtestState.ts';
import { markOf, seriesOf, trialsOn } from '../trialCounts.ts';
import { usePlannedTrials } from './plannedTrials.ts';
import { searchDraft } from './searchState.ts';
import { trainOnOf } from './trainWindow.ts';

/** A yearly Sharpe ratio most traders would call very good. */
const GOAL = 3;
const SETTLE_MS = 200;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

/** Which Sharpe ratio a search with this many sets could distinguish from luck on this window, shown before it runs. */
export function DetectableNote() {
  const form = useSnapshot(draft);
  const search = useSnapshot(searchDraft);
  const { count, scored, barMs, csvCount } = useWindow();
  const isEarlier = trainOnOf(search, form, csvCount) === 'earlier';
  const barCount = isEarlier ? count - scored - warmupOf(form.strategy, barMs) : scored;
  const { tried: trialCount } = usePlannedTrials();
  const { asked, result, isCurrent } = useDetectable({ trialCount, barCount, barMs });
  if (barCount < 2 || !(barMs > 0)) return null;
  return (
    <Note isBusy={!isCurrent}>
      {result === null || barCount < result.barsForGoal ? 'Too little data: use' : 'Data needed:'} about{' '}
      <CandlesForGoal asked={asked} result={result} /> for {formatCount(asked.trialCount)} sets. You have{' '}
      {windowText(barCount, barMs, isEarlier ? 'training' : 'scored')}.{' '}
      <LuckTerm result={result} more=", fewer if unseen candles confirm it" />
    </Note>
  );
}

/**
 * The same for a run of rules: one more set on the scored candles, in addition to all counted on them. Each step of a slider below adds
 * one.
 */
export function RulesDetectableNote() {
  const form = useSnapshot(draft);
  const run = useSnapshot(runState).run as Run | null;
  const { scored: barCount, barMs } = useWindow();
  const trialCount = 1 + (run === null ? 0 : countedOn(run, form, { scored: barCount, barMs }));
  const { asked, result, isCurrent } = useDetectable({ trialCount, barCount, barMs });
  if (barCount < 2 || !(barMs > 0)) return null;
  return (
    <Note isBusy={!isCurrent}>
      {asked.trialCount === 1
        ? 'First run on these dates.'
        : `You have tested ${formatMany(asked.trialCount - 1, 'setting')} here. Use fresh dates.`}{' '}
      <LuckTerm result={result} more="" />
    </Note>
  );
}

/** Sets counted on the candles the setup would score now; those of the run on screen while they are the same data. */
export function countedOn({ loaded, result }: Run, form: Market, { scored, barMs }: Scored): number {
  const { source, symbol, interval } = form;
  if (source !== loaded.source) return 0;
  const shown = markOf(loaded, result.hashes.data);
  if (source === 'csv') return trialsOn(shown);
  const range = rangeOf(form);
  const untilMs = range?.ok === true ? range.value.untilMs : serverClock.now();
  const planned: DataMark = {
    hash: '',
    series: seriesOf({ exchange: loaded.exchange, label: symbol, interval }),
    fromMs: untilMs - scored * barMs,
    toMs: untilMs - barMs,
  };
  return trialsOn(isSameData(shown, planned) ? shown : planned);
}

type Market = Pick<Draft, 'source' | 'symbol' | 'interval' | 'window' | 'range'>;

interface Scored {
  scored: number;
  barMs: number;
}

/** The window of a run of this setup; 0 candles without a file. */
function useWindow() {
  const form = useSnapshot(draft);
  const { csv } = useSnapshot(runState);
  const csvCount = csv?.parsed.candles.time.length;
  const planned = plannedWindow(form, csvCount);
  const barMs = form.source === 'csv' ? csvStepMs(csv?.parsed.candles.time) : intervalToMs(form.interval);
  return { count: planned?.loaded ?? 0, csvCount, barMs, scored: planned?.scored ?? 0 };
}

interface NoteProps {
  isBusy: boolean;
  children: ReactNode;
}

function Note({ isBusy, children }: NoteProps) {
  return (
    <p className="text-label text-muted" data-testid="detectable" aria-busy={isBusy}>
      {children}
    </p>
  );
}

type FigureProps = Pick<ResponseBody, 'asked' | 'result'>;

/** The smallest Sharpe ratio that is not explained by luck, behind a help mark: the note itself names no statistic. */
function LuckTerm({ result, more }: Pick<ResponseBody, 'result'> & { more: string }) {
  const meaning =
    result === null
      ? 'Calculating'
      : `A best Sharpe below ${sharpeText(result)} may be luck. A true Sharpe of ${GOAL} needs about ${formatCount(result.barsForGoal)} candles to show${more}.`;
  return <DefinedTerm definition={{ name: 'Luck limit', meaning, topic: null }} />;
}

function CandlesForGoal({ asked, result }: FigureProps) {
  const text = (bars: number): string => `${formatCount(bars)} candles`;
  // Nearly always between half a year of candles and two.
  return <Figure text={result && text(result.barsForGoal)} like={text(Math.round(YEAR_MS / asked.barMs))} />;
}

/** Until the figure is known, `like`, about as wide, reserves its room invisibly: content below must not move under the pointer. */
const Figure = ({ text, like }: { text: string | null; like: string }) => (
  <strong className={`text-text tabular-nums ${text === null ? 'invisible' : ''}`}>{text ?? like}</strong>
);

const windowText = (barCount: number, barMs: number, kind: string): string =>
  `${formatCount(barCount)} ${kind} candles (${formatFixed((barCount * barMs) / DAY_MS, 0)} days)`;

function sharpeText({ sharpePerBar, annualSharpe }: Pick<DetectableResult, 'sharpePerBar' | 'annualSharpe'>): string {
  const perCandle = `${formatFixed(sharpePerBar, 3)} a candle`;
  if (annualSharpe === null) return `${perCandle} (not annualised below ${STATISTIC_DAYS_MIN} days)`;
  return `${formatFixed(annualSharpe, 1)} a year (${perCandle})`;
}

function csvStepMs(times: ArrayLike<number> | undefined): number {
  let least = Infinity;
  for (let i = 1; i < Math.min(times?.length ?? 0, 50); i++)
    least = Math.min(least, (times?.[i] ?? 0) - (times?.[i - 1] ?? 0));
  return Number.isFinite(least) ? least : 0;
}

interface DetectableRequest {
  trialCount: number;
  barCount: number;
  barMs: number;
}

interface ResponseBody {
  asked: DetectableRequest;
  /** Null before the first result for these candles. */
  result: DetectableResult | null;
  /** False while the result for newer inputs is computed. */
  isCurrent: boolean;
}

/** The last result for these candles, which names its number of sets: it stays until the next one. */
function useDetectable({ trialCount, barCount, barMs }: DetectableRequest): ResponseBody {
  const [response, setResponse] = useState<{ asked: DetectableRequest; result: DetectableResult } | null>(null);
  useEffect(() => {
    if (barCount < 2 || !(barMs > 0)) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      runEngineTask('detectable', { trialCount, barCount, barMs, goalAnnualSharpe: GOAL })
        .then((result) => isCurrent && setResponse({ asked: { trialCount, barCount, barMs }, result }))
        .catch(() => undefined); // an engine that cannot be loaded is reported by the search itself
    }, SETTLE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [trialCount, barCount, barMs]);
  if (response === null || response.asked.barCount !== barCount || response.asked.barMs !== barMs)
    return { asked: { trialCount, barCount, barMs }, result: null, isCurrent: false };
  return { ...response, isCurrent: response.asked.trialCount === trialCount };
}
