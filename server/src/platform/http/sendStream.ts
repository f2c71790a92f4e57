import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Sends bytes as they come: no schema looks at them, and a slow reader fills no memory. Headers are the caller's. */
export const sendStream = (reply: FastifyReply, bytes: Readable): FastifyReply => reply.send(bytes);
