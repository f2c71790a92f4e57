import type { FastifyRequest } from 'fastify';
import { withSystem, withUser } from '../../platform/db/scope.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../platform/http/problem.ts';
import { refusalError } from '../../platform/http/refusalError.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { createPublicLimit } from '../market/publicLimit.ts';
import { PictureBytes, pictureTypes, type Profile, ProfileAnswer, ProfileRequest, UsernameParams } from './contract.ts';
import type { FileKind } from './fileRepository.ts';
import { fileRoute, type FileRouteDeps } from './fileRoute.ts';
import { IMAGE_BYTES_MAX } from './files/image/admitImage.ts';
import { type PictureDeps, removePicture, storePicture } from './pictures.ts';
import { findPublicProfile, readProfile, saveProfile } from './repository.ts';

export interface ProfileDeps extends PictureDeps, FileRouteDeps {
  limiter: RateLimiter;
}

const tags = ['Account'];
const minuteMs = 60_000;
/** Public profiles one client may look up in a minute: enough for people, too few to try names through. */
const lookUpsMax = 60;
/** Pictures one person may send in an hour. */
const uploads = { hitMax: 60, windowS: 3600 };

function ownProfileRoutes(app: App, { db }: ProfileDeps): void {
  app.get(
    '/api/profile',
    {
      onRequest: app.requireUser,
      schema: { tags, summary: 'Your profile', response: { 200: ProfileAnswer, ...problems('not_authenticated') } },
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
        tags,
        summary: 'Change your display name and bio',
        body: ProfileRequest,
        response: { 200: ProfileAnswer, ...problems(...bodyRefusals, 'not_authenticated') },
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

/** Pictures come as the body itself, which Fastify cuts at the limit: by its announced length, or while it streams. */
function pictureRoutes(app: App, kind: FileKind, deps: ProfileDeps): void {
  const url = `/api/profile/${kind}`;
  app.put(
    url,
    {
      onRequest: [app.requireUser, admitUpload(deps.limiter)],
      bodyLimit: IMAGE_BYTES_MAX,
      schema: {
        tags,
        summary: `Set your ${kind} picture: the body is a PNG, JPEG or WebP file of at most 2 MiB`,
        consumes: [...pictureTypes],
        body: PictureBytes,
        response: {
          200: ProfileAnswer,
          ...problems(...bodyRefusals, 'not_authenticated', 'image_refused', 'quota_exceeded', 'rate_limited'),
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
        tags,
        summary: `Remove your ${kind} picture`,
        response: { 200: ProfileAnswer, ...problems('not_authenticated', 'origin_refused') },
      },
    },
    (request): Promise<Profile> => removePicture(deps, request.user.id, kind),
  );
}

function publicProfileRoute(app: App, { db }: ProfileDeps): void {
  const limit = createPublicLimit({ hitMax: lookUpsMax, windowMs: minuteMs, now: Date.now });
  app.get(
    '/api/profiles/:username',
    {
      schema: {
        tags,
        summary: 'The profile of somebody who made it public',
        params: UsernameParams,
        response: { 200: ProfileAnswer, ...problems('validation_failed', 'not_found', 'rate_limited') },
      },
    },
    async (request, reply) => {
      const retryAfterS = limit.hit(clientKey(request.ip));
      if (retryAfterS !== undefined) {
        return sendProblem(reply, { code: 'rate_limited', message: apiErrors.rate_limited.title, retryAfterS });
      }
      const profile = await withSystem(db, (tx) => findPublicProfile(tx, request.params.username));
      return profile ?? sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
    },
  );
}

export async function profileRoutes(app: App, deps: ProfileDeps): Promise<void> {
  ownProfileRoutes(app, deps);
  publicProfileRoute(app, deps);
  fileRoute(app, deps);
  // In a scope of its own: only these routes read pictures.
  await app.register((scope: App, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...pictureTypes], { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.addContentTypeParser('*', (_request, _payload, parsed) =>
      parsed(refusalError('unsupported_media_type', `Send ${pictureTypes.slice(0, 3).join(', ')}.`)),
    );
    for (const kind of ['avatar', 'cover'] as const) pictureRoutes(scope, kind, deps);
    done();
  });
}
