import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { App } from './app.ts';

type Definition = z.core.$ZodTypes['_zod']['def'];

/** Direct child schemas of a schema, each with its path segment. */
function partsOf(definition: Definition): [string, z.core.$ZodType][] {
  switch (definition.type) {
    case 'object':
      return Object.entries(definition.shape);
    case 'array':
      return [['[]', definition.element]];
    case 'record':
      return [['*', definition.valueType]];
    case 'union':
      return definition.options.map((option, at) => [`option ${at + 1}`, option]);
    case 'pipe':
      return [
        ['in', definition.in],
        ['out', definition.out],
      ];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
    case 'catch':
      return [['', definition.innerType]];
    default:
      return [];
  }
}

/** Path of the first transform inside a schema, or null. A transform only parses requests; it cannot serialize a response. */
export function findTransform(schema: z.core.$ZodType, path = ''): string | null {
  const definition = schema._zod.def as Definition;
  if (definition.type === 'transform') return path;
  for (const [name, part] of partsOf(definition)) {
    const match = findTransform(part, name === '' ? path : `${path}.${name}`);
    if (match !== null) return match;
  }
  return null;
}

/**
 * Rejects a route whose response cannot be serialized: a schema with a one-way transform would return 500 for every valid request.
 * Call before the first route.
 * @throws at registration, naming the route and the path of the field
 */
export function checkResponses(app: App): void {
  // Error responses share one schema in all routes.
  const checked = new Set<unknown>();
  app.addHook('onRoute', ({ method, url, schema }: RouteOptions) => {
    for (const [status, response] of Object.entries((schema?.response ?? {}) as Record<string, unknown>)) {
      if (checked.has(response) || !(response instanceof z.ZodType)) continue;
      const path = findTransform(response);
      if (path !== null) {
        throw new Error(`${String(method)} ${url} ${status}${path}: a response may not have a one-way transform`);
      }
      checked.add(response);
    }
  });
}
