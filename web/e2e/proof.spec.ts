import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { packVerifier } from '../../workers/package/pack.ts';
import { dropFile } from './support/files.ts';
import { sampleCsv } from './support/sampleCsv.ts';
import { signUp } from './support/users.ts';

test('PKG-018 the lab exports a proof, and the stand-alone page verifies it from a file without a network', async ({
  page,
  context,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-proof-'));
  try {
    await signUp(page, 'backtest');
    await page.getByText('Own CSV file').click();
    await dropFile(page, 'sample-1h.csv', sampleCsv(7, 1200));
    await expect(page.getByText('1,200 of 1h')).toBeVisible();
    await page.getByRole('button', { name: 'Run Backtest' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Export proof' }).scrollIntoViewIfNeeded();
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > 390);
    await expect.poll(isWide).toBe(false);
    const box = await page.getByRole('button', { name: 'Export proof' }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 390)).toBeLessThanOrEqual(380);
    await page.screenshot({ path: test.info().outputPath('lab-390.png') });
    await page.setViewportSize({ width: 1440, height: 900 });
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export proof' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('sample-1h-1h-proof.json');
    const text = await readFile(await download.path(), 'utf8');
    const hash = await page.getByTestId('browser-result').getAttribute('data-hash');
    expect((JSON.parse(text) as { result: { hashes: { result: string } } }).result.hashes.result).toBe(hash);
    const keys = await (await page.request.get('/.well-known/sextant-proof-key.json')).text();
    const named = (name: string): string => join(folder, name);
    const changed = text.replace(
      /"netPnl":(-?)(\d)/,
      (_, sign: string, digit: string) => `"netPnl":${sign}${digit === '9' ? 8 : 9}`,
    );
    await Promise.all([
      writeFile(named('proof.json'), text),
      writeFile(named('changed.json'), changed),
      writeFile(named('keys.json'), keys),
    ]);
    const verifier = await packVerifier(folder);
    await context.setOffline(true);
    const offline = await context.newPage();
    await offline.goto(pathToFileURL(verifier).href);
    const input = offline.getByLabel('Drop a proof file here');
    const verdict = offline.getByRole('status');
    await input.setInputFiles(named('proof.json'));
    await expect(verdict).toHaveText(
      /^Verified\. Agrees: file, signature, engine, candles, rules and costs, result\. Key [0-9a-f]{16} was not compared\.$/,
    );
    await input.setInputFiles(named('keys.json'));
    await expect(verdict).toHaveText(
      'Verified. Agrees: file, signature, key, engine, candles, rules and costs, result.',
    );
    await input.setInputFiles(named('changed.json'));
    await expect(verdict).toHaveText(/^Not verified\. Differs: (file, )?signature, result\./);
    for (const colorScheme of ['dark', 'light'] as const) {
      await offline.emulateMedia({ colorScheme });
      const violations = async () => (await new AxeBuilder({ page: offline }).analyze()).violations;
      await expect.poll(violations).toEqual([]);
    }
    await offline.setViewportSize({ width: 390, height: 800 });
    expect(await offline.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await offline.screenshot({ path: test.info().outputPath('verifier.png') });
  } finally {
    await context.setOffline(false);
    await rm(folder, { recursive: true, force: true });
  }
});
