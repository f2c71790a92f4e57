import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { apiErrors, createRejection, type Rejection } from '../errors.ts';
import { translateDatabaseError } from '../db/databaseError.ts';
import { unknownNameText } from '../unknownName.ts';
import { sendProblem } from './problem.ts';
import { RejectionError } from './rejectionError.ts';

const places: Record<string, string> = { body: '', querystring: '', params: '', headers: 'header ' };

interface Issue {
  keyword: string;
  instancePath: string;
  message?: string | undefined;
  params: Record<string, unknown>;
}

/** Turns the validator's `/params/weights/rsi` into the caller's `params.weights.rsi`. */
function fieldOf({ instancePath, keyword, params }: Issue): string {
  const path = instancePath.split('/').filter((part) => part !== '');
  const unknown = keyword === 'unrecognized_keys' && Array.isArray(params.keys) ? [String(params.keys[0])] : [];
  return [...path, ...unknown].join('.');
}

/** The schema inside optional, nullable, default and transform wrappers. */
function unwrapped(schema: unknown): unknown {
  let at = schema;
  while (
    at instanceof z.ZodOptional ||
    at instanceof z.ZodNullable ||
    at instanceof z.ZodDefault ||
    at instanceof z.ZodPipe
  )
    at = at instanceof z.ZodPipe ? at.in : at.unwrap();
  return at;
}

/** Field names of the object schema at a path; empty when there is none. */
function namesAt(schema: unknown, instancePath: string): string[] {
  let at = unwrapped(schema);
  for (const part of instancePath.split('/').filter((name) => name !== '')) {
    if (at instanceof z.ZodObject) at = unwrapped((at.shape as Record<string, unknown>)[part]);
    else if (at instanceof z.ZodArray) at = unwrapped(at.element);
    else return [];
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/**
 * The error for a failed schema, naming the first invalid input and the requirement. Undefined when `error` is something else.
 */
function validationRejection(error: unknown, schemas: FastifySchema | undefined): Rejection | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  const issue = error.validation[0] as Issue | undefined;
  if (issue === undefined) return undefined;
  const field = fieldOf(issue);
  const context = error.validationContext ?? 'body';
  const place = places[context] ?? '';
  const what =
    issue.keyword === 'unrecognized_keys'
      ? unknownNameText(field.split('.').at(-1) ?? '', namesAt(schemas?.[context], issue.instancePath))
      : (issue.message ?? 'is not valid');
  // A message that is a complete sentence is shown unchanged (`Please enter a valid email address`).
  const isSentence = /^[A-Z][^:]* (valid|be|at least|empty)\b/.test(what);
  const message = isSentence || field === '' ? what : `${place}${field}: ${what}`;
  return { code: 'validation_failed', message, ...(field === '' ? {} : { field }) };
}

/** Errors that Fastify throws while it reads a request and that need a specific message. */
const frameworkRejections: Record<string, Rejection> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: createRejection('unsupported_media_type'),
  FST_ERR_CTP_BODY_TOO_LARGE: createRejection('payload_too_large'),
  FST_ERR_CTP_EMPTY_JSON_BODY: createRejection('validation_failed', 'The body is empty; send a JSON object.'),
  FST_ERR_CTP_INVALID_JSON_BODY: createRejection('validation_failed', 'The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: createRejection(
    'validation_failed',
    'The body length differs from Content-Length.',
  ),
  FST_ERR_BAD_URL: createRejection('validation_failed', 'The URL is not valid.'),
  FST_ERR_ASYNC_CONSTRAINT: createRejection('validation_failed', 'The URL is not valid.'),
  FST_ERR_MAX_PARAM_LENGTH: createRejection('validation_failed', 'A part of the URL is too long.'),
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: createRejection('unsupported_media_type'),
  // A path outside the folder of the pages is reported as not found.
  FST_STATIC_FORBIDDEN_PATH: createRejection('not_found'),
  FST_ERR_HANDLER_TIMEOUT: createRejection('deadline_exceeded'),
};

/** An error of Fastify or its plugins without a specific message. Their codes share a prefix; 5xx is a bug on our side. */
function frameworkRejection(error: Error, code: string): Rejection | undefined {
  const status = 'statusCode' in error ? Number(error.statusCode) : 500;
  if (!code.startsWith('FST_') || status < 400 || status >= 500) return undefined;
  return createRejection(status === 404 ? 'not_found' : 'validation_failed');
}

function rejectionOf(error: unknown, schemas: FastifySchema | undefined): Rejection | undefined {
  const translated = translateDatabaseError(error);
  if (translated instanceof RejectionError) return translated.rejection;
  const invalid = validationRejection(error, schemas);
  if (invalid !== undefined) return invalid;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  // secure-json-parse (a `__proto__` key) and JSON.parse fail with a SyntaxError that carries status 400.
  const isBadJson = error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400;
  if (isBadJson) return frameworkRejections.FST_ERR_CTP_INVALID_JSON_BODY;
  return frameworkRejections[code] ?? frameworkRejection(error, code);
}

/** Error code and detail of requests that failed with status 500 or above, for the log line of the response. */
const reasons = new WeakMap<FastifyRequest, { code: string; detail: string }>();
export const readReason = (request: FastifyRequest): { code: string; detail: string } | undefined =>
  reasons.get(request);

/** The client disconnected during its request: no response is possible, and the server did not fail. */
const isAbort = (error: unknown, request: FastifyRequest): boolean =>
  request.raw.destroyed && error instanceof Error && 'code' in error && error.code === 'ECONNRESET';

/** Sends every error as a problem from the catalogue. Internal details stay in the log, under the request id. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isAbort(error, request)) {
    // The response is never sent, so onResponse does not log it.
    const { method, url } = request;
    request.log.info({ method, path: url.split('?', 1)[0], code: 'aborted' }, 'the client went away');
    return sendProblem(reply, createRejection('validation_failed', 'The request ended before it was complete.'));
  }
  const known = rejectionOf(error, request.routeOptions.schema);
  // A known error is expected at any status: a stack trace would look like a bug.
  if (known === undefined || known.code === 'internal') request.log.error({ err: error }, 'request failed');
  else if (apiErrors[known.code].status >= 500) reasons.set(request, { code: known.code, detail: known.message });
  return sendProblem(reply, known ?? createRejection('internal'));
}
