import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { z } from 'zod';
import { apiErrors, type Refusal } from '../errors.ts';
import type { Problem } from './problem.ts';

export type ProblemBody = z.infer<typeof Problem>;

export const problemMediaType = 'application/problem+json';

/** Body of every error. Imports only the catalogue, because the early server responds before the rest is loaded. */
export function problemBody(refusal: Refusal, requestId: string): ProblemBody {
  const { status, title } = apiErrors[refusal.code];
  return {
    type: `urn:sextant:error:${refusal.code}`,
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    message: refusal.message,
    error: refusal.code,
    request_id: requestId,
    ...withoutUndefined({ field: refusal.field, exchange: refusal.exchange }),
  };
}
