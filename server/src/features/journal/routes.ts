import { IMAGE_BYTES_MAX, IMAGE_MIB_MAX } from '@sextant/workers/src/core/limits.ts';
import { JOURNAL_PICTURE_BYTES_MAX, JOURNAL_PICTURE_SIDE_MAX } from '@sextant/workers/src/core/journal.ts';
import type { MarketMode } from '../../config.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { apiErrors, type Outcome, reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { admitImage } from '../../platform/images/admitImage.ts';
import { parsePictures, pictureTypes } from '../../platform/images/parsePictures.ts';
import type { ImageHeader } from '../../platform/images/imageHeader.ts';
import type { Frame, Reencode } from '../../platform/images/reencode.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { readTrades } from '../positions/readAnalytics.ts';
import { readPosition } from '../positions/readPositions.ts';
import { PictureBytes, sandboxed } from '../profile/contract.ts';
import {
  type JournalEntryWire,
  JournalPath,
  JournalRequest,
  JournalResponse,
  JournalStatisticsQuery,
  JournalStatisticsResponse,
} from './contract.ts';
import {
  deletePicture,
  readEntry,
  readJournalPicture,
  readTags,
  writeEntry,
  writePicture,
} from './journalRepository.ts';
import { journalStatistics } from './statistics.ts';

interface JournalDeps {
  db: Db;
  reencode: Reencode;
  limiter: RateLimiter;
  /** Statistics are of positions on this market. */
  config: { market: MarketMode };
}

const tags = ['Positions'];
const signedIn = problems('not_authenticated', 'database_unavailable');
/** Pictures one user may store in an hour. */
const uploads = { hitMax: 120, windowS: 3600 };

/** The whole picture, no larger than may be stored: nothing is cropped. */
function frameOf({ width, height }: ImageHeader): Frame {
  const scale = Math.min(1, JOURNAL_PICTURE_SIDE_MAX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function storePicture(
  { db, reencode }: JournalDeps,
  userId: string,
  id: string,
  upload: Buffer,
): Promise<Outcome<JournalEntryWire>> {
  // Before anything is decoded.
  const known = await withUser(db, userId, (tx) => readPosition(tx, id));
  if (known === undefined) return reject('not_found', 'There is no such position.');
  const admitted = admitImage(upload);
  if (!admitted.ok) return admitted;
  const encoded = await reencode(upload, frameOf(admitted.value));
  if (!encoded.ok) return encoded;
  const picture = encoded.value;
  if (picture.bytes.length > JOURNAL_PICTURE_BYTES_MAX)
    return reject('image_refused', `The picture is above ${JOURNAL_PICTURE_BYTES_MAX / 1024} KiB. Send a smaller one.`);
  return withUser(db, userId, (tx) => writePicture(tx, userId, id, picture));
}

const entryRejections = { ...signedIn, ...problems(...bodyRejections, 'not_found') };

export async function journalRoutes(app: App, deps: JournalDeps): Promise<void> {
  app.addHook('onRequest', app.requireUser);
  statisticsRoute(app, deps);
  entryRoutes(app, deps);
  pictureRoutes(app, deps);
  // In a separate scope: only this route parses pictures.
  await app.register((scope: App, _options, done) => {
    parsePictures(scope);
    uploadRoute(scope, deps);
    done();
  });
}

function statisticsRoute(app: App, { db, config: { market } }: JournalDeps): void {
  app.get(
    '/api/journal/statistics',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read your closed positions by day, hour, tag, symbol and setup',
        querystring: JournalStatisticsQuery,
        response: { 200: JournalStatisticsResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    ({ user, query: { zone } }) =>
      withUser(db, user.id, async (tx) =>
        journalStatistics(await readTrades(tx, market, new Date(0)), await readTags(tx), {
          zone,
          nowMs: Date.now(),
        }),
      ),
  );
}

function entryRoutes(app: App, { db }: JournalDeps): void {
  app.get(
    '/api/journal/:id',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read your note, tags and picture of a position',
        params: JournalPath,
        response: { 200: JournalResponse, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const entry = await withUser(db, user.id, (tx) => readEntry(tx, id));
      if (entry === undefined) return sendProblem(reply, { code: 'not_found', message: 'There is no such position.' });
      return { entry };
    },
  );
  app.put(
    '/api/journal/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Write your note and tags of a position',
        params: JournalPath,
        body: JournalRequest,
        response: { 200: JournalResponse, ...entryRejections, ...problems('conflict') },
      },
    },
    async ({ user, params: { id }, body }, reply) => {
      const written = await withUser(db, user.id, (tx) => writeEntry(tx, user.id, id, body));
      return written.ok ? { entry: written.value } : sendProblem(reply, written.error);
    },
  );
}

function pictureRoutes(app: App, { db }: JournalDeps): void {
  app.get(
    '/api/journal/:id/picture',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read the picture of a position in your journal',
        params: JournalPath,
        response: {
          200: { description: 'The picture.', content: { 'image/webp': { schema: PictureBytes } } },
          ...signedIn,
          ...problems('validation_failed', 'not_found'),
        },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const bytes = await withUser(db, user.id, (tx) => readJournalPicture(tx, id));
      if (bytes === null) return sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
      // The address of a replaced picture differs by its time, so that it may be cached.
      return reply
        .header('cache-control', 'private, max-age=3600')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', sandboxed)
        .header('cross-origin-resource-policy', 'same-origin')
        .type('image/webp')
        .send(bytes);
    },
  );
  app.delete(
    '/api/journal/:id/picture',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Remove the picture of a position from your journal',
        params: JournalPath,
        response: { 200: JournalResponse, ...entryRejections },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const removed = await withUser(db, user.id, (tx) => deletePicture(tx, user.id, id));
      return removed.ok ? { entry: removed.value } : sendProblem(reply, removed.error);
    },
  );
}

/** The body is the picture; Fastify limits its size by the announced length and while it streams. */
function uploadRoute(app: App, deps: JournalDeps): void {
  app.put(
    '/api/journal/:id/picture',
    {
      onRequest: ({ user }) =>
        countHit(deps.limiter, { key: `journal:${user.id}`, ...uploads }, 'Too many pictures. Try again later.'),
      bodyLimit: IMAGE_BYTES_MAX,
      schema: {
        access: 'session',
        tags,
        summary: `Add a picture to a position: the body is a PNG, JPEG or WebP file of at most ${IMAGE_MIB_MAX} MiB`,
        params: JournalPath,
        consumes: [...pictureTypes],
        body: PictureBytes,
        response: {
          200: JournalResponse,
          ...entryRejections,
          ...problems('image_refused', 'quota_exceeded', 'rate_limited', 'overloaded'),
        },
      },
    },
    async ({ user, params: { id }, body }, reply) => {
      const stored = await storePicture(deps, user.id, id, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      return stored.ok ? { entry: stored.value } : sendProblem(reply, stored.error);
    },
  );
}
