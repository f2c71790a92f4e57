import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';

const HOUR = 3_600_000;
const replay = (page: Page) => page.getByRole('region', { name: 'Bar replay' });
const button = (page: Page, name: string) => replay(page).getByRole('button', { name, exact: true });
const line = (page: Page) => replay(page).getByRole('status').filter({ hasText: 'USDT a trade' });

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
