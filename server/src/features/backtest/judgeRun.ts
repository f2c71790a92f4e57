import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import type { BacktestInput } from '@sextant/workers/src/protocol/backtest.ts';
import { familyWords } from '@sextant/workers/src/candles/sameData.ts';
import { plural } from '@sextant/workers/src/tasks/honesty/figure.ts';
import type { HonestyInput, HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import type { Outcome } from '../../platform/errors.ts';
import { runInTurn } from '../market/engineRuns.ts';
import type { Tried } from './countTried.ts';
import { rejectTask } from '../market/rejectTask.ts';
import type { RunBacktestDeps } from './runBacktest.ts';
import type { HonestyVerdict } from './runContract.ts';

const nameOf = (id: string): string => honestyRegistry.find((entry) => entry.id === id)?.name ?? id;

/** A single run as a search with one set, on the shown candles. */
export const singleSearch = (input: BacktestInput): OptimizeInput => ({
  ...input,
  samples: 1,
  seed: 1,
  target: 'pnl',
  trainOn: 'scored',
  refine: false,
});

/** Figures of the honesty panel for a run or a search: how much of a result may be luck. */
export async function judgeRun(
  { engine }: Pick<RunBacktestDeps, 'engine'>,
  userId: string,
  { input, tried }: { input: HonestyInput; tried: Tried },
  signal: AbortSignal,
): Promise<Outcome<z.input<typeof HonestyVerdict>>> {
  const run = await runInTurn(engine, userId, () => engine.run('honesty', input, { signal }));
  if (!run.ok) return run;
  if (!run.value.ok) return rejectTask(run.value.error);
  return ok(verdictOf(run.value.value, tried));
}

/** The figures of the panel as a response has them. */
export function verdictOf(
  { reading, trialCount, figures }: Pick<HonestyResult, 'reading' | 'trialCount' | 'figures'>,
  { before, family }: Tried,
): z.input<typeof HonestyVerdict> {
  const ofFamily = familyWords(family);
  const counted = ofFamily === '' ? '' : ` Counted: ${plural(trialCount, 'set')}, ${ofFamily}.`;
  return {
    level: reading.level,
    words: reading.words + counted,
    trialCount,
    earlierLooks: before.looks + family.looks,
    family: { markets: family.markets, trials: family.trials },
    figures: figures.map(({ id, value, reason, says, words }) => ({
      id,
      name: nameOf(id),
      value,
      says,
      words,
      ...withoutUndefined({ reason }),
    })),
  };
}
