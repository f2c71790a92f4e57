import type { preValidationHookHandler } from 'fastify';
import { findBadText } from '../findBadText.ts';
import { isApiPath } from './apiPath.ts';
import { isKnownGoodText } from './jsonBody.ts';
import { RejectionError } from './rejectionError.ts';
import { isKnownBody } from './repeatedBodies.ts';

/**
 * Rejects NUL and half surrogate pairs in the path, the query and the body of every API route before its schema runs, so that a
 * contract that omits the rule cannot cause a database error.
 */
export const rejectBadText: preValidationHookHandler = (request, _reply, done) => {
  // Page paths are not stored; static files and redirects check them.
  if (!isApiPath(request.url)) {
    done();
    return;
  }
  for (const part of [request.params, request.query, request.body]) {
    if (isKnownBody(part) || isKnownGoodText(part)) continue;
    const field = findBadText(part);
    if (field === undefined) continue;
    const message = `${field === '' ? 'The request' : field}: must be text without NUL or unpaired surrogates`;
    done(new RejectionError({ code: 'validation_failed', message, ...(field === '' ? {} : { field }) }));
    return;
  }
  done();
};
