import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';

interface Sent {
  symbols?: string[];
  interval?: string;
  strategy?: { intervals: { interval: string }[] };
  limit: number;
  limits?: Record<string, number>;
  asAuto: boolean;
}

const isRun = (request: { url: () => string; method: () => string }): boolean =>
  request.method() === 'POST' && request.url().endsWith('/api/backtest/portfolio');
const result = (page: Page): Locator => page.getByRole('region', { name: 'Portfolio result' });
/** Named after Auto as long as nothing of it was changed. */
const runButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Backtest my Auto rules|Run portfolio)$/ });
const figures = (page: Page): Locator => page.getByTestId('portfolio-figures');

async function openPortfolio(page: Page): Promise<void> {
  await signUp(page, 'backtest');
  await page.getByRole('tab', { name: 'Portfolio' }).click();
  await expect(page.getByText('Run your Auto rules with one account over your universe.')).toBeVisible();
}

/** Runs the form. @returns the request and the figures on screen */
async function run(page: Page): Promise<{ sent: Sent; shown: string }> {
  const sending = page.waitForRequest(isRun);
  await runButton(page).click();
  const sent = (await sending).postDataJSON() as Sent;
  await expect(result(page)).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByText('Showing the last run.')).toHaveCount(0);
  return { sent, shown: (await figures(page).textContent()) ?? '' };
}

test('RULE-117 runs the Auto rules over the universe, and each control changes the run', async ({ page }) => {
  await openPortfolio(page);
  const { sent, shown } = await run(page);
  expect(sent).toEqual({ interval: '1h', limit: 1200, asAuto: true });
  await expect(figures(page)).toContainText('Net PnL');
  for (const name of ['Equity, USDT', 'Drawdown, %', 'Gross exposure, % of equity'])
    await expect(page.getByRole('img', { name })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Contribution by symbol' }).getByRole('listitem')).not.toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Returns by month' })).toBeVisible();
  await expect(page.getByTestId('portfolio-notes')).toContainText('Delisted ones are missing');
  await expect(page.getByTestId('portfolio-notes')).toContainText('cannot be measured');
  await expect(page.getByRole('heading', { name: 'Verdict' })).toBeVisible();

  // Symbols.
  await page.getByText('Symbols', { exact: true }).last().click();
  const names = page.getByLabel('Names');
  await names.fill('BTC/USD');
  await expect(page.getByText('BTC/USD is no symbol')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Backtest my Auto rules' })).toBeDisabled();
  await names.fill('btcusdt, ethusdt, solusdt, nosuchusdt');
  await expect(page.getByText('Showing the last run.')).toBeVisible();
  const named = await run(page);
  expect(named.sent.symbols).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'NOSUCHUSDT']);
  expect(named.shown).not.toBe(shown);
  await expect(page.getByText('Left out: NOSUCHUSDT (not traded).')).toBeVisible();
  await names.fill('BTCUSDT, ETHUSDT, SOLUSDT');

  // Strategy and interval: rules without the limits of confidence, and longer candles.
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('Live rules, standard weights');
  const live = await run(page);
  expect(live.sent.strategy?.intervals).toEqual([{ interval: '1h', weight: 1 }]);
  expect(live.shown).not.toBe(named.shown);
  await page.getByRole('radiogroup', { name: 'Interval of the portfolio' }).getByText('15m').click();
  const quarter = await run(page);
  expect(quarter.sent.interval).toBe('15m');
  expect(quarter.shown).not.toBe(live.shown);

  // Candles.
  const candles = page.getByLabel('Candles of each symbol');
  await candles.fill('600');
  const shorter = await run(page);
  expect(shorter.sent.limit).toBe(600);
  expect(shorter.shown).not.toBe(quarter.shown);

  // Limits: each is sent; the settings come back with one press.
  await expect(page.getByLabel('Open positions')).toHaveValue('5');
  await page.getByLabel('Open positions').fill('1');
  await expect(page.getByRole('button', { name: 'Run portfolio' })).toBeEnabled();
  const one = await run(page);
  expect(one.sent.limits).toMatchObject({ positionsMax: 1, openingsMax: 5 });
  expect(one.shown).toContain('at most 1,');
  for (const [label, key, value] of [
    ['Openings in one candle', 'openingsMax', 1],
    ['Daily loss', 'dailyLossPct', 0.5],
    ['Stops in a row', 'stopStreak', 1],
    ['Cooldown', 'cooldownMinutes', 3000],
    ['Drawdown', 'drawdownPct', 1],
    ['Gross exposure', 'grossMaxFraction', 0.5],
    ['Net exposure', 'netMaxFraction', 0.25],
    ['Loss at all stops', 'stopLossMaxFraction', 0.01],
  ] as const) {
    await page.getByRole('textbox', { name: label }).fill(String(value));
    expect((await run(page)).sent.limits).toMatchObject({ [key]: value });
  }
  await expect(page.getByTestId('portfolio-skips')).toContainText(/Drawdown guard|Stop streak guard|Gross exposure/);
  await page.getByRole('button', { name: 'Use my Auto settings' }).click();
  await expect(page.getByLabel('Open positions')).toHaveValue('5');
  const again = await run(page);
  expect(again.sent).not.toHaveProperty('limits');
  expect(again.shown).toBe(shorter.shown);
});

test('RULE-117 is accessible with its result at both widths', async ({ page }, info) => {
  await openPortfolio(page);
  await page.getByText('Symbols', { exact: true }).last().click();
  await page.getByLabel('Names').fill('BTCUSDT, ETHUSDT, SOLUSDT');
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('Live rules, standard weights');
  await run(page);
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 3600 });
      await expect(page.getByTestId('portfolio-notes')).toBeInViewport();
      await page.screenshot({ path: info.outputPath(`portfolio-${theme}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessibleAtBothWidths(page, 'portfolio');
});

test('RULE-117 cancels, says why a run failed, and tries again', async ({ page, context }) => {
  await openPortfolio(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/backtest/portfolio', async (route) => {
    await held;
    await route.abort().catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Backtest my Auto rules' }).click();
  await expect(page.getByRole('button', { name: 'Loading and running…' })).toBeDisabled();
  // The lab's own run may have one, too.
  await page.getByRole('form', { name: 'Portfolio' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Backtest my Auto rules' })).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  release();
  await page.unroute('**/api/backtest/portfolio');

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Backtest my Auto rules' }).click();
  await expect(page.getByRole('alert')).toContainText('No response from the server');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(result(page)).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByRole('alert')).toHaveCount(0);
});
