import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { IMAGE_BYTES_MAX, IMAGE_MIB_MAX } from '@sextant/workers/src/core/limits.ts';
import type { FastifyRequest, FastifyReply } from 'fastify';
import { ok } from '@sextant/workers/src/core/result.ts';
import { withSystem, withUser, type Db } from '../../platform/db/scope.ts';
import { apiErrors, type Outcome, reject } from '../../platform/errors.ts';
import type { MarketMode } from '../../config.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { createPublicLimit } from '../../platform/limits/publicLimit.ts';
import {
  PictureBytes,
  type Profile,
  ProfileResponse,
  PublicProfileResponse,
  ProfileRequest,
  UsernameParams,
  FILE_BYTES_MAX,
  FileParams,
  FILES_MAX,
  sandboxed,
} from './contract.ts';
import { type FileKind, findServedFile, deleteFileRow, insertFile, listFiles, lockUsage } from './fileRepository.ts';
import { admitImage } from '../../platform/images/admitImage.ts';
import { parsePictures, pictureTypes } from '../../platform/images/parsePictures.ts';
import { findPublicProfile, readProfile, saveProfile, setPicture, usedPaths } from './repository.ts';
import { credentialsOf } from '../../platform/auth/requireUser.ts';
import { sendStream } from '../../platform/http/sendStream.ts';
import type { AuthProvider } from '../auth/provider.ts';
import type { FileStore } from './files/port.ts';
import type { Frame, Reencode } from '../../platform/images/reencode.ts';

interface PictureDeps {
  db: Db;
  files: FileStore;
  reencode: Reencode;
  nowMs: () => number;
}

/** Large enough for a high-resolution screen at the displayed size. */
const frames: Record<FileKind, Frame> = {
  avatar: { width: 512, height: 512 },
  cover: { width: 1500, height: 500 },
};

const fileUrl = (id: string): string => `/api/files/${id}`;

/** Deletes pictures that the profile no longer shows: the bytes first, then the row that references them. */
async function tidy({ db, files }: PictureDeps, userId: string): Promise<void> {
  const left = await withUser(db, userId, async (tx) => {
    const used = await usedPaths(tx);
    return (await listFiles(tx)).filter(({ path }) => !used.has(path));
  });
  for (const { id, path } of left) {
    await files.remove(path);
    await withUser(db, userId, (tx) => deleteFileRow(tx, id));
  }
}

/** What cannot be deleted now counts towards the quota and is tried again with the next picture. */
const tidyIfPossible = (deps: PictureDeps, userId: string): Promise<void> => tidy(deps, userId).catch(() => undefined);

/** Checks, re-encodes, stores and shows a picture. The previous one is deleted. */
async function storePicture(
  deps: PictureDeps,
  userId: string,
  kind: FileKind,
  upload: Buffer,
): Promise<Outcome<Profile>> {
  const admitted = admitImage(upload);
  if (!admitted.ok) return admitted;
  const encoded = await deps.reencode(upload, frames[kind]);
  if (!encoded.ok) return encoded;
  const { bytes, width, height } = encoded.value;
  const path = `${userId}/${deps.nowMs()}.webp`;
  const written = await deps.files.write(path, bytes);
  if (!written.ok) return written;
  try {
    const outcome = await withUser(deps.db, userId, async (tx): Promise<Outcome<Profile>> => {
      const { fileCount, byteCount } = await lockUsage(tx);
      if (fileCount >= FILES_MAX || byteCount + bytes.length > FILE_BYTES_MAX) return reject('quota_exceeded');
      const id = await insertFile(tx, userId, { kind, path, byteCount: bytes.length, width, height });
      return ok(await setPicture(tx, kind, fileUrl(id), path));
    });
    if (!outcome.ok) await deps.files.remove(path);
    await tidyIfPossible(deps, userId);
    return outcome;
  } catch (error) {
    await deps.files.remove(path).catch(() => undefined);
    throw error;
  }
}

/** Removes the picture from the profile and deletes its file. */
async function removePicture(deps: PictureDeps, userId: string, kind: FileKind): Promise<Profile> {
  const profile = await withUser(deps.db, userId, (tx) => setPicture(tx, kind, null, null));
  await tidyIfPossible(deps, userId);
  return profile;
}

export interface ProfileDeps extends PictureDeps, FileRouteDeps {
  limiter: RateLimiter;
  /** Stats are of positions on this market. */
  config: { market: MarketMode };
}

const tags = ['Account'];
/** Public profiles one client may look up in a minute: enough for manual use, too few to enumerate names. */
const lookUpsMax = 60;
/** Pictures one user may upload in an hour. */
const uploads = { hitMax: 60, windowS: 3600 };

function ownProfileRoutes(app: App, { db }: ProfileDeps): void {
  app.get(
    '/api/profile',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Your profile',
        response: { 200: ProfileResponse, ...problems('not_authenticated') },
      },
    },
    async (request) => {
      const { id } = request.user;
      return withUser(db, id, async (tx) => (await readProfile(tx)) ?? saveProfile(tx, id, {}));
    },
  );
  app.put(
    '/api/profile',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Update your display name and bio',
        body: ProfileRequest,
        response: { 200: ProfileResponse, ...problems(...bodyRejections, 'not_authenticated') },
      },
    },
    async (request) => {
      const { id } = request.user;
      return withUser(db, id, (tx) => saveProfile(tx, id, request.body));
    },
  );
}

/** Counted before the body is read. */
const admitUpload =
  (limiter: RateLimiter) =>
  ({ user }: FastifyRequest): Promise<void> =>
    countHit(limiter, { key: `upload:${user.id}`, ...uploads }, 'Too many pictures. Try again later.');

/** The body is the picture; Fastify limits its size by the announced length and while it streams. */
function pictureRoutes(app: App, kind: FileKind, deps: ProfileDeps): void {
  const url = `/api/profile/${kind}`;
  app.put(
    url,
    {
      onRequest: [app.requireUser, admitUpload(deps.limiter)],
      bodyLimit: IMAGE_BYTES_MAX,
      schema: {
        access: 'session',
        tags,
        summary: `Set your ${kind} picture: the body is a PNG, JPEG or WebP file of at most ${IMAGE_MIB_MAX} MiB`,
        consumes: [...pictureTypes],
        body: PictureBytes,
        response: {
          200: ProfileResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'image_refused', 'quota_exceeded', 'rate_limited'),
          ...problems('overloaded', 'storage_full'),
        },
      },
    },
    async (request, reply) => {
      const body: unknown = request.body;
      const outcome = await storePicture(deps, request.user.id, kind, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.delete(
    url,
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: `Remove your ${kind} picture`,
        response: { 200: ProfileResponse, ...problems('not_authenticated', 'origin_refused') },
      },
    },
    (request): Promise<Profile> => removePicture(deps, request.user.id, kind),
  );
}

function publicProfileRoute(app: App, { db, config }: ProfileDeps): void {
  const limit = createPublicLimit({ hitMax: lookUpsMax, windowMs: MINUTE_MS, now: Date.now });
  app.get(
    '/api/profiles/:username',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'A public profile',
        params: UsernameParams,
        response: { 200: PublicProfileResponse, ...problems('validation_failed', 'not_found', 'rate_limited') },
      },
    },
    async (request, reply) => {
      const retryAfterS = limit.hit(clientKey(request.ip));
      if (retryAfterS !== undefined) {
        return sendProblem(reply, { code: 'rate_limited', message: apiErrors.rate_limited.title, retryAfterS });
      }
      const profile = await withSystem(db, (tx) => findPublicProfile(tx, request.params.username, config.market));
      return profile ?? sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
    },
  );
}

export async function profileRoutes(app: App, deps: ProfileDeps): Promise<void> {
  ownProfileRoutes(app, deps);
  publicProfileRoute(app, deps);
  fileRoute(app, deps);
  // In a separate scope: only these routes parse pictures.
  await app.register((scope: App, _options, done) => {
    parsePictures(scope);
    for (const kind of ['avatar', 'cover'] as const) pictureRoutes(scope, kind, deps);
    done();
  });
}

interface FileRouteDeps {
  db: Db;
  files: FileStore;
  auth: AuthProvider;
}

/** How long a viewer's browser caches a picture. Shared caches do not, as they would serve pictures that are hidden by now. */
const cacheS = 3600;

/** Headers that restrict any bytes to an image: no script, no type sniffing, no embedding. */
function sendFileHeaders(reply: FastifyReply): void {
  void reply
    .header('cache-control', `private, max-age=${cacheS}`)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', sandboxed)
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-disposition', 'attachment; filename="picture.webp"');
}

const nothing = (reply: FastifyReply): FastifyReply =>
  sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });

/** Stored files, for their owner, and for all users while the owner's profile is public. */
function fileRoute(app: App, { db, files, auth }: FileRouteDeps): void {
  app.get(
    '/api/files/:id',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags: ['Account'],
        summary: 'Read a profile picture: your own, or that of a public profile',
        params: FileParams,
        response: {
          200: { description: 'The picture.', content: { 'image/webp': { schema: PictureBytes } } },
          ...problems('validation_failed', 'not_found', 'storage_unavailable'),
        },
      },
    },
    async (request, reply) => {
      const file = await withSystem(db, (tx) => findServedFile(tx, request.params.id));
      if (file === undefined) return nothing(reply);
      if (!file.isPublic) {
        const session = await auth.getSession(credentialsOf(request));
        if (session?.account.id !== file.userId) return nothing(reply);
      }
      const bytes = await files.read(file.path);
      if (bytes === null) return nothing(reply);
      sendFileHeaders(reply);
      void reply.type(file.mediaType).header('content-length', file.byteCount);
      return sendStream(reply, bytes);
    },
  );
}
