import { describe, expect, it } from 'vitest';
import { importedPackages, productionImportProblems } from '../../../.ci/productionImports.ts';

describe('imports of a production node', () => {
  it('NODE-009 are all dependencies of the package that has them', () => {
    expect(productionImportProblems()).toEqual([]);
  });

  it('NODE-009 that are development packages, or those of another workspace, are named', () => {
    const texts: Record<string, string> = {
      'server/package.json': '{"dependencies":{"pg":"1.0.0"},"devDependencies":{"vitest":"1.0.0"}}',
      'server/src/a.ts': `import pg from 'pg';\nimport { it } from 'vitest';\nimport type { A } from 'types-only';`,
      'server/src/b.ts': `const { run } = await import('react-dom/server');\nimport { type B } from 'types-too';`,
    };
    expect(productionImportProblems((path) => texts[path] ?? '', ['server/src/a.ts', 'server/src/b.ts'])).toEqual([
      'server/src/a.ts: vitest is no dependency of server/package.json',
      'server/src/b.ts: react-dom is no dependency of server/package.json',
    ]);
  });

  it('are read from statements and calls, not from comments or files', () => {
    const text = `// import 'no';\nimport 'yes';\nexport { a } from '@s/b/c.js';\nimport.meta.resolve('ccxt');\nimport x from './file.ts';\nimport fs from 'node:fs';`;
    expect(importedPackages(text)).toEqual(['@s/b', 'ccxt', 'yes']);
  });
});
