import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** Types and tables of `@sextant/client`, made from the API document. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = Record<string, Json>;

/** Words that only describe or bound: the package has to stay small, and the server checks bounds. */
const described = new Set(['description', 'examples', 'title', 'default', 'pattern', 'format', 'x-error-codes']);
const bounds = /^(minimum|maximum|exclusiveMinimum|exclusiveMaximum|minLength|maxLength|minItems|maxItems|multipleOf)$/;

/** Drops descriptions and bounds of schemas; names of properties are never dropped. */
function slim(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((item) => slim(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isNames || !(described.has(key) || bounds.test(key)));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, slim(item, !isNames && (key === 'properties' || key === 'schemas'))]),
  );
}

interface Operation extends JsonObject {
  security: { [scheme: string]: string[] }[];
  responses: JsonObject;
}
type Paths = Record<string, Record<string, Operation>>;

/** Calls that a key may make, and public ones that the sandbox has: a program signs in by its key. */
const isForKeys = ({ security, 'x-sandbox': sandbox }: Operation): boolean =>
  security.length === 0 ? sandbox !== 'none' : security.some((each) => each['apiKey'] !== undefined);

/** The stream has a reader of its own in the client. */
const STREAM = '/api/stream';

function callsForKeys(paths: Paths): Paths {
  const calls = Object.entries(paths).map(([path, operations]): [string, Record<string, Operation>] => [
    path,
    Object.fromEntries(
      Object.entries(operations)
        .filter(([, operation]) => isForKeys(operation))
        .map(([method, operation]) => [method, withoutRejections(operation)]),
    ),
  ]);
  return Object.fromEntries(
    calls.filter(([path, operations]) => path !== STREAM && Object.keys(operations).length > 0),
  );
}

/** Errors are of one type, which the client reads itself. */
const withoutRejections = ({ responses, ...operation }: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(Object.entries(responses).filter(([status]) => Number(status) < 300)),
});

/** Names of the schemas that the calls use, directly or through another schema. */
function usedSchemas(paths: Paths, schemas: JsonObject): JsonObject {
  const used = new Set<string>();
  const open: Json[] = [paths];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      open.push(schemas[name] ?? null);
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

/** The generated files of the client. */
export async function clientFiles(document: Record<string, unknown>): Promise<{ path: string; content: string }[]> {
  const paths = callsForKeys(document['paths'] as Paths);
  const { schemas } = document['components'] as { schemas: JsonObject };
  const slimmed = slim({
    ...(document as JsonObject),
    paths,
    components: { schemas: usedSchemas(paths, schemas) },
  });
  const ast = await openapiTS(slimmed as unknown as OpenAPI3, { defaultNonNullable: false });
  const types = astToString(ast).replaceAll(/^\s*\/\*\*[^]*?\*\/\n/gm, '');
  const keyed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { parameters }]) => JSON.stringify(parameters ?? []).includes('"idempotency-key"'))
      .map(([method]) => `  '${method} ${path}',\n`),
  );
  const note = '// Written by .ci/generateClient.ts from server/openapi.json. Do not edit.\n\n';
  return [
    { path: 'server/client/src/schema.gen.ts', content: note + types },
    {
      path: 'server/client/src/keyedCalls.gen.ts',
      content: `${note}/** Calls that take an \`Idempotency-Key\`. */\nexport const keyedCalls = [\n${keyed.join('')}] as const;\n`,
    },
  ];
}
