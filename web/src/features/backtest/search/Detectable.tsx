import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import type { DetectableResult } from '@sextant/workers/src/protocolHonesty.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { intervalToMs } from '../../../api/candles.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { type Draft, draft, type Run, runState, scoredCountOf, WARMUP_COUNT } from '../backtestState.ts';
import { markOf, trialsOn } from '../trialCounts.ts';
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
  const barCount = isEarlier ? count - scored - WARMUP_COUNT : scored;
  const trialCount = samplesOf(search) + laterCount(search);
  const found = useDetectable({ trialCount, barCount, barMs });
  if (barCount < 2 || !(barMs > 0)) return null;
  return (
    <Note found={found} what="this search">
      Of {formatCount(trialCount)} sets on {windowText(barCount, barMs, isEarlier ? 'searched' : 'scored')}, a best
      Sharpe ratio below {found !== null && <Figure text={sharpeText(found)} />} cannot be told from luck. To tell a
      ratio of {GOAL} a year takes {found !== null && <Figure text={`${formatCount(found.barsForGoal)} candles`} />},
      fewer when unseen candles confirm it.
    </Note>
  );
}

/** The same of a run of rules: one more set on the scored candles, among all that were counted on them. */
export function RulesDetectableNote() {
  const form = useSnapshot(draft);
  const run = useSnapshot(runState).run as Run | null;
  const { scored: barCount, barMs } = useWindow();
  const trialCount = 1 + (run === null ? 0 : countedOn(run, form));
  const found = useDetectable({ trialCount, barCount, barMs });
  if (barCount < 2 || !(barMs > 0)) return null;
  return (
    <Note found={found} what="a run of these rules">
      As set {formatCount(trialCount)} on {windowText(barCount, barMs, 'scored')}, rules with a Sharpe ratio below{' '}
      {found !== null && <Figure text={sharpeText(found)} />} cannot be told from luck. To tell a ratio of {GOAL} a year
      takes {found !== null && <Figure text={`${formatCount(found.barsForGoal)} candles`} />}.
    </Note>
  );
}

/** Sets counted on the candles that the setup names, when those of the run on screen are the ones. */
function countedOn({ loaded, result }: Run, { source, symbol, interval }: Market): number {
  const isNamed = source === 'csv' || (loaded.label === symbol && loaded.interval === interval);
  return isNamed && source === loaded.source ? trialsOn(markOf(loaded, result.hashes.data)) : 0;
}

type Market = Pick<Draft, 'source' | 'symbol' | 'interval'>;

/** The window that the setup gives a run; 0 candles while it names no file. */
function useWindow() {
  const form = useSnapshot(draft);
  const { csv } = useSnapshot(runState);
  const csvCount = csv?.parsed.candles.time.length;
  const count = (form.source === 'csv' ? csvCount : form.historyCount) ?? 0;
  const barMs = form.source === 'csv' ? csvStepMs(csv?.parsed.candles.time) : intervalToMs(form.interval);
  return { count, csvCount, barMs, scored: scoredCountOf(form, count) };
}

function Note({ found, what, children }: { found: DetectableResult | null; what: string; children: ReactNode }) {
  return (
    <p className="text-label text-muted" data-testid="detectable" aria-busy={found === null}>
      {found === null ? `Calculating what ${what} can tell from luck` : children}
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

/** The answer for exactly these numbers; null while it is computed. */
function useDetectable({ trialCount, barCount, barMs }: Asked): DetectableResult | null {
  const [answer, setAnswer] = useState<{ key: string; result: DetectableResult } | null>(null);
  const key = `${trialCount} ${barCount} ${barMs}`;
  useEffect(() => {
    if (barCount < 2 || !(barMs > 0)) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      runEngineTask('detectable', { trialCount, barCount, barMs, goalAnnualSharpe: GOAL })
        .then((result) => isCurrent && setAnswer({ key, result }))
        .catch(() => undefined); // an engine that cannot be loaded is reported by the search itself
    }, SETTLE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, trialCount, barCount, barMs]);
  return answer?.key === key ? answer.result : null;
}
