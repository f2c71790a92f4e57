import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { withUser } from '../../platform/db/scope.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { holdSlot } from '../../platform/http/holdSlot.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import { sendStream } from '../../platform/http/sendStream.ts';
import { createSlots } from '../../platform/limits/slots.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { DeletionResponse, DeletionRequest, ExportResponse, PrivacyResponse, PrivacyRequest } from './contract.ts';
import { PictureBytes, sandboxed } from '../profile/contract.ts';
import {
  scheduleDeletion,
  currentDeletion,
  type DeletionDeps,
  type DeletionRequestDeps,
  keepAccount,
} from './deletion.ts';
import { limitEmailedChanges } from '../auth/signInLimits.ts';
import { endFollowers } from '../community/followers.ts';
import { exportData } from './exportData.ts';
import { readPrivacy, savePrivacy } from './privacyRepository.ts';

export interface AccountDeps extends Omit<DeletionDeps, 'graceDays' | 'forgetSessions'> {
  limiter: RateLimiter;
  deletion: DeletionRequestDeps;
}

const tags = ['Account'];
const fileName = /^\d{13}\.webp$/;
const webpFile = { description: 'The file.', content: { 'image/webp': { schema: PictureBytes } } };
/** An export reads every table of the user, so it is limited to spare the database. */
const exports = { hitMax: 10, windowS: 3600 };
/** A page of an export can have a hundred megabytes of text. */
const exportSlots = { slotCount: 8, perKey: 1, queueMaxPerKey: 1, waitMsMax: 5000 };

function privacyRoutes(app: App, { db }: AccountDeps): void {
  app.get(
    '/api/account/privacy',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'What you allow',
        response: { 200: PrivacyResponse, ...problems('not_authenticated') },
      },
    },
    (request) => withUser(db, request.user.id, readPrivacy),
  );
  app.put(
    '/api/account/privacy',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Update your privacy settings',
        body: PrivacyRequest,
        response: { 200: PrivacyResponse, ...problems(...bodyRejections, 'not_authenticated') },
      },
    },
    async (request) => {
      const { id } = request.user;
      const saved = await withUser(db, id, (tx) => savePrivacy(tx, id, request.body));
      if (!saved.allow_follow) await endFollowers(db, id);
      return saved;
    },
  );
}

const admitExport =
  (limiter: RateLimiter) =>
  ({ user }: FastifyRequest): Promise<void> =>
    countHit(limiter, { key: `export:${user.id}`, ...exports }, `At most ${exports.hitMax} exports an hour.`);

function exportRoutes(app: App, deps: AccountDeps): void {
  const slots = createSlots(exportSlots);
  const hold = (request: FastifyRequest, reply: FastifyReply) => holdSlot(slots, request.user.id, reply);
  app.get(
    '/api/account/export',
    {
      onRequest: [app.requireUser, admitExport(deps.limiter), hold],
      schema: {
        access: 'session',
        tags,
        summary: 'Export all your data as one JSON document',
        response: { 200: ExportResponse, ...problems('not_authenticated', 'rate_limited', 'overloaded') },
      },
    },
    async (request, reply) => {
      const at = new Date();
      const name = `sextant-export-${at.toISOString().slice(0, 10)}.json`;
      void reply.type('application/json').header('content-disposition', `attachment; filename="${name}"`);
      // Streamed row by row, so that a slow client does not hold rows in memory.
      return sendStream(reply, Readable.from(exportData(deps, request.user, at)));
    },
  );
  app.get(
    '/api/account/export/files/:name',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Download one of your files',
        params: z.object({ name: Text.max(100) }),
        response: {
          200: webpFile,
          ...problems('validation_failed', 'not_authenticated', 'not_found', 'storage_unavailable'),
        },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      // A malformed name gets the same 404 as a missing file.
      const bytes = fileName.test(name) ? await deps.files.read(`${request.user.id}/${name}`) : null;
      if (bytes === null) return sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
      void reply.header('content-disposition', `attachment; filename="${name}"`);
      void reply.header('content-security-policy', sandboxed).type('image/webp');
      return sendStream(reply, bytes);
    },
  );
}

function deletionRoutes(app: App, { deletion, limiter }: AccountDeps): void {
  app.get(
    '/api/account/deletion',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Read the deletion status of your account',
        response: { 200: DeletionResponse, ...problems('not_authenticated') },
      },
    },
    (request) => currentDeletion(deletion, request.user),
  );
  app.post(
    '/api/account/deletion',
    {
      onRequest: [app.requireFresh, limitEmailedChanges(limiter)],
      schema: {
        access: 'session',
        tags,
        summary: 'Delete your account after the grace period; every session and API key ends at once',
        body: DeletionRequest,
        response: {
          200: DeletionResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'forbidden', 'step_up_required', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const outcome = await scheduleDeletion(deletion, request.user, request.body.email);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.delete(
    '/api/account/deletion',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Cancel the deletion of your account',
        response: { 200: DeletionResponse, ...problems('not_authenticated', 'origin_refused', 'conflict') },
      },
    },
    async (request, reply) => {
      const outcome = await keepAccount(deletion, request.user);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}

export function accountRoutes(app: App, deps: AccountDeps): void {
  privacyRoutes(app, deps);
  exportRoutes(app, deps);
  deletionRoutes(app, deps);
}
