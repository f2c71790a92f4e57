import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { isDeepStrictEqual } from 'node:util';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { withSystem, withUser } from '../../../platform/db/scope.ts';
import { type Outcome, type Rejection, reject } from '../../../platform/errors.ts';
import { SignalFeatures } from '../../aicheck/features.ts';
import { type AiCheckDeps, runAiCheck } from '../../aicheck/runAiCheck.ts';
import type { CheckedResults, ScanParams } from '../contract.ts';
import { readScan } from '../scanRepository.ts';
import { type AiFields, aiFieldsOf, correctionOf } from './aiFields.ts';
import { keepCheck, readChecks, type StoredCheck, takePlace } from './checkRepository.ts';
import { type AiCheckResponse, type AiCheckBody, CHECKS_MAX } from './contract.ts';

const UNDER_WAY = 'This result is being checked right now.';

interface Subject {
  features: SignalFeatures;
  signalId: string;
}

/**
 * A second opinion on one result of the caller's own scan. Costs no credit: the scan's includes `CHECKS_MAX`. The verdict is stored
 * before it is returned, and the model request is not aborted when the caller disconnects, because it may already be paid.
 */
export async function checkResult(
  deps: AiCheckDeps,
  userId: string,
  body: AiCheckBody,
): Promise<Outcome<AiCheckResponse>> {
  const { symbol, interval } = body;
  const key = { scanId: body.scan_id, symbol, interval };
  const subject = await subjectOf(deps, userId, body);
  if (!subject.ok) return subject;
  const { softApproval, allowAiCorrectionOnReject } = body;
  const { features, signalId } = subject.value;
  const place = await withSystem(deps.db, (tx) =>
    takePlace(tx, key, { userId, signalId, softApproval, allowAiCorrectionOnReject }),
  );
  if (place === 'used_up') return reject('ai_checks_used');
  if (place === 'under_way') return reject('rate_limited', UNDER_WAY, { retryAfterS: 1 });
  if (place === 'ask') {
    const check = await runAiCheck(deps, userId, features);
    await withSystem(deps.db, (tx) => keepCheck(tx, key, check));
  }
  const checks = await withUser(deps.db, userId, (tx) => readChecks(tx, key.scanId));
  const own = checks.find((check) => check.symbol === symbol && check.interval === interval);
  const fields = own === undefined ? undefined : aiFieldsOf(own);
  if (own === undefined) return reject('not_found');
  if (fields === undefined) return reject('rate_limited', UNDER_WAY, { retryAfterS: 1 });
  return ok(responseOf(key.scanId, own, fields, checks.length));
}

/** Finds the result and checks whether it can be judged. A scan of another user is not found. */
async function subjectOf({ db, model }: AiCheckDeps, userId: string, body: AiCheckBody): Promise<Outcome<Subject>> {
  const scan = await withUser(db, userId, (tx) => readScan(tx, body.scan_id));
  if (scan === null) return reject('not_found');
  const results = scan.results;
  if (results === null)
    return reject('no_result', `The scan is ${scan.status}: it has no results.`, { field: 'scan_id' });
  const result = results.all.find(({ symbol, interval }) => symbol === body.symbol && interval === body.interval);
  if (result === undefined)
    return reject('no_result', `The scan has no result for ${body.symbol} on ${body.interval}.`, { field: 'symbol' });
  const different = differenceFrom(scan.params, body);
  if (different !== undefined) return failWith(different);
  const ownThreshold = model === undefined ? scan.params.strategy?.value.entryThreshold : undefined;
  const features = featuresOf(result, ownThreshold);
  if (features === undefined)
    return reject('no_result', 'The result lacks a figure the check needs.', { field: 'symbol' });
  return ok({ features, signalId: result.signal_id });
}

/** Rejects settings that differ from the scan's: the verdict would be about another signal. */
function differenceFrom(params: ScanParams, body: AiCheckBody): Rejection | undefined {
  const field = (['balance', 'riskTolerance', 'leverage', 'tuning'] as const).find(
    (name) => body[name] !== undefined && !isDeepStrictEqual(body[name], params[name]),
  );
  if (field === undefined) return undefined;
  const message = `${field}: differs from the scan. Leave it out or scan again.`;
  return { code: 'validation_failed', message, field };
}

const responseOf = (scanId: string, check: StoredCheck, fields: AiFields, usedCount: number): AiCheckResponse => ({
  scan_id: scanId,
  symbol: check.symbol,
  interval: check.interval,
  ...fields,
  correction: correctionOf(check),
  decided_by: check.decidedBy,
  model: check.model,
  reason: check.reason,
  checks_left: CHECKS_MAX - usedCount,
});

type Result = CheckedResults['all'][number];

/** `ema_cross` on `15m` as one name without separators. */
const nameOf = (vote: string, interval: string): string =>
  `${vote}-${interval}`.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, next: string) => next.toUpperCase()).slice(0, 32);

/** Contribution of each vote; own rules have none and are one part as a whole. */
function contributionsOf({ contributions, score }: Result): SignalFeatures['contributions'] {
  if (contributions.length === 0) return [{ name: 'ownRules', points: score }];
  return contributions.map(({ vote, interval, contribution }) => ({
    name: nameOf(vote, interval),
    points: contribution,
  }));
}

/** Input of the analyst for a stored result; undefined when a required figure is missing. */
export function featuresOf(result: Result, ownThreshold?: number): SignalFeatures | undefined {
  const { symbol, interval, direction, score, confidence, price, stopLoss, takeProfit, meta } = result;
  const parsed = SignalFeatures.safeParse({
    symbol,
    interval,
    direction,
    score,
    confidence,
    entryPrice: price,
    stopLossPrice: stopLoss,
    takeProfitPrice: takeProfit,
    atrFraction: (meta.atr ?? Number.NaN) / price,
    contributions: contributionsOf(result),
    candleCloseAtMs: Date.parse(result.candle_close_at),
    ...withoutUndefined({ ownThreshold }),
  });
  return parsed.success ? parsed.data : undefined;
}
