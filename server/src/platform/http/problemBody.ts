import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { z } from 'zod';
import { apiErrors, type Rejection } from '../errors.ts';
import type { Problem } from './problem.ts';

export type ProblemBody = z.infer<typeof Problem>;

export const problemMediaType = 'application/problem+json';

/** Body of every error. Imports only the catalogue, because the early server responds before the rest is loaded. */
export function problemBody(rejection: Rejection, requestId: string): ProblemBody {
  const { status, title } = apiErrors[rejection.code];
  return {
    type: `urn:sextant:error:${rejection.code}`,
    title,
    status,
    detail: rejection.message,
    code: rejection.code,
    message: rejection.message,
    error: rejection.code,
    request_id: requestId,
    ...withoutUndefined({ field: rejection.field, exchange: rejection.exchange }),
  };
}
