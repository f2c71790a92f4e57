import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumLaunch } from '../../browser.ts';

/** Draws web/public/share.png, the picture of shared links: `node web/prerender/drawShareImage.ts`. */
const root = join(import.meta.dirname, '../..');
const font = await readFile(join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
const logo = `<svg viewBox="4 2 24 26" width="84" height="84" fill="none" stroke-linecap="round">
  <g stroke="#6c9bff" stroke-width="2.4" stroke-linejoin="round"><path d="M16 6 7.5 22.5"/><path d="m16 6 8.5 16.5"/><path d="M6 20.5a13 13 0 0 0 20 0"/></g>
  <path d="M16 6v14" stroke="#2fbf8a" stroke-width="2.4"/><circle cx="16" cy="6" r="2.2" fill="#6c9bff"/></svg>`;
const html = `<style>
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font.toString('base64')}); }
  body { margin: 0; width: 1040px; height: 470px; padding: 80px; background: #0b0e14; color: #e6eaf2; font: 500 34px/1.4 Inter; }
  header { display: flex; align-items: center; gap: 22px; font-size: 52px; font-weight: 650; }
  h1 { margin: 56px 0 28px; font-size: 66px; line-height: 1.12; font-weight: 650; letter-spacing: -0.02em; }
  p { margin: 0; color: #93a0b4; }
</style><header>${logo} Sextant</header><h1>Know what your futures strategy would have done. To the bit.</h1>
<p>Backtests in your browser, repeated on the server. Same candles, same parameters, same hash.</p>`;

const browser = await chromium.launch(await chromiumLaunch());
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(html);
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: join(root, 'web/public/share.png') });
await browser.close();
