import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../../browser.ts';
import { type DrawnCandle, drawChart } from '../../workers/test/vision/drawChart.ts';
import { chartStyles } from '../../workers/test/vision/styles.ts';
import { TOUR_SIZE, type TourId, tourPicture, tourThemes } from '../src/features/public/tour.ts';

/**
 * Takes the pictures of the public pages from a running product on the simulated market:
 * `npm start`, then `BASE_URL=http://localhost:8000 node web/prerender/drawTour.ts`. Name parts to take only those.
 */
const baseURL = process.env.BASE_URL ?? 'http://localhost:8000';
const wanted = process.argv.slice(2);
/** A quarter more than it is shown at: text stays sharp, and a desk fits. */
const viewport = { width: 1200, height: 750 };
const WEBP_QUALITY = 0.8;
/** A scan on a busy machine takes minutes. */
const WAIT_MS = 180_000;
/** Charts and prices come after the page. */
const SETTLE_MS = 3000;

/** @param inner label of a page of the tab */
async function open(page: Page, tab: string, inner?: string): Promise<void> {
  await page.goto(`/?tab=${tab}`);
  if (inner !== undefined) await page.getByRole('tab', { name: inner, exact: true }).click();
}
const shown = (page: Page, text: RegExp | string): Promise<void> => page.getByText(text).first().waitFor();

/** Brings a heading to the top of the picture. */
async function bring(page: Page, name: string): Promise<void> {
  await page
    .getByRole('heading', { name })
    .first()
    .evaluate((heading) => heading.closest('section')?.scrollIntoView({ block: 'start' }));
}

async function chartOf(page: Page, symbol: string): Promise<Buffer> {
  const response = await page.request.get(`/api/klines?symbol=${symbol}&interval=1h&limit=80`);
  const { candles } = (await response.json()) as { candles: Record<keyof DrawnCandle, number[]> };
  const drawn = candles.close.map((close, i): DrawnCandle => {
    const at = (name: 'open' | 'high' | 'low' | 'volume'): number => candles[name][i] ?? close;
    return { open: at('open'), high: at('high'), low: at('low'), close, volume: at('volume') };
  });
  const style = chartStyles[0];
  if (style === undefined) throw new Error('no style of a chart');
  const { bytes } = await drawChart({ ...style, title: symbol }, drawn, { format: 'png', quality: 100, scale: 1 });
  return Buffer.from(bytes);
}

/** What an account does before its pictures are taken, once. */
const prepare: Partial<Record<TourId, (page: Page) => Promise<void>>> = {
  signals: async (page) => {
    await open(page, 'signals', 'Signal Scanner');
    await page.getByRole('button', { name: /^Generate AI Signals/ }).click();
    await page.getByRole('heading', { name: 'Best signal' }).waitFor();
  },
  arbitrage: async (page) => {
    await open(page, 'arb', 'Scanner');
    await page.getByLabel('Least spread').fill('0');
    await page.getByRole('button', { name: /^Scan exchanges/ }).click();
    await page.getByRole('grid', { name: 'Arbitrage results' }).waitFor();
  },
  vision: async (page) => {
    await open(page, 'vision');
    const buffer = await chartOf(page, 'ETHUSDT');
    await page.locator('button:enabled', { hasText: 'Drop your chart here' }).waitFor();
    const responded = page.waitForResponse('**/api/vision/analyze');
    await page.getByLabel('Chart picture').setInputFiles({ name: 'chart.png', mimeType: 'image/png', buffer });
    const response = await responded;
    if (!response.ok()) throw new Error(`the picture was not read: ${await response.text()}`);
    await page.getByRole('heading', { name: 'Your picture' }).waitFor();
  },
};

/** Where the picture of a part is taken. */
const places: Record<TourId, (page: Page) => Promise<void>> = {
  signals: async (page) => {
    await open(page, 'signals', 'Scan Results');
    await page.getByRole('grid', { name: 'Scan results' }).waitFor();
  },
  auto: async (page) => {
    await open(page, 'auto', 'Active Positions');
    await page.getByRole('main').getByRole('row').nth(1).waitFor();
  },
  arbitrage: async (page) => {
    await open(page, 'arb', 'Results');
    await page.getByRole('grid', { name: 'Arbitrage results' }).getByRole('row').nth(1).click();
    await shown(page, 'How long it lasts');
  },
  vision: async (page) => {
    await open(page, 'vision');
    await page.getByRole('heading', { name: 'Your picture' }).waitFor();
    await bring(page, 'Result');
  },
  news: async (page) => {
    await open(page, 'news', 'Live News Feed');
    await page.getByRole('list', { name: 'Stories' }).getByRole('listitem').first().waitFor();
  },
  help: async (page) => {
    await open(page, 'help', 'Browse');
    await page.getByRole('main').getByRole('heading').nth(1).waitFor();
  },
  api: async (page) => {
    await open(page, 'api-docs', 'Trading Signals');
    await page.getByRole('main').getByRole('heading').nth(1).waitFor();
  },
  agents: async (page) => {
    await open(page, 'api-docs', 'Overview');
    await bring(page, 'AI agents (MCP)');
  },
};

/** The picture in the size at which it is shown, as WebP: the browser encodes it, so nothing else is needed. */
async function webpOf(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const url = await page.evaluate(
    async ([source, width, height, quality]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      const ctx = canvas.getContext('2d');
      if (ctx === null) throw new Error('no canvas');
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(image, 0, 0, width, height);
      return canvas.toDataURL('image/webp', quality);
    },
    [`data:image/png;base64,${png.toString('base64')}`, TOUR_SIZE.width, TOUR_SIZE.height, WEBP_QUALITY] as const,
  );
  await page.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/** All parts in both themes, by one account. */
async function drawTour(browser: Browser): Promise<void> {
  const context = await browser.newContext({ baseURL, viewport, locale: 'en-US', reducedMotion: 'reduce' });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const headers = { origin: new URL(baseURL).origin };
  const user = { email: `tour-${Date.now()}@example.com`, password: 'correct horse' };
  const signUp = await page.request.post('/api/auth/signup', { data: user });
  if (!signUp.ok()) throw new Error(`no account: ${await signUp.text()}`);
  // Whatever a scan finds may open.
  await page.request.put('/api/preferences', { data: { min_auto_conf_pct: 0 }, headers });
  const ids = (Object.keys(places) as TourId[]).filter((id) => wanted.length === 0 || wanted.includes(id));
  for (const id of Object.keys(prepare) as TourId[])
    if (ids.includes(id) || (id === 'signals' && ids.includes('auto'))) await prepare[id]?.(page);
  for (const theme of tourThemes) {
    // The account stores its theme and sends it to every page.
    await page.request.put('/api/preferences', { data: { theme }, headers });
    await page.addInitScript((name) => localStorage.setItem('sextant.theme', name), theme);
    for (const id of ids) {
      await places[id](page);
      await page.waitForTimeout(SETTLE_MS);
      for (const name of ['Dismiss until the next visit', 'Keep']) {
        const button = page.getByRole('button', { name, exact: true });
        if (await button.isVisible()) await button.click();
      }
      const file = tourPicture(id, theme);
      const webp = await webpOf(browser, await page.screenshot());
      await writeFile(join(import.meta.dirname, '../public', file), webp);
      process.stdout.write(`${file} ${Math.round(webp.length / 1024)} KiB\n`);
    }
  }
}

const browser = await chromium.launch(await chromiumLaunch());
try {
  await drawTour(browser);
} finally {
  await browser.close();
}
