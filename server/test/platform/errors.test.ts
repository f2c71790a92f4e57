import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiErrors } from '../../src/platform/errors.ts';

it('ERR-004 docs/errors.md lists exactly the codes of the catalogue, with their status and title', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
  const documented = [...text.matchAll(/^\| `(\w+)` +\| (\d+) +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, code, status, title, fix]) => {
      expect(fix, `what to do about ${code ?? ''}`).toMatch(/\w/);
      return [code, { status: Number(status), title }];
    },
  );
  expect(Object.fromEntries(documented)).toEqual(apiErrors);
  expect(documented.length).toBe(Object.keys(apiErrors).length);
});
