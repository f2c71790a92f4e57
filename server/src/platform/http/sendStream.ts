import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Streams bytes without a schema; a slow reader does not fill the memory. The caller sets the headers. */
export const sendStream = (reply: FastifyReply, bytes: Readable): FastifyReply => reply.send(bytes);
