import type { FastifySchemaCompiler } from 'fastify';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { App } from './app.ts';
import { createJsonParser } from './jsonBody.ts';

/** Programs ask the same question again and again. Longer bodies are not worth their place. */
const limits = { bodies: 2000, textMax: 2048, textsMax: 512 * 1024 };

/** What the validator of the schemas gives. */
type Validated = { value: unknown } | { error: Error };

/** Parsed bodies that passed every check, with what their route makes of them. */
const validated = new WeakMap<object, Validated>();

/** By parsed body: stores it for later requests with the same text, once it passed every check. */
const keepers = new WeakMap<object, () => void>();

/** Whether this very body was checked and found good before. */
export const isKnownBody = (body: unknown): boolean => typeof body === 'object' && body !== null && validated.has(body);

/**
 * Parses each text of a body once for the routes of this scope: the same text is the same value, so nothing may change it. Use with
 * `validateOnce`. Texts are compared whole, so two bodies that differ anywhere never meet.
 */
export function rememberBodies(app: App): void {
  const known = new Map<string, object>();
  let characters = 0;
  const keep = (text: string, body: object): void => {
    if (!known.has(text)) characters += text.length;
    // Last again: those that were not asked for the longest go first.
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
      // Kept when it was found good: what is refused would push out what is asked for.
      if (error === null && text.length <= limits.textMax && typeof body === 'object' && body !== null)
        keepers.set(body, () => keep(text, body));
      done(error, body);
    });
  });
}

/** Validates a body that `rememberBodies` has parsed once; a refusal is made anew each time. */
export const validateOnce: FastifySchemaCompiler<unknown> = (route) => {
  const validate = validatorCompiler(route as FastifyRouteSchemaDef<z.ZodType>) as (data: unknown) => Validated;
  return (data: unknown) => {
    if (route.httpPart !== 'body' || typeof data !== 'object' || data === null) return validate(data);
    const before = validated.get(data);
    if (before !== undefined) return before;
    const found = validate(data);
    if ('value' in found) {
      validated.set(data, found);
      keepers.get(data)?.();
    }
    return found;
  };
};
