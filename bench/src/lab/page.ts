import { statfs } from 'node:fs/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../../browser.ts';
import { dropFile } from '../../../web/e2e/support/files.ts';
import { openTab, signUp } from '../../../web/e2e/support/users.ts';
import { longestProcessorMs, TRACE_MARK, TRACED } from './figures.ts';
import { installProbe, PROBE_MS, type Seen } from './probe.ts';

export interface SearchForm {
  samples: number;
  seed: number;
  isDeep?: boolean;
  /** Off, Anchored or Rolling; unchanged when absent. */
  walkForward?: string;
}

/** The lab in its own Chromium: a new account, the probe in the page, candles from a file. */
export interface LabPage {
  page: Page;
  seen: () => Promise<Seen>;
  reset: () => Promise<void>;
  /** Starts recording the tasks of all threads. @returns stops it: processor time of the page's longest task, milliseconds */
  recordTasks: () => Promise<() => Promise<number>>;
  close: () => Promise<void>;
}

export async function openLabPage(baseURL: string): Promise<LabPage> {
  const browser = await launch();
  const context = await browser.newContext({
    baseURL,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
  });
  const page = await context.newPage();
  await page.addInitScript(installProbe, PROBE_MS);
  await signUp(page);
  await openTab(page, 'Backtest');
  return {
    page,
    seen: () => page.evaluate(() => window.sextantProbe.seen),
    reset: () => page.evaluate(() => window.sextantProbe.reset()),
    recordTasks: async () => {
      await browser.startTracing(page, { categories: TRACED });
      await page.evaluate((mark) => performance.mark(mark), TRACE_MARK);
      return async () => longestProcessorMs((await browser.stopTracing()).toString());
    },
    close: () => browser.close(),
  };
}

const SHARED_BYTES_MIN = 2 ** 30;

/** Users have their browser's shared memory in RAM, so the bench does too if /dev/shm is large enough. */
async function hasSharedMemory(): Promise<boolean> {
  const room = await statfs('/dev/shm').catch(() => null);
  return room !== null && room.bavail * room.bsize >= SHARED_BYTES_MIN;
}

const launch = async (): Promise<Browser> => chromium.launch(await chromiumLaunch(await hasSharedMemory()));

/** Drops the candles and waits for the run they make. */
export async function openCandles({ page }: LabPage, csv: string): Promise<void> {
  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await page.getByText('Own CSV file').click();
  await dropFile(page, 'bench.csv', csv);
  await page.getByTestId('net-pnl').waitFor({ timeout: 60_000 });
}

/** Selects the strategy that the lab runs and searches, and waits for its run. */
export async function chooseStrategy(lab: LabPage, name: string): Promise<void> {
  const { page } = lab;
  await page.getByRole('radiogroup', { name: 'Strategy' }).getByText(name, { exact: true }).click();
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await untilJudged(lab);
}

export async function fillSearch({ page }: LabPage, form: SearchForm): Promise<void> {
  const { samples, seed, isDeep = false, walkForward } = form;
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await page.getByRole('switch', { name: 'Deep search' }).setChecked(isDeep);
  await page.getByLabel(/^(Deep search samples|Samples)$/).fill(String(samples));
  await page.getByLabel('Seed', { exact: true }).fill(String(seed));
  if (walkForward !== undefined)
    await page.getByRole('radiogroup', { name: 'Walk-forward' }).getByText(walkForward).click();
  await page.keyboard.press('Tab');
}

export interface SearchSeen {
  /** Click to the first frame with the best set and all sets of the search. */
  firstPaintMs: number;
  clickedAt: number;
  paintedAt: number;
  /** From the call to the result, as reported by the page. */
  tookMs: number;
}

const AT_REST_MS = 300;
const BUTTON = /^Optimize [\d,]+ sets$/;

/** Clicks, and waits for the frame that shows the results of this seed. */
export async function searchOnce({ page, seen, reset }: LabPage, seed: number): Promise<SearchSeen> {
  const button = page.getByRole('button', { name: BUTTON });
  await button.scrollIntoViewIfNeeded();
  await reset();
  const painted = page.evaluate(
    (selector) => window.sextantProbe.painted(selector),
    `[data-testid=search-facts][data-seed="${seed}"]`,
  );
  await button.click();
  const paintedAt = await painted;
  const clickedAt = (await seen()).clicks.at(-1) ?? NaN;
  const facts = await page.getByTestId('search-facts').textContent();
  const tookMs = Number(/in ([\d,]+) ms/.exec(facts ?? '')?.[1]?.replaceAll(',', ''));
  return { firstPaintMs: paintedAt - clickedAt, clickedAt, paintedAt, tookMs };
}

/** The hash of the run on screen, read once the page is idle: content below the figures renders after them. */
export async function resultHash(lab: LabPage): Promise<string> {
  await untilJudged(lab);
  await lab.page.waitForTimeout(AT_REST_MS);
  return (await lab.page.getByTestId('browser-result').getAttribute('data-hash')) ?? '';
}

/** Waits until the honesty figures are there. @returns the page's time then */
export async function untilJudged({ page }: LabPage): Promise<number> {
  await page.locator('[aria-label=Honesty][data-status=judged]').waitFor({ timeout: 240_000 });
  return page.evaluate(() => performance.now());
}
