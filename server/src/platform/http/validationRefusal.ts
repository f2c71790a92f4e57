import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { Refusal } from '../errors.ts';

const places: Record<string, string> = { body: '', querystring: '', params: '', headers: 'header ' };

interface Issue {
  keyword: string;
  instancePath: string;
  message?: string | undefined;
  params: Record<string, unknown>;
}

/** `/params/weights/rsi` is what the validator says, `params.weights.rsi` what the caller wrote. */
function fieldOf({ instancePath, keyword, params }: Issue): string {
  const path = instancePath.split('/').filter((part) => part !== '');
  const unknown = keyword === 'unrecognized_keys' && Array.isArray(params.keys) ? [String(params.keys[0])] : [];
  return [...path, ...unknown].join('.');
}

/**
 * A failed schema as a refusal that names the first wrong input and what it should be. Undefined when `error` is something else.
 */
export function validationRefusal(error: unknown): Refusal | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  const issue = error.validation[0] as Issue | undefined;
  if (issue === undefined) return undefined;
  const field = fieldOf(issue);
  const place = places[String(error.validationContext)] ?? '';
  const what =
    issue.keyword === 'unrecognized_keys' ? 'is not known here; remove it' : (issue.message ?? 'is not valid');
  // A message that is a sentence of its own is shown to people as it is (`Please enter a valid email address`).
  const isSentence = /^[A-Z][^:]* (valid|be|at least|empty)\b/.test(what);
  const message = isSentence || field === '' ? what : `${place}${field}: ${what}`;
  return { code: 'validation_failed', message, ...(field === '' ? {} : { field }) };
}
