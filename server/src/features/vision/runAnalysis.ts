import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { creditPrices } from '@sextant/workers/src/core/creditPrices.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { ChartReading, NotAChart, ReadProgress } from '@sextant/workers/src/vision/reading.ts';
import type { MarketMode } from '../../config.ts';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { type Db, type SystemTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { createRejection, type Outcome } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';
import { admitImage } from '../../platform/images/admitImage.ts';
import { forgetKeyOf, runOncePerKey } from '../credits/idempotency.ts';
import { capture, hold, inLedger, release } from '../credits/ledger.ts';
import type { OpenDeps } from '../positions/openPosition.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import { analyse, type Analysed, type AnalyseDeps } from './analyse.ts';
import type { VisionAnalysis, VisionResult } from './contract.ts';
import { combine, type Combined } from './decideView.ts';
import { groundPicture } from './groundPicture.ts';
import type { ModelEye, ModelSeen } from './modelView.ts';
import { openFrom } from './openFrom.ts';
import type { PictureReader, ReadPicture } from './readPicture.ts';
import { refundMessages } from './rules.ts';
import { keepViews, readViewCounts } from './viewRecords.ts';
import { countModelRefund, endAnalysis, insertAnalysis, readAnalysis, readModelRefunds } from './visionRepository.ts';

export interface RunAnalysisDeps extends AnalyseDeps, OpenDeps {
  db: Db;
  readChart: PictureReader;
  eye: ModelEye;
  /** User whose track record counts the views. */
  config: { market: MarketMode };
}

export const ROUTE = 'POST /api/vision/analyze';
/** Deadline of the rule analysis, ms from the start. Reading the picture and the model request have separate limits. */
const DEADLINE_MS = 27_000;
/** Limits of the model's response, ms: its duration (`most`) and the time since the start of the analysis (`until`), before HOLD_S. */
const modelMs = { most: 15_000, until: 40_000 };
const HOLD_S = 60;
/** A repeated request waits for the running analysis to end. */
const waitMs = { step: 100, most: 50_000 };

export const messages = {
  failed: 'Analysis failed',
  running: 'An analysis is running. Wait for it to finish.',
} as const;

interface Started {
  id: string;
  holdId: string;
}
type Running = Started & { userId: string };
type Caller = Pick<AuthenticatedUser, 'id' | 'apiKeyId'>;

/**
 * One analysis from its hold to its response. The credit is spent in the transaction that stores a usable result, and released in every
 * other case; if the process dies in between, the sweep of the ledger releases the hold.
 */
export async function runAnalysis(
  deps: RunAnalysisDeps,
  caller: Caller,
  bytes: Buffer,
  key: string | undefined,
): Promise<Outcome<{ analysis: VisionAnalysis; credits: number; isReplay: boolean }>> {
  const admitted = admitImage(bytes);
  if (!admitted.ok) return admitted;
  const started = await start(deps.db, caller, { bytes, key });
  if (!started.ok) return started;
  const { id, holdId, isReplay } = started.value;
  if (!isReplay) {
    const rejection = await work(deps, { id, holdId, userId: caller.id }, bytes);
    if (rejection !== null) return rejection;
  }
  const response = await responseOf(deps.db, caller.id, id);
  return response.ok ? ok({ ...response.value, isReplay }) : response;
}

async function start(
  db: Db,
  { id: userId, apiKeyId }: Caller,
  { bytes, key }: { bytes: Buffer; key: string | undefined },
): Promise<Outcome<Started & { isReplay: boolean }>> {
  const body = { image: createHash('sha256').update(bytes).digest('hex') };
  const started = await inLedger(db, (tx) =>
    runOncePerKey<Started>(tx, { userId, route: ROUTE, key, body }, async () => {
      const id = randomUUID();
      const held = await hold(tx, {
        userId,
        credits: creditPrices.vision,
        reason: 'vision',
        ref: id,
        key: `vision:${id}`,
        expiresInS: HOLD_S,
        apiKeyId,
      });
      if (!(await insertAnalysis(tx, { id, userId, holdId: held.id })))
        throw rejectionError('conflict', messages.running);
      await report(tx, userId, { id, status: 'running', step: 'shapes', pct: 0 });
      return { status: 200, answer: { id, holdId: held.id } };
    }),
  );
  return started.ok ? ok({ ...started.value.answer, isReplay: started.value.isReplay }) : started;
}

type Step = ReadProgress['step'] | 'market' | 'analysis' | 'model';

const report = (
  tx: SystemTx,
  userId: string,
  { id, status, step, pct }: { id: string; status: string; step: Step | null; pct: number },
): Promise<void> => notifyUser(tx, userId, 'vision', { analysis_id: id, status, step, pct });

/** Progress is stored at most this often: a transaction for each step would take longer than the step. */
const PROGRESS_EVERY_MS = 250;
/** Percent of the progress for reading the picture. */
const READING_PCT = 80;

/** Null when the analysis has ended with a result. */
async function work(deps: RunAnalysisDeps, running: Running, bytes: Buffer): Promise<Outcome<never> | null> {
  const { db } = deps;
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const progress = createProgress(db, running);
  try {
    const read = await deps.readChart(bytes, {
      userId: running.userId,
      onProgress: ({ step, fraction }) => progress(step, fraction * READING_PCT),
    });
    if (!read.ok) return await giveUp(db, running, read);
    const { reading } = read.value;
    if (reading.kind === 'notAChart') {
      const nothing = { result: notAChart(), refund: refundOfNoChart(reading), range: null };
      await deliver(deps, running, combine(nothing, notRequested, { counts: [], modelRefunds: 0 }), read.value);
      return null;
    }
    const analysed = await analyseReading(deps, running, { ...read.value, reading }, { signal, progress });
    if (!analysed.ok) return await giveUp(db, running, analysed);
    progress('model', 95);
    const seen = await queryModelView(deps, running, analysed.value, { ...read.value, startedAt });
    const past = await withSystem(db, async (tx) => ({
      counts: await readViewCounts(tx, deps.config.market),
      modelRefunds: await readModelRefunds(tx, running.userId),
    }));
    const combined = combine(analysed.value, seen, past);
    const isPaid = await deliver(deps, running, combined, read.value);
    if (isPaid) await openFrom(deps, running, combined);
    return null;
  } catch (error) {
    await giveUp(db, running, failWith(createRejection('internal', 'Something failed on our side.')));
    throw error;
  }
}

const refundOfNoChart = ({ candleCount }: NotAChart): string =>
  candleCount === undefined ? refundMessages.notAChart : refundMessages.tooFewCandles(candleCount);

const notRequested: ModelSeen = { view: null, failure: null, fault: 'none' };

function queryModelView(
  { eye }: RunAnalysisDeps,
  { id, userId }: Running,
  analysed: Analysed,
  { picture, startedAt }: { picture: Buffer; startedAt: number },
): Promise<ModelSeen> {
  const leftMs = Math.max(0, startedAt + modelMs.until - performance.now());
  const signal = AbortSignal.timeout(Math.min(modelMs.most, leftMs));
  return eye.query({ analysisId: id, userId, picture, analysed, signal });
}

function createProgress(db: Db, { id, userId }: Running): (step: Step, pct: number) => void {
  let reportedAt = performance.now();
  return (step, pct) => {
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = performance.now();
    // A lost progress event is superseded by the next.
    withSystem(db, (tx) => report(tx, userId, { id, status: 'running', step, pct: Math.round(pct) })).catch(
      () => undefined,
    );
  };
}

async function analyseReading(
  deps: RunAnalysisDeps,
  { userId }: Running,
  { reading, size }: { reading: ChartReading; size: ReadPicture['size'] },
  { signal, progress }: { signal: AbortSignal; progress: (step: Step, pct: number) => void },
): Promise<Outcome<Analysed>> {
  progress('market', READING_PCT);
  const grounding = await groundPicture(deps, reading, { userId, signal });
  if (!grounding.ok) return grounding;
  progress('analysis', 90);
  const preferences = await withUser(deps.db, userId, preferencesOf);
  return analyse(deps, { reading, size }, grounding.value, { userId, preferences, signal });
}

function notAChart(): Analysed['result'] {
  const guess = 'guessed' as const;
  return {
    symbol: null,
    direction: 'NEUTRAL',
    confidence: 0,
    confidence_kind: 'score',
    timeframe: null,
    risk_score: 0,
    sentiment: null,
    levels: { entry: null, sl: null, tp: null },
    liquidation_approx: null,
    patterns: [],
    multi_timeframe: { short: null, medium: null, long: null },
    rationale: 'No candles or price line found in the picture.',
    marks: {
      symbol: guess,
      timeframe: guess,
      candles: guess,
      levels: guess,
      direction: guess,
      confidence: guess,
      risk_score: guess,
      sentiment: guess,
      patterns: guess,
      multi_timeframe: guess,
    },
    grounding: null,
    candles: null,
    spots: [],
    lines: [],
  };
}

/** The hold was released before the analysis ended: its result is stored as refunded. */
class NotPaid extends Error {}

/** Locks the hold first, then the analysis, the order of all features (docs/operations.md). True when the credit was spent. */
async function deliver(
  { db, config }: RunAnalysisDeps,
  running: Running,
  { result, refund, isModelRefund }: Combined,
  { picture }: ReadPicture,
): Promise<boolean> {
  const { id, holdId, userId } = running;
  const whole: VisionResult = { ...result, credit_refunded: refund !== null, refund_message: refund, opening: null };
  const status = refund === null ? 'done' : 'refunded';
  try {
    await withSystem(db, async (tx) => {
      const settled = status === 'done' ? await capture(tx, holdId) : await release(tx, holdId, noteOf(refund ?? ''));
      if (status === 'done' && settled.state !== 'captured') throw new NotPaid();
      const owner = await endAnalysis(tx, id, { status, result: whole, picture });
      if (owner === undefined) throw new NotPaid();
      if (isModelRefund) await countModelRefund(tx, userId);
      await keepViews(tx, { analysisId: id, userId, market: config.market }, whole);
      await report(tx, userId, { id, status, step: null, pct: 100 });
    });
    return status === 'done';
  } catch (error) {
    if (!(error instanceof NotPaid)) throw error;
    await giveUp(db, running, failWith(createRejection('deadline_exceeded', 'It took too long.')));
    return false;
  }
}

/** The note of the ledger, without the sentence about the credit. */
const noteOf = (refund: string): string => `chart analysis: ${refund.split('. ')[0] ?? refund}`.slice(0, 200);

/** Temporary failures: the same idempotency key starts a new analysis. */
const temporaryCodes: ReadonlySet<string> = new Set(['overloaded', 'deadline_exceeded']);

async function giveUp(db: Db, { id, holdId, userId }: Running, rejection: Outcome<never>): Promise<Outcome<never>> {
  const { message, code } = rejection.ok ? { message: messages.failed, code: undefined } : rejection.error;
  await withSystem(db, async (tx) => {
    await release(tx, holdId, 'chart analysis failed');
    if (code !== undefined && temporaryCodes.has(code)) await forgetKeyOf(tx, { userId, route: ROUTE }, id);
    await fail(tx, id, `${messages.failed}. ${message}`);
  });
  return rejection;
}

async function fail(tx: SystemTx, id: string, failure: string): Promise<void> {
  const owner = await endAnalysis(tx, id, { status: 'failed', failure });
  if (owner !== undefined) await report(tx, owner, { id, status: 'failed', step: null, pct: 100 });
}

/** For the deletion of the account: the hold is already released, so only the analysis has to end. */
export const stopAnalysis = (tx: SystemTx, id: string): Promise<void> =>
  fail(tx, id, `${messages.failed}. The account is being deleted. Your credit was returned.`);

/** For the sweep of the ledger: the hold is already released, so only the analysis has to end. */
export const expireAnalysis = (tx: SystemTx, id: string): Promise<void> =>
  fail(tx, id, `${messages.failed}. It took too long. Your credit was returned.`);

/** The response from the stored analysis. Waits for an analysis that another request runs. */
async function responseOf(
  db: Db,
  userId: string,
  id: string,
): Promise<Outcome<{ analysis: VisionAnalysis; credits: number }>> {
  const untilMs = performance.now() + waitMs.most;
  for (;;) {
    const { stored, credits } = await withSystem(db, async (tx) => ({
      stored: await readAnalysis(tx, id),
      credits: await tx.selectFrom('balances').select('credits').where('user_id', '=', userId).executeTakeFirst(),
    }));
    if (stored === null) return failWith(createRejection('not_found', 'This analysis was deleted.'));
    if (stored.status === 'failed')
      return failWith(createRejection('upstream_unavailable', stored.failure ?? messages.failed));
    if (stored.analysis !== null) return ok({ analysis: stored.analysis, credits: credits?.credits ?? 0 });
    if (performance.now() >= untilMs)
      return failWith(createRejection('deadline_exceeded', `${messages.failed}. It is still running.`));
    await pause(waitMs.step);
  }
}
