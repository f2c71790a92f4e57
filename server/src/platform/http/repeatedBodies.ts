import type { FastifySchemaCompiler } from 'fastify';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { App } from './app.ts';
import { createJsonParser } from './jsonBody.ts';

/** Programs repeat equal requests. Longer bodies are not worth the memory. */
const limits = { bodies: 2000, textMax: 2048, textsMax: 512 * 1024 };

/** Result of the schema validator. */
type Validated = { value: unknown } | { error: Error };

/** Parsed bodies that passed every check, with their validated values. */
const validated = new WeakMap<object, Validated>();

/** By parsed body: stores it for later requests with the same text, once it passed every check. */
const keepers = new WeakMap<object, () => void>();

/** Whether this body was validated before. */
export const isKnownBody = (body: unknown): boolean => typeof body === 'object' && body !== null && validated.has(body);

/**
 * Caches parsed bodies by text for the routes of this scope: equal texts share one value, so it must not be mutated. Use with
 * `validateOnce`. Compares whole texts, so different bodies never share a value.
 */
export function rememberBodies(app: App): void {
  const known = new Map<string, object>();
  let characters = 0;
  const keep = (text: string, body: object): void => {
    if (!known.has(text)) characters += text.length;
    // Move to the end: the least recently used entry is evicted first.
    known.delete(text);
    known.set(text, body);
    for (const oldest of known.keys()) {
      if (known.size <= limits.bodies && characters <= limits.textsMax) break;
      known.delete(oldest);
      characters -= oldest.length;
    }
  };
  const parse = createJsonParser(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    const before = known.get(text);
    if (before !== undefined) {
      keep(text, before);
      done(null, before);
      return;
    }
    parse(request, text, (error, body) => {
      // Stored only after validation: invalid bodies would evict useful ones.
      if (error === null && text.length <= limits.textMax && typeof body === 'object' && body !== null)
        keepers.set(body, () => keep(text, body));
      done(error, body);
    });
  });
}

/** Validates a body once per parsed value of `rememberBodies`; errors are not cached. */
export const validateOnce: FastifySchemaCompiler<unknown> = (route) => {
  const validate = validatorCompiler(route as FastifyRouteSchemaDef<z.ZodType>) as (data: unknown) => Validated;
  return (data: unknown) => {
    if (route.httpPart !== 'body' || typeof data !== 'object' || data === null) return validate(data);
    const before = validated.get(data);
    if (before !== undefined) return before;
    const result = validate(data);
    if ('value' in result) {
      validated.set(data, result);
      keepers.get(data)?.();
    }
    return result;
  };
};
