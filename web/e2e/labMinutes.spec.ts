import { expect, type Page, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/people.ts';
import { openSharedRun } from './support/sharedLink.ts';

const netPnl = (page: Page) => page.getByTestId('net-pnl');
const settled = (page: Page) => page.getByTestId('settled');
const settledWords = /^(\d+) exits? met stop and target in one candle; minute candles settled (\d+)/;
const choose = (page: Page, what: string, option: string): Promise<void> =>
  page.getByRole('radiogroup', { name: what, exact: true }).getByText(option, { exact: true }).click();

async function setPercent(page: Page, name: string, value: string): Promise<void> {
  const field = page.getByLabel(`${name}, exact value`);
  await field.fill(value);
  await field.blur();
}

/** Moves a slider and waits for its run: what is read after that belongs to it. */
async function move(page: Page, name: string, value: string): Promise<void> {
  const net = await netPnl(page).textContent();
  await setPercent(page, name, value);
  await expect(netPnl(page)).not.toHaveText(net ?? '');
}

/** How many exits met both levels, and how many of them minutes settled. */
async function counts(page: Page): Promise<{ met: number; done: number }> {
  await expect(settled(page)).toHaveText(settledWords);
  const [, met, done] = settledWords.exec((await settled(page).textContent()) ?? '') ?? [];
  return { met: Number(met), done: Number(done) };
}

/** Stop and target so near to the entry that many candles of an hour hold both. */
async function runTight(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  await setPercent(page, 'Stop loss', '0.5');
  await setPercent(page, 'Take profit', '0.5');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
}

test('minutes settle exits whose candle met both levels: after a reload, on the server, in a link, and not when switched off', async ({
  page,
  browser,
}) => {
  await signUp(page, 'backtest');
  await runTight(page);
  const { met, done } = await counts(page);
  expect(met).toBeGreaterThan(2);
  expect(done).toBeGreaterThan(met / 2);
  const net = await netPnl(page).textContent();
  await page.getByRole('button', { name: 'Verify on the server' }).click();
  await expect(page.getByText('Every hash matches')).toBeVisible();
  await page.getByLabel('Name of the run').fill('By minutes');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /By minutes/ })).toBeVisible();

  const stranger = await openSharedRun(page, await browser.newContext());
  await expect(netPnl(stranger)).toHaveText(net ?? '');

  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/minute-candles')) asked.push(request.url());
  });
  await page.reload();
  await expect(netPnl(page)).toHaveText(net ?? '');
  expect(await counts(page)).toEqual({ met, done });
  expect(asked).toEqual([]);

  await page.getByRole('tab', { name: 'Backtest Setup' }).click();
  await choose(page, 'Minutes and mark prices', 'Off');
  await expect(settled(page)).toContainText('without minute candles they take the stop first.');
  await expect(netPnl(page)).not.toHaveText(net ?? '');
  await page
    .getByRole('row', { name: /By minutes/ })
    .getByRole('button', { name: /^Open/ })
    .click();
  await expectMessage(page, /^Backtest restored$/);
  await expect(netPnl(page)).toHaveText(net ?? '');
  await expect(
    page.getByRole('radiogroup', { name: 'Minutes and mark prices' }).getByRole('radio', { name: 'On' }),
  ).toBeChecked();
});

test('a moved stop settles its new candles when it rests; without a network those that are not here stay open, and the page says so', async ({
  page,
  context,
}) => {
  await signUp(page, 'backtest');
  await runTight(page);
  await counts(page);
  await move(page, 'Stop loss', '0.4');
  const moved = await counts(page);
  expect(moved.done).toBeGreaterThan(moved.met / 2);
  await move(page, 'Stop loss', '0.5');
  const before = await counts(page);
  await context.setOffline(true);
  await move(page, 'Stop loss', '0.4');
  expect(await counts(page)).toEqual(moved);
  await move(page, 'Take profit', '0.3');
  await expect(page.getByText(/^Minute candles could not be loaded: /)).toBeVisible();
  await context.setOffline(false);
  await move(page, 'Take profit', '0.5');
  await move(page, 'Stop loss', '0.5');
  expect(await counts(page)).toEqual(before);
});
