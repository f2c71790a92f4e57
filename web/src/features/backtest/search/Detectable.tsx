import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import type { DetectableResult } from '@sextant/workers/src/protocolHonesty.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { intervalToMs } from '../../../api/candles.ts';
import { serverClock } from '../../../api/serverClock.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { type Draft, draft, plannedWindow, rangeOf, type Run, runState, warmupOf } from '../backtestState.ts';
import { type DataMark, isSameData, markOf, seriesOf, trialsOn } from '../trialCounts.ts';
import { laterCount, samplesOf, searchDraft } from './searchState.ts';
import { trainOnOf } from './trainWindow.ts';

/** A Sharpe ratio a year that many would be glad of. */
const GOAL = 3;
const SETTLE_MS = 200;
const DAY_MS = 86_400_000;

/** What a search on this window with so many sets could tell from luck: known before it runs. */
export function DetectableNote() {
  const form = useSnapshot(draft);
  const search = useSnapshot(searchDraft);
  const { count, scored, barMs, csvCount } = useWindow();
  const isEarlier = trainOnOf(search, form, csvCount) === 'earlier';
  const barCount = isEarlier ? count - scored - warmupOf(form.strategy, barMs) : scored;
  const trialCount = samplesOf(search) + laterCount(search);
  const answer = useDetectable({ trialCount, barCount, barMs });
  if (barCount < 2 || !(barMs > 0)) return null;
  // The last answer names its sets: it stays until the next is there, unless it is about other candles.
  if (answer === null || answer.asked.barCount !== barCount || answer.asked.barMs !== barMs)
    return <Note isBusy waiting="Calculating what this search can tell from luck" />;
  const { asked, result, isCurrent } = answer;
  return (
    <Note isBusy={!isCurrent} waiting={null}>
      Of {formatCount(asked.trialCount)} sets on {windowText(barCount, barMs, isEarlier ? 'searched' : 'scored')}, a
      best Sharpe below <Figure text={sharpeText(result)} /> may be luck. A true Sharpe of {GOAL} needs about{' '}
      <Figure text={`${formatCount(result.barsForGoal)} candles`} /> to show, fewer when unseen candles confirm it.
    </Note>
  );
}

/**
 * The same of a run of rules: one more set on the scored candles, among all that were counted on them. Each step of a slider is one: the
 * last answer, which names its set, stays until the next is there, so that the sliders below keep their place.
 */
export function RulesDetectableNote() {
  const form = useSnapshot(draft);
  const run = useSnapshot(runState).run as Run | null;
  const { scored: barCount, barMs } = useWindow();
  const trialCount = 1 + (run === null ? 0 : countedOn(run, form, { scored: barCount, barMs }));
  const answer = useDetectable({ trialCount, barCount, barMs });
  if (barCount < 2 || !(barMs > 0)) return null;
  if (answer === null) return <Note isBusy waiting="Calculating what a run of these rules can tell from luck" />;
  const { asked, result, isCurrent } = answer;
  return (
    <Note isBusy={!isCurrent} waiting={null}>
      Your next {run === null ? 'run' : 'change'} is try {formatCount(asked.trialCount)} on these{' '}
      {formatCount(asked.barCount)} candles. Below Sharpe <Figure text={sharpeText(result)} /> it may be luck. A true
      Sharpe of {GOAL} needs about <Figure text={`${formatCount(result.barsForGoal)} candles`} /> to show.
    </Note>
  );
}

/** Sets counted on the candles that the setup would score now; those of the run on screen while they are the same data. */
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

/** The window that the setup gives a run; 0 candles while it names no file. */
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
  /** What is shown while there is no answer. */
  waiting: string | null;
  children?: ReactNode;
}

function Note({ isBusy, waiting, children }: NoteProps) {
  return (
    <p className="text-label text-muted" data-testid="detectable" aria-busy={isBusy}>
      {waiting ?? children}
    </p>
  );
}

const Figure = ({ text }: { text: string }) => <strong className="text-text tabular-nums">{text}</strong>;

const windowText = (barCount: number, barMs: number, kind: string): string =>
  `${formatCount(barCount)} ${kind} candles (${formatFixed((barCount * barMs) / DAY_MS, 0)} days)`;

function sharpeText({ sharpePerBar, annualSharpe }: DetectableResult): string {
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

interface Asked {
  trialCount: number;
  barCount: number;
  barMs: number;
}

interface Answer {
  asked: Asked;
  result: DetectableResult;
  /** False while the answer to newer numbers is computed. */
  isCurrent: boolean;
}

/** The last answer; null before the first. */
function useDetectable({ trialCount, barCount, barMs }: Asked): Answer | null {
  const [answer, setAnswer] = useState<Omit<Answer, 'isCurrent'> | null>(null);
  useEffect(() => {
    if (barCount < 2 || !(barMs > 0)) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      runEngineTask('detectable', { trialCount, barCount, barMs, goalAnnualSharpe: GOAL })
        .then((result) => isCurrent && setAnswer({ asked: { trialCount, barCount, barMs }, result }))
        .catch(() => undefined); // an engine that cannot be loaded is reported by the search itself
    }, SETTLE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [trialCount, barCount, barMs]);
  if (answer === null) return null;
  const { asked } = answer;
  const isCurrent = asked.trialCount === trialCount && asked.barCount === barCount && asked.barMs === barMs;
  return { ...answer, isCurrent };
}
