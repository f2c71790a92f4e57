import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import type { Outcome } from '../../../platform/errors.ts';
import { disconnectSignal } from '../../../platform/http/disconnectSignal.ts';
import { countText } from '../../../platform/countText.ts';
import type { App } from '../../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../../platform/http/problem.ts';
import { runInTurn } from '../../market/engineRuns.ts';
import { rejectTask } from '../../market/rejectTask.ts';
import { nothingTried, readTried } from '../countTried.ts';
import { createRunAdmission } from '../largeBodies.ts';
import type { RunBacktestDeps } from '../runBacktest.ts';
import { runRejections } from '../runRejections.ts';
import { LuckBody, LuckResponse } from './contract.ts';

/** A reachable ratio: it only decides how many candles the task recommends, which this call does not report. */
const GOAL = 1;

/** What luck finds among so many sets, before a search is run. */
export function luckRoutes(app: App, deps: RunBacktestDeps): void {
  app.post(
    '/api/backtest/luck',
    {
      onRequest: createRunAdmission(deps.limiter),
      schema: {
        access: 'run:backtest',
        sandbox: 'frozen',
        tags: ['Backtest'],
        summary: 'What luck alone finds among so many sets on these candles',
        description: 'Runs no set and counts nothing as tried.',
        body: LuckBody,
        response: {
          200: LuckResponse,
          ...problems('not_authenticated', 'database_unavailable', ...bodyRejections, 'symbol_unknown', 'rate_limited'),
          ...problems(...runRejections),
        },
      },
    },
    async (request, reply) => {
      const signal = disconnectSignal(reply);
      const outcome = await readLuck(deps, request.user.id, request.body, signal);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}

async function readLuck(
  deps: RunBacktestDeps,
  userId: string,
  { trials, scored, ...market }: z.output<typeof LuckBody>,
  signal: AbortSignal,
): Promise<Outcome<z.input<typeof LuckResponse>>> {
  // Only the candles: luck depends neither on fundings nor on the rules of the contract.
  const loaded = await deps.market.candles({ ...market, userId, signal });
  if (!loaded.ok) return loaded;
  const { candles } = loaded.value.value;
  const { before, family } =
    deps.storeRun === undefined
      ? await readTried(deps.db, userId, { ...market, candles, scoredCount: scored })
      : nothingTried;
  const earlierTrials = before.trials + family.trials;
  const input = {
    trialCount: trials + earlierTrials,
    barCount: candles.time.length - scored,
    barMs: intervalMs[market.interval],
    goalAnnualSharpe: GOAL,
  };
  const run = await runInTurn(deps.engine, userId, () => deps.engine.run('detectable', input, { signal }));
  if (!run.ok) return run;
  if (!run.value.ok) return rejectTask(run.value.error);
  const { luckPerBar, luckAnnualSharpe, sharpePerBar, annualSharpe } = run.value.value;
  const count = countText(input.trialCount);
  const ratio = (perBar: number, perYear: number | null): string =>
    `${perBar.toFixed(3)} a candle${perYear === null ? '' : ` (${perYear.toFixed(2)} a year)`}`;
  return ok({
    candles: input.barCount,
    trialCount: input.trialCount,
    earlierTrials,
    luckSharpe: luckPerBar,
    luckAnnualSharpe,
    detectableSharpe: sharpePerBar,
    detectableAnnualSharpe: annualSharpe,
    words:
      `The best of ${count} sets without skill usually shows a Sharpe ratio of ${ratio(luckPerBar, luckAnnualSharpe)} on ` +
      `${countText(input.barCount)} candles. Only a true ratio of ${ratio(sharpePerBar, annualSharpe)} or more stands out.`,
  });
}
