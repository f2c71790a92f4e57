import type { FastifyRequest } from 'fastify';
import { isStorableText } from '../contract.ts';
import { RefusalError } from './refusalError.ts';

/**
 * Where a text stands that PostgreSQL cannot keep, as a path of names; undefined when there is none. Names of fields count too.
 * Bodies are parsed already, so their size and depth are bounded.
 */
function findBadText(value: unknown, path: readonly string[]): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : path.join('.');
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      // Columns of candles are long and hold numbers only.
      if (typeof each === 'number') continue;
      const found = findBadText(each, [...path, String(index)]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [name, each] of Object.entries(value)) {
    if (!isStorableText(name)) return path.join('.');
    const found = findBadText(each, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Refuses NUL and half surrogate pairs in the path, the query and the body of every route, before its schema is asked: a contract
 * that forgets to say so cannot lead to an error of the database.
 */
export function refuseBadText(request: FastifyRequest): Promise<void> {
  // A path of the pages is no text of ours: files and redirects judge it.
  if (!request.url.startsWith('/api/')) return Promise.resolve();
  for (const part of [request.params, request.query, request.body]) {
    const field = findBadText(part, []);
    if (field === undefined) continue;
    const message = `${field === '' ? 'The request' : field}: must be text without NUL and without half characters`;
    return Promise.reject(new RefusalError({ code: 'validation_failed', message, ...(field === '' ? {} : { field }) }));
  }
  return Promise.resolve();
}
