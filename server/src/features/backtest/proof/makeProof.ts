import type { BacktestInput, Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { canonicalText } from '@sextant/workers/src/proof/canonicalJson.ts';
import { PROOF_FORMAT, type Proof, proofResultOf, type UnsignedProof } from '@sextant/workers/src/proof/contract.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { candleFields } from '@sextant/workers/src/candles/candleColumns.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { fineDataProblemOf, type RunBody } from '../loadRun.ts';
import type { RevisionWire } from '../../history/contract.ts';
import { type CountedRun, readRevisions, runCounted, type RunBacktestDeps, sizedBy } from '../runBacktest.ts';
import { type ProofKeyDeps, readProofKey } from './proofKeys.ts';

export interface ProofDeps extends RunBacktestDeps {
  proofs: ProofKeyDeps & {
    /** Address under which the installation publishes its keys. */
    issuer: string;
  };
}

/** Runs one backtest as `runBacktest` does, stored and counted, and signs what was run. Returns the file and its name. */
export async function makeProof(
  deps: ProofDeps,
  userId: string,
  body: RunBody,
  signal: AbortSignal,
): Promise<Outcome<{ fileName: string; proof: Proof }>> {
  if (body.optimize !== undefined)
    return reject(
      'validation_failed',
      'optimize: a proof is of one run. Send the best set as `params` or `strategy`.',
      {
        field: 'optimize',
      },
    );
  if (body.honesty)
    return reject('validation_failed', 'honesty: leave it out. A proof holds what was tried before in `tried`.', {
      field: 'honesty',
    });
  const run = await runCounted(deps, userId, body, signal);
  if (!run.ok) return run;
  const key = await readProofKey(deps.proofs);
  const revisions = await readRevisions(deps, body, run.value.loaded);
  const unsigned: UnsignedProof = {
    ...contentOf(run.value, body, revisions),
    issuer: deps.proofs.issuer,
    issuedAt: new Date().toISOString(),
    key: key.header,
  };
  const proof: Proof = { ...unsigned, signature: key.sign(Buffer.from(canonicalText(unsigned))) };
  const label = (run.value.loaded.symbol ?? body.label ?? 'CSV').replaceAll(/[^A-Za-z0-9]+/g, '-');
  return ok({ fileName: `${label}-${body.interval}-proof.json`, proof });
}

function contentOf(
  { loaded, result, fineCandles, minutesProblem, tried }: CountedRun,
  body: RunBody,
  revisions: RevisionWire[],
): Pick<UnsignedProof, 'format' | 'market' | 'request' | 'result' | 'tried'> {
  const { input, rules, symbol } = loaded;
  const params = rules === undefined ? body.params : undefined;
  return {
    format: PROOF_FORMAT,
    market: withoutUndefined({
      symbol,
      exchange: symbol === null ? null : body.exchange,
      interval: body.interval,
      label: body.label ?? null,
      fineDataProblem: fineDataProblemOf(loaded, minutesProblem),
      // Absent when there are none, as in older files.
      revisions: revisions.length === 0 ? undefined : revisions,
    }),
    request: withoutUndefined({
      candles: columnsOf(input.candles),
      params,
      strategy: rules?.strategy,
      context: rules && rules.context.map(columnsOf),
      costs: costsOf(input.costs),
      markPrices: input.markPrices && marksOf(input.markPrices),
      fineCandles: fineCandles && columnsOf(fineCandles),
      scored: input.scoredCount,
    }),
    result: { ...proofResultOf(result, body.params, sizedBy(loaded)) },
    tried: { trials: Math.max(tried.before.trials, body.earlierTrials), looks: tried.before.looks },
  };
}

const columnsOf = (candles: Candles): Record<string, number[]> =>
  Object.fromEntries(candleFields.map((name) => [name, Array.from(candles[name])]));

const marksOf = ({ open, high, low }: NonNullable<BacktestInput['markPrices']>): Record<string, number[]> => ({
  open: Array.from(open),
  high: Array.from(high),
  low: Array.from(low),
});

/** The costs of the run with the fundings that were loaded for it. */
function costsOf({ funding, ...plain }: Costs): Record<string, unknown> {
  const lists = funding && {
    time: Array.from(funding.time),
    rate: Array.from(funding.rate),
    mark: funding.mark && Array.from(funding.mark),
  };
  return withoutUndefined({ ...plain, funding: lists && withoutUndefined(lists) });
}
