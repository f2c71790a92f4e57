import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import type { DetectableResult } from '@sextant/workers/src/protocolHonesty.ts';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { intervalToMs } from '../../../api/candles.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { draft, plannedWindow, runState, WARMUP_COUNT } from '../backtestState.ts';
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
  const { csv } = useSnapshot(runState);
  const csvCount = csv?.parsed.candles.time.length;
  const planned = plannedWindow(form, csvCount);
  const barMs = form.source === 'csv' ? csvStepMs(csv?.parsed.candles.time) : intervalToMs(form.interval);
  const scored = planned?.scored ?? 0;
  const isEarlier = trainOnOf(search, form, csvCount) === 'earlier';
  const earlier = (planned?.loaded ?? 0) - scored - WARMUP_COUNT;
  const barCount = planned !== undefined && isEarlier ? earlier : scored;
  const trialCount = samplesOf(search) + laterCount(search);
  const found = useDetectable({ trialCount, barCount, barMs });
  if (barCount < 2 || !(barMs > 0)) return null;
  const where = `${formatCount(barCount)} ${isEarlier ? 'searched' : 'scored'} candles (${formatFixed((barCount * barMs) / DAY_MS, 0)} days)`;
  return (
    <p className="text-label text-muted" data-testid="detectable" aria-busy={found === null}>
      {found === null ? (
        'Calculating what this search can tell from luck'
      ) : (
        <>
          Of {formatCount(trialCount)} sets on {where}, a best Sharpe ratio below{' '}
          <strong className="text-text tabular-nums">{sharpeText(found)}</strong> cannot be told from luck. To tell a
          ratio of {GOAL} a year takes{' '}
          <strong className="text-text tabular-nums">{formatCount(found.barsForGoal)} candles</strong>, fewer when
          unseen candles confirm it.
        </>
      )}
    </p>
  );
}

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
