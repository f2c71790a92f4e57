import type { FastifyReply } from 'fastify';
import { credentialsOf } from '../../platform/auth/requireUser.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import { sendStream } from '../../platform/http/sendStream.ts';
import type { AuthProvider } from '../auth/provider.ts';
import { FileParams, PictureBytes, sandboxed } from './contract.ts';
import { findServedFile } from './fileRepository.ts';
import type { FileStore } from './files/port.ts';

export interface FileRouteDeps {
  db: Db;
  files: FileStore;
  auth: AuthProvider;
}

/** How long the browser of a viewer keeps a picture. No shared cache does: it would give out a picture that is hidden by now. */
const cacheS = 3600;

/** A picture and nothing else, whatever its bytes: no script runs in it, no type is guessed, no page can be made of it. */
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

/** Files of the storage, for their owner, and for everybody while the owner's profile is public. */
export function fileRoute(app: App, { db, files, auth }: FileRouteDeps): void {
  app.get(
    '/api/files/:id',
    {
      schema: {
        tags: ['Account'],
        summary: 'A picture of a profile, for its owner, or for everybody while the profile is public',
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
