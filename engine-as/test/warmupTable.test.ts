import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formationRegistry } from '../abi/formations.ts';
import { patternRegistry } from '../abi/patterns.ts';
import { generatedFiles, patternFile } from '../generate.ts';
import { registry } from '../abi/registry.ts';
import { warmupTable } from '../warmupTable.ts';

const root = join(import.meta.dirname, '../..');
const rows = await warmupTable();

describe('the warm-up table', () => {
  const rowOf = (id: string) => rows.find((row) => row.id === id)!;

  it('has a row for every indicator', () => {
    expect(rows.map((row) => row.id)).toEqual(registry.map((entry) => entry.id));
  });

  it.each(registry.filter((entry) => entry.memory === 'window').map(({ id }) => id))(
    '%s forgets its past entirely: its first value is its settled one',
    (id) => {
      expect(rowOf(id).settled).toBe(rowOf(id).warmup + 1);
    },
  );

  it.each(registry.filter((entry) => entry.memory === 'recursive').map(({ id }) => id))('%s settles', (id) => {
    const { settled, warmup } = rowOf(id);
    expect(settled).toBeGreaterThan(warmup + 1);
    expect(settled).toBeLessThan(2000);
  });

  it('an average settles about when its first weight has faded', () => {
    // The seed of EMA(n) weighs (1 - 2 / (n + 1))^k after k candles; it differs from the truth by far less than the price.
    for (const [id, period] of [
      ['ema12', 12],
      ['ema26', 26],
      ['ema50', 50],
      ['ema200', 200],
    ] as const) {
      const faded = Math.log(1e-6) / Math.log(1 - 2 / (period + 1));
      expect(rowOf(id).settled).toBeLessThanOrEqual(period + faded);
      expect(rowOf(id).settled).toBeGreaterThan(period + 0.4 * faded);
    }
  });

  it('never lets on-balance volume settle: it depends on its first candle', () => {
    expect(rowOf('obv').settled).toBeNull();
  });
});

describe('the generated files', () => {
  it('are the committed ones, made again', async () => {
    const files = await generatedFiles(rows);
    for (const { path, content } of files) expect(content, path).toBe(await readFile(join(root, path), 'utf8'));
    expect(files.map(({ path }) => path)).toEqual(['docs/indicators.md', 'docs/warmup.md', 'docs/metrics.md']);
  });

  it('describe every pattern and formation on the page of the folder build', async () => {
    const { path, content } = await patternFile();
    expect(path).toBe('build/patterns.md');
    const entries = [...patternRegistry, ...formationRegistry];
    expect(content.match(/^### .*$/gm)).toEqual(entries.map(({ title, id }) => `### ${title}: \`${id}\``));
    for (const { definition } of entries) expect(content).toContain(definition);
  });
});
