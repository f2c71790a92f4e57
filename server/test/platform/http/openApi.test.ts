import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { contracts } from '../../../src/apiSchemas.ts';
import { nameSchemas } from '../../../src/platform/http/openApi.ts';

const server = join(import.meta.dirname, '../../..');
const text = readFileSync(join(server, 'openapi.json'), 'utf8');
const document = JSON.parse(text) as {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
};

it('needs at most 199 lines per operation', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  expect(text.split('\n').length / operations.length).toBeLessThanOrEqual(199);
});

it('names every exported schema of every contract', async () => {
  nameSchemas(contracts);
  const files = globSync('src/features/**/{contract,*Contract}.ts', { cwd: server });
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const exports = (await import(join(server, file))) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exports)) {
      if (!(schema instanceof z.ZodType)) continue;
      const { id } = z.globalRegistry.get(schema) ?? {};
      expect(id, `${file}: ${name}; list the module in src/apiSchemas.ts`).toMatch(/^\w+$/);
    }
  }
});

it('has no dangling references and no unused schemas', () => {
  const refs = new Set([...text.matchAll(/"\$ref": "#\/components\/(\w+\/\w+)"/g)].map(([, ref]) => ref));
  const { schemas = {}, responses = {} } = document.components;
  const held = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(responses).map((name) => `responses/${name}`),
  ];
  expect([...refs].sort()).toEqual(held.sort());
});

it('rejects two schemas under one name', () => {
  nameSchemas([{ OnlyHere: z.string() }]);
  expect(() => {
    nameSchemas([{ OnlyHere: z.number() }]);
  }).toThrow('two schemas of the API document are called OnlyHere');
});
