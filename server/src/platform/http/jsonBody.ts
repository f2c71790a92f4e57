import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { rejectionError } from './rejectionError.ts';

/** Maximum nesting depth of a body. Contracts use fewer than ten levels. */
export const JSON_DEPTH_MAX = 32;

const tooDeep = `The body is nested too deeply. Send at most ${JSON_DEPTH_MAX} levels of objects and lists.`;

const codes = { quote: 0x22, backslash: 0x5c, listOpen: 0x5b, listClose: 0x5d, objectOpen: 0x7b, objectClose: 0x7d };

/** Whether JSON text nests deeper than `JSON_DEPTH_MAX`. Reads each character once and stops at the first excess bracket. */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.backslash) at += 1;
    else if (code === codes.quote) isInText = !isInText;
    else if (isInText) continue;
    else if (code === codes.listOpen || code === codes.objectOpen) {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) return true;
    } else if (code === codes.listClose || code === codes.objectClose) depth -= 1;
  }
  return false;
}

/** Only escapes can produce NUL and half surrogate pairs: bytes that are not UTF-8 were replaced before. */
const suspiciousEscape = /\\u(?:0000|d[89a-f])/i;
const withoutBadText = new WeakSet<object>();

/** Whether parsing found that no text in this body needs a check. */
export const isKnownGoodText = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && withoutBadText.has(body);

type Done = (error: Error | null, body?: unknown) => void;

/** Parses JSON bodies. Checks the nesting depth first, so that later recursion over the body is bounded. */
export function createJsonParser(app: App): (request: FastifyRequest, text: string, done: Done) => void {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, text, done) => {
    if (isNestedTooDeeply(text)) {
      done(rejectionError('validation_failed', tooDeep));
      return;
    }
    void parse(request, text, (error, body: unknown) => {
      if (error === null && typeof body === 'object' && body !== null && !suspiciousEscape.test(text))
        withoutBadText.add(body);
      done(error, body);
    });
  };
}
