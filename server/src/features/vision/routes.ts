import type { FastifyReply } from 'fastify';
import { creditPrices, creditsText } from '@sextant/workers/src/core/creditPrices.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import type { Config, MarketMode } from '../../config.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import { apiErrors, type Outcome, reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';
import { IMAGE_BYTES_MAX, IMAGE_MIB_MAX } from '@sextant/workers/src/core/limits.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { noteSpending } from '../apiKeys/apiAccess.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import type { OpenDeps } from '../positions/openPosition.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import type { AiCheckDeps } from '../aicheck/runAiCheck.ts';
import { createPatternRecords } from './patternRecords.ts';
import { PictureBytes } from '../profile/contract.ts';
import {
  AnalysisId,
  LastVisionResponse,
  PatternRecordQuery,
  PatternRecordResponse,
  PictureForm,
  VisionResponse,
  VisionStatistics,
} from './contract.ts';
import { recordWire } from './decideView.ts';
import { createModelEye, type ModelEye } from './modelView.ts';
import { patternRecordToWire } from './replay/patternRecordToWire.ts';
import { readSeriesRecords } from './replay/patternRepository.ts';
import { runAnalysis, type RunAnalysisDeps } from './runAnalysis.ts';
import { installationOf, statisticsOf } from './statistics.ts';
import { readFollowed, readViewCounts } from './viewRecords.ts';
import { readLast, readOutcomes, readPicture } from './visionRepository.ts';

export interface VisionDeps extends OpenDeps, Pick<RunAnalysisDeps, 'engine' | 'confidences' | 'readChart'> {
  db: Db;
  config: Config;
  /** The world that stored candles belong to. */
  historySource: string;
  limiter: RateLimiter;
  aiCheck: Omit<AiCheckDeps, 'db'>;
  now?: () => number;
}

const tags = ['Vision'];
const signedIn = problems('not_authenticated', 'database_unavailable');
/** Uploads per user and hour, including refunded ones: each takes seconds of a core. */
const uploads = { hitMax: 60, windowS: 3600 };
/** Allows for the multipart framing around the picture. */
const FORM_BYTES = 16 * 1024;

export async function visionRoutes(app: App, deps: VisionDeps): Promise<void> {
  app.addHook('onRequest', app.requireUser);
  const eye = createModelEye({ db: deps.db, ...deps.aiCheck, now: deps.now ?? Date.now });
  readingRoutes(app, deps, eye);
  patternRoute(app, deps);
  await app.register((scope: App, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.addContentTypeParser('*', (_request, _payload, parsed) =>
      parsed(rejectionError('unsupported_media_type', 'Send multipart/form-data with the picture in the field image.')),
    );
    analyzeRoute(scope, deps, eye);
    done();
  });
}

function analyzeRoute(app: App, deps: VisionDeps, eye: ModelEye): void {
  const { now = Date.now, market, engine } = deps;
  const run = { ...deps, eye, now, records: createPatternRecords({ market, engine, now }) };
  app.post(
    '/api/vision/analyze',
    {
      // Counted before the body is read.
      onRequest: ({ user }) =>
        countHit(deps.limiter, { key: `vision:${user.id}`, ...uploads }, 'Too many charts. Try again later.'),
      bodyLimit: IMAGE_BYTES_MAX + FORM_BYTES,
      schema: {
        access: 'run:signals',
        sandbox: 'none',
        tags,
        summary: `Read a picture of a chart and find its market (${creditsText(creditPrices.vision)} for a usable result)`,
        description:
          `The picture goes into the field \`image\` of a form: PNG, JPEG or WebP, at most ${IMAGE_MIB_MAX} MiB. One at a time ` +
          'for each user. The credit is reserved and returned, with `refund_message`, when the picture is no chart or ' +
          'the result is neutral or has no valid levels. While it runs, the event `vision` carries `analysis_id`, `status`, ' +
          '`step` and `pct`.',
        consumes: ['multipart/form-data'],
        headers: IdempotencyHeaders,
        body: PictureForm,
        response: {
          200: VisionResponse,
          ...signedIn,
          ...problems(...bodyRejections, 'insufficient_credits', 'key_cap_reached', 'conflict', 'not_found'),
          ...problems('image_refused', 'rate_limited', 'overloaded', 'upstream_unavailable', 'deadline_exceeded'),
          ...problems('too_few_candles', 'symbol_unknown', 'internal'),
        },
      },
    },
    async (request, reply) => {
      const picture = await pictureOf(request.body, request.headers['content-type']);
      if (!picture.ok) return sendProblem(reply, picture.error);
      const onOpenFailure = (error: unknown) => request.log.error({ err: error }, 'a position was not stored');
      const key = request.headers['idempotency-key'];
      const outcome = await runAnalysis({ ...run, onOpenFailure }, request.user, picture.value, key);
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      const { isReplay, analysis, credits } = outcome.value;
      if (isReplay) void reply.header('idempotent-replayed', 'true');
      else if (!analysis.credit_refunded) noteSpending(request, creditPrices.vision);
      return { analysis, credits };
    },
  );
}

/** The file in the field `image`. Its declared name and type are ignored. */
async function pictureOf(body: unknown, contentType: string | undefined): Promise<Outcome<Buffer>> {
  const field = { field: 'image' };
  if (!Buffer.isBuffer(body)) return reject('validation_failed', 'image: is missing', field);
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType ?? '' },
    }).formData();
    const files = form.getAll('image');
    const [file] = files;
    if (files.length !== 1 || file === undefined || typeof file === 'string')
      return reject('validation_failed', 'image: must be one file', field);
    return ok(Buffer.from(await file.arrayBuffer()));
  } catch {
    return reject('validation_failed', 'The form is unreadable.', field);
  }
}

function readingRoutes(app: App, { db, config }: VisionDeps, eye: ModelEye): void {
  app.get(
    '/api/vision/last',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read your last chart analysis',
        response: { 200: LastVisionResponse, ...signedIn },
      },
    },
    ({ user }) =>
      withUser(db, user.id, async (tx) => {
        const { analysis, isRunning } = await readLast(tx);
        const { auto_open_enabled: isOn } = await preferencesOf(tx);
        return { analysis, is_running: isRunning, auto_open: isOn, detection: eye.detection() };
      }),
  );
  app.get(
    '/api/vision/statistics',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read results of your chart positions by pattern and sentiment',
        response: { 200: VisionStatistics, ...signedIn },
      },
    },
    ({ user }) => readStatistics(db, user.id, config.market),
  );
  app.get(
    '/api/vision/pictures/:id',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read the re-encoded picture of your last chart analysis',
        params: AnalysisId,
        response: {
          200: { description: 'The picture.', content: { 'image/webp': { schema: PictureBytes } } },
          ...signedIn,
          ...problems('validation_failed', 'not_found'),
        },
      },
    },
    async ({ user, params: { id } }, reply): Promise<FastifyReply> => {
      const bytes = await withUser(db, user.id, (tx) => readPicture(tx, id));
      if (bytes === null) return sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
      return sendPicture(reply, bytes);
    },
  );
}

function patternRoute(app: App, { db, historySource }: VisionDeps): void {
  app.get(
    '/api/vision/patterns',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read what followed each chart pattern on stored candles, by symbol and interval',
        description: 'Replayed in the background, with the interval of each share and the baseline of all candles.',
        querystring: PatternRecordQuery,
        response: { 200: PatternRecordResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    async ({ query: { symbol, interval } }) => {
      const series = { source: historySource, interval, symbol: symbol ?? null };
      const rows = await withSystem(db, (tx) => readSeriesRecords(tx, series));
      return patternRecordToWire(rows, interval, series.symbol);
    },
  );
}

/** The user's own outcomes, and counts of the installation. */
async function readStatistics(db: Db, userId: string, market: MarketMode): Promise<z.input<typeof VisionStatistics>> {
  const all = await withSystem(db, async (tx) => ({
    views: await readViewCounts(tx, market),
    followed: await readFollowed(tx, market),
  }));
  const own = await withUser(db, userId, readOutcomes);
  return { ...statisticsOf(own), records: all.views.map(recordWire), installation: installationOf(all.followed) };
}

/** Headers that restrict any bytes to an image. */
function sendPicture(reply: FastifyReply, bytes: Buffer): FastifyReply {
  return reply
    .header('cache-control', 'private, max-age=3600')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; object-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .type('image/webp')
    .send(bytes);
}
