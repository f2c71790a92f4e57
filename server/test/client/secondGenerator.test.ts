import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { apiScopeNames } from '@sextant/workers/src/core/apiAccess.ts';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createListeningApp, makeKey } from '../features/apiKeys/support.ts';
import type { MarketApp } from '../support/createMarketApp.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

let test: MarketApp;
let baseUrl: string;
let key: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-generated-'));
  ({ test, baseUrl } = await createListeningApp());
  key = (await makeKey(test, await test.signUp(), { mode: 'test', scopes: apiScopeNames })).key;
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

interface DocumentedCall {
  method: 'GET' | 'POST';
  path: string;
  sample: { path: string; body: object | null };
}
interface Parameter {
  name: string;
  in: string;
  schema: object;
}
interface OpenApi {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

async function read<T>(path: string): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': key } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

/** `GET /api/a/b-c` is `getApiABC`. */
const nameOf = ({ method, path }: DocumentedCall): string =>
  method.toLowerCase() + path.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The text of a query parameter as a value of its documented type. */
function typed(text: string, parameter: Parameter | undefined): unknown {
  const schema = JSON.stringify(parameter?.schema ?? {});
  if (/"type":"(?:number|integer)"/.test(schema)) return Number(text);
  return /"type":"boolean"/.test(schema) ? text === 'true' : text;
}

/** The source of a program that makes a call as its user would write it. */
function sourceOf(call: DocumentedCall, { paths }: OpenApi): string {
  const parameters = paths[call.path]?.[call.method.toLowerCase()]?.parameters ?? [];
  const query = [...new URL(call.sample.path, baseUrl).searchParams].map(([name, text]) => [
    name,
    typed(
      text,
      parameters.find((each) => each.in === 'query' && each.name === name),
    ),
  ]);
  const { body } = call.sample;
  const options = { ...(query.length > 0 && { query: Object.fromEntries(query) as object }), ...(body && { body }) };
  const written = JSON.stringify(options).slice(1, -1);
  return `() => sdk.${nameOf(call)}({ client, throwOnError: true${written && `, ${written}`} })`;
}

/** Type errors of the generated files and the program, checked strictly. */
async function typeErrors(): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  const checked = await run(process.execPath, [compiler, '-p', folder]).catch(
    (failure: unknown) => failure as { stdout: string },
  );
  return checked.stdout;
}

it('PKG-111 the client that @hey-api/openapi-ts generates compiles and makes every documented call in the sandbox', async () => {
  const document = await read<OpenApi>('/api/openapi.json');
  const { calls } = await read<{ calls: DocumentedCall[] }>('/api/documentation');
  expect(calls.length).toBeGreaterThan(20);
  await createClient({
    input: document as never,
    output: { path: join(folder, 'api') },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  const program = join(folder, 'calls.ts');
  await writeFile(
    program,
    `import * as sdk from './api';
import { createClient } from './api/client';
const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, headers: { 'x-api-key': ${JSON.stringify(key)} } });
export const calls: Record<string, () => Promise<{ data: unknown }>> = {
${calls.map((call) => `'${call.method} ${call.path}': ${sourceOf(call, document)},`).join('\n')}
};
`,
  );
  expect(await typeErrors()).toBe('');
  // Node reads no folder as a module.
  const bundle = await rolldown({ input: program });
  const file = join(folder, 'calls.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  const made = (await import(pathToFileURL(file).href)) as { calls: Record<string, () => Promise<{ data: unknown }>> };
  for (const [name, call] of Object.entries(made.calls)) expect((await call()).data, name).toBeTypeOf('object');
}, 180_000);
