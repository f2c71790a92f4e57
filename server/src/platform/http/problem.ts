import type { FastifyReply, FastifySchema } from 'fastify';
import { z } from 'zod';
import { type ApiErrorCode, apiErrors, type Rejection } from '../errors.ts';
import type { App } from './app.ts';
import { problemBody, problemMediaType } from './problemBody.ts';

/**
 * The error body of the API (RFC 9457 plus `code`). `error` and `message` repeat `code` and `detail` under the names of the
 * product specification.
 */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'The code as a URI.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: 'Stable; see docs/errors.md.' }),
    message: z.string(),
    error: z.string(),
    request_id: z.string(),
    field: z.string().optional().meta({ description: 'The input to change, e.g. `params.entryThreshold`.' }),
    exchange: z
      .string()
      .optional()
      .meta({ description: 'The request waits for this exchange; retry after Retry-After seconds.' }),
  })
  .meta({ id: 'Problem', description: 'Every error of this API.' });

/**
 * Sends an error response. Use as `return sendProblem(reply, outcome.error)`.
 * @param extension members beside those of every problem (RFC 9457, 3.2)
 */
export function sendProblem(reply: FastifyReply, rejection: Rejection, extension: object = {}): FastifyReply {
  const body = { ...extension, ...problemBody(rejection, reply.request.id) };
  if (rejection.retryAfterS !== undefined) void reply.header('retry-after', String(Math.ceil(rejection.retryAfterS)));
  // Serialised here: a status that the route did not declare must not become a 500.
  return (
    reply
      .code(body.status)
      .header('content-type', problemMediaType)
      .header('cache-control', 'no-store')
      // Set again, because an unparsable URL is rejected before any hook runs.
      .header('x-request-id', body.request_id)
      .serializer((value: unknown) => JSON.stringify(value))
      .send(body)
  );
}

/** Errors of any route that reads a body: `...problems(...bodyRefusals, 'email_taken')`. */
export const bodyRejections = [
  'validation_failed',
  'origin_refused',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies ApiErrorCode[];

/** Prefix of response keys that name a code instead of a status: two codes of one status would overwrite each other. */
const codeMark = 'code:';

/** Response schemas for the declared errors of a route: `response: { 200: Response, ...problems('symbol_unknown') }`. */
export function problems(...codes: ApiErrorCode[]): Record<number, typeof Problem> {
  return Object.fromEntries(
    codes.flatMap((code) => [
      [apiErrors[code].status, Problem],
      [`${codeMark}${code}`, Problem],
    ]),
  );
}

declare module 'fastify' {
  interface FastifySchema {
    /** Codes of the route's declared errors, read from `response`; the API document shows them. */
    errorCodes?: readonly ApiErrorCode[];
  }
}

/** Adds errors to those of a route. The route's own schema for a status wins. */
export function addRejections(schema: FastifySchema, ...codes: ApiErrorCode[]): void {
  const all = { ...problems(...codes), ...(schema.response as object | undefined) };
  const named = Object.keys(all).filter((key) => key.startsWith(codeMark));
  const known = named.map((key) => key.slice(codeMark.length) as ApiErrorCode);
  schema.errorCodes = [...new Set([...(schema.errorCodes ?? []), ...known])];
  schema.response = Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith(codeMark)));
}

/** Moves error codes out of `response`, where Fastify allows only statuses. Call before the first route. */
export function readErrorCodes(app: App): void {
  app.addHook('onRoute', ({ schema }) => {
    if (schema?.response !== undefined) addRejections(schema);
  });
}
