import document from '../../openapi.json' with { type: 'json' };

/** Maximum depth of schema references: a recursive schema ends here and accepts anything. */
const depthMax = 12;

function lookUp(reference: string): unknown {
  const parts = reference.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document);
}

function inlined(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, depth));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: reference, ...rest } = value as { $ref?: unknown };
  const fields = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, inlined(each, depth)]));
  if (typeof reference !== 'string') return fields;
  return depth === 0 ? fields : { ...(inlined(lookUp(reference), depth - 1) as object), ...fields };
}

/** The document's paths with all shared schemas inlined, so that tests can read what a request may hold. */
export const apiPaths = inlined(document.paths, depthMax);
