import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';

const HOUR = 3_600_000;
const replay = (page: Page) => page.getByRole('region', { name: 'Bar replay' });
const button = (page: Page, name: string) => replay(page).getByRole('button', { name, exact: true });
const line = (page: Page) => replay(page).getByRole('status', { name: 'Practice' });

/** Open time of the newest candle in the readout. */
async function newest(page: Page): Promise<number> {
  const text = (await replay(page).locator('.chart-readout > span').first().innerText()).replace(' UTC', '');
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

test('DESK-110 DESK-111 DESK-112 candles are stepped and played from any start, trades are practised and judged', async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Bar replay', exact: true }).click();
  const start = replay(page).getByRole('slider', { name: 'Start of the replay' });
  await start.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
  const chosen = (await start.getAttribute('aria-valuetext')) ?? '';
  const from = Date.parse(`${chosen.replace(' UTC', '').replace(' ', 'T')}Z`);
  await expect.poll(() => newest(page)).toBe(from);
  await button(page, 'Start replay').click();

  await button(page, 'Next candle').click();
  await expect.poll(() => newest(page)).toBe(from + HOUR);
  await expect(button(page, 'Close')).toBeDisabled();
  await button(page, 'Long').click();
  await expect(line(page)).toContainText('Long from the next open');
  await expect(button(page, 'Short')).toBeDisabled();
  for (let i = 0; i < 3; i++) await button(page, 'Next candle').click();
  await expect(line(page)).toContainText('1 trade, net');
  await button(page, 'Close').click();
  await button(page, 'Next candle').click();
  await button(page, 'Short').click();
  await replay(page).getByRole('radiogroup', { name: 'Candles a second' }).getByText('10/s').click();
  await button(page, 'Play').click();
  await expect.poll(() => newest(page)).toBeGreaterThan(from + 12 * HOUR);
  await button(page, 'Pause').click();
  await expect(line(page)).toContainText('2 trades, net');
  await page.screenshot({ path: 'test-results/replay.png' });
  await expectAccessibleAtBothWidths(page, 'bar replay');

  await button(page, 'Finish').click();
  const verdict = page.getByRole('region', { name: 'Verdict on the practice' });
  await expect(verdict).toContainText(/^2 trades, \d won/);
  await expect(verdict).toContainText('1 practice on');
  await expect(verdict.getByRole('status')).toContainText('Not enough data');
  await page.screenshot({ path: 'test-results/replay-done.png' });
  await expectAccessibleAtBothWidths(page, 'judged replay');
  await button(page, 'Leave replay').click();
  await expect(replay(page)).toHaveCount(0);
});

const ticket = (page: Page) => replay(page).getByRole('form', { name: 'Practice order' });
/** A figure of the order on the ticket; NaN while it is not shown. */
async function figure(page: Page, name: string): Promise<number> {
  const row = ticket(page).getByLabel('Figures of the order').locator('div', { hasText: name });
  const [text = ''] = await row.getByRole('definition').allInnerTexts();
  return Number.parseFloat(text.replace('\u2212', '-').replaceAll(',', ''));
}
const typed = (page: Page, name: string) => ticket(page).getByRole('textbox', { name, exact: true });

test('DESK-157 the ticket of the replay places a market order with levels and a limit, draws their lines, and is judged', async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Bar replay', exact: true }).click();
  await button(page, 'Start replay').click();
  // The ticket names what is missing, and places nothing.
  await ticket(page).getByText('Limit', { exact: true }).click();
  await expect(ticket(page).getByText('Enter a price above 0.')).toBeVisible();
  await expect(ticket(page).getByRole('button', { name: 'Place buy limit' })).toBeDisabled();
  await ticket(page).getByText('Market', { exact: true }).click();

  await typed(page, 'Notional').fill('2000');
  await typed(page, 'Stop loss').fill('1');
  await ticket(page).getByRole('button', { name: 'Add target' }).click();
  await expect(ticket(page).getByText('Enter the price of target 1, or remove it.')).toBeVisible();
  await typed(page, 'Target 1').fill('900000');
  await ticket(page).getByRole('button', { name: 'Add target' }).click();
  await typed(page, 'Target 2').fill('950000');
  await typed(page, 'Share 1').fill('30');
  await expect(typed(page, 'Share 2')).toHaveValue('70');
  // Nearly all is lost at a stop of 1 USDT, which slips by 0.02 %; both fees are 0.05 %. The size is on the steps of the contract.
  await expect.poll(() => figure(page, 'At the stop')).toBeLessThan(-1000);
  const [quantity, fill] = [await figure(page, 'Quantity'), await figure(page, 'Fill')];
  expect(quantity * fill).toBeLessThanOrEqual(2000);
  // Binance's step of BTCUSDT is 0.001.
  expect(quantity * fill).toBeGreaterThan(2000 - 0.001 * fill);
  const loss = quantity * (fill - 0.9998) + 0.0005 * quantity * (fill + 0.9998);
  expect(await figure(page, 'At the stop')).toBeCloseTo(-loss, 1);
  // With leverage the margin is a share of it, and the liquidation would come before this stop.
  await typed(page, 'Leverage').fill('5');
  await expect(ticket(page).getByText(/^Lower the leverage, or set a nearer stop: liquidation at/)).toBeVisible();
  await typed(page, 'Stop loss').fill('');
  await expect.poll(() => figure(page, 'Margin')).toBeCloseTo((quantity * fill) / 5, 1);
  expect(await figure(page, 'Liquidation')).toBeGreaterThan(fill * 0.79);
  await typed(page, 'Leverage').fill('1');
  await typed(page, 'Stop loss').fill('1');
  await expect.poll(() => figure(page, 'At the stop')).toBeLessThan(-1000);
  await page.screenshot({ path: 'test-results/replay-ticket.png' });
  await expectAccessibleAtBothWidths(page, 'replay ticket');
  await ticket(page).getByRole('button', { name: 'Buy at the next open' }).click();
  await expect(line(page)).toContainText('Long from the next open');
  await expect(ticket(page).getByRole('button', { name: 'Buy at the next open' })).toBeDisabled();
  await button(page, 'Next candle').click();
  await expect(line(page)).toContainText('Long. 1 trade, net');
  await button(page, 'Close').click();
  await button(page, 'Next candle').click();
  await expect(line(page)).toContainText('Flat. 1 trade, net');

  // A limit far below waits, and is cancelled.
  await ticket(page).getByRole('button', { name: 'Remove target 2' }).click();
  await ticket(page).getByRole('button', { name: 'Remove target 1' }).click();
  await ticket(page).getByText('Limit', { exact: true }).click();
  await typed(page, 'Limit price').fill('2');
  await ticket(page).getByRole('button', { name: 'Place buy limit' }).click();
  await expect(line(page)).toContainText('Buy limit waits');
  await button(page, 'Next candle').click();
  await expect(line(page)).toContainText('Buy limit waits');
  await button(page, 'Cancel order').click();
  await expect(line(page)).toContainText('Flat. 1 trade, net');
  await button(page, 'Finish').click();
  await expect(page.getByRole('region', { name: 'Verdict on the practice' })).toContainText(/^1 trade, \d won/);
});
