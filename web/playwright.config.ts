import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../browser.ts';
import { freePort } from '../server/launch/freePort.ts';
import { isInMemory, memoryRoot } from '../server/test/support/memoryFolder.ts';

/** Made by the main process, which stops the product before it ends and then removes the folder. */
function ownFolder(): string {
  const folder = mkdtempSync(join(memoryRoot, `sextant-${process.pid}-e2e-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** With BASE_URL the product runs already; without it, one is started on a free port with its data in a new folder. */
async function startedHere(): Promise<string> {
  // Chosen once by the main process: every worker reads this file again and must see the same ones.
  process.env.E2E_PORT ??= String(await freePort());
  process.env.E2E_DATA_DIR ??= ownFolder();
  // Tests move prices there.
  process.env.E2E_EXCHANGES_PORT ??= String(await freePort());
  return `http://127.0.0.1:${process.env.E2E_PORT}`;
}

const given = process.env.BASE_URL;
const baseURL = given ?? (await startedHere());
// Before chromiumLaunch(): it moves the temporary folder into its own cache.
const dataDir = process.env.E2E_DATA_DIR ?? '';
const chromium = await chromiumLaunch(isInMemory);

/** Files that take longer than 30 s start first: at the end the other workers would wait for them. */
const longFiles = ['accessibility', 'deepSearch', 'hostile', 'positions', 'shell', 'strategy', 'vision'].map(
  (name) => `**/${name}.spec.ts`,
);

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../test-results',
  // Room for a slow machine: a test that waits for what never comes fails all the same.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  // Files side by side, the tests of a file in order; separate users keep them apart. One worker more than cores: while one waits for a
  // server or for the passing of time, the others keep all cores busy.
  workers: availableParallelism() + 1,
  projects: [
    { name: 'long', testMatch: longFiles },
    { name: 'short', testIgnore: longFiles },
  ],
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list']],
  use: {
    baseURL,
    // A press that waits for a button which never comes names its line, and not only the time of the test.
    actionTimeout: 90_000,
    // The packed Chromium reports a locale that no formatter knows.
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    // What flashes, fades or pulses costs frames, and nearly every screen has prices that flash. Specs that are about motion switch it on.
    contextOptions: { reducedMotion: 'reduce' },
    // Without the limit each page starts a second process for a page that may come.
    launchOptions: { ...chromium, args: [...chromium.args, '--renderer-process-limit=1'] },
    screenshot: 'only-on-failure',
    // Specs change responses on their way, which files of a copy would not pass. Those about the service worker allow it.
    serviceWorkers: 'block',
  },
  ...(given === undefined
    ? {
        webServer: {
          command: 'node server/launch/start.ts',
          cwd: join(import.meta.dirname, '..'),
          // The port responds before the market does.
          url: `${baseURL}/api/price?symbol=BTCUSDT`,
          timeout: 240_000,
          env: {
            PORT: process.env.E2E_PORT ?? '',
            DATA_DIR: dataDir,
            HOST: '127.0.0.1',
            TRUST_PROXY: 'loopback',
            EXCHANGES_PORT: process.env.E2E_EXCHANGES_PORT ?? '',
            // The same candles at any hour of any day; another seed is another market.
            EXCHANGES_START: '2026-03-02',
            // Specs read what they need; filling the rest would take their processor time.
            HISTORY_BACKFILL: 'off',
            // Room for all specs at once, so that none uses up what another needs. The adapter reads the limit of the weight from the exchange;
            // that of fundings no exchange states.
            EXCHANGES_WEIGHT: '24000',
            EXCHANGES_FUNDING: '5000',
            EXCHANGES_SEED: process.env.TEST_SEED ?? '',
          },
          gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 20_000 },
        },
      }
    : {}),
});
