import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { expectMessage } from './support/messages.ts';
import { runInPalette } from './support/palette.ts';
import { subscribeToFake } from './support/push.ts';
import { signUp } from './support/users.ts';

const form = (page: Page) => page.getByRole('dialog', { name: /alert/i });
const list = (page: Page) => page.getByRole('list', { name: 'Alerts' });
const openPage = (page: Page) => page.getByRole('tab', { name: 'Alerts' }).click();

// Pushes arrive at the service worker.
test.use({ serviceWorkers: 'allow' });

test('DESK-087 DESK-188 an alert is set from the palette, fires with a toast and a push, and its receipt is recomputed', async ({
  page,
}) => {
  await signUp(page, 'dashboard');
  const pushed = await subscribeToFake(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();

  await runInPalette(page, 'alert BTC 9000000', /^Alert when /);
  await expect(form(page).getByLabel('Price, USDT')).toHaveValue('9000000');
  await expect(form(page).getByText('Fires on: BTCUSDT crosses 9,000,000.')).toBeVisible();
  // A channel without a target is said before saving.
  await expect(form(page).getByRole('checkbox', { name: 'Telegram' })).toBeDisabled();
  await expect(form(page).getByText('Link Telegram in Account, Notifications first.')).toBeVisible();
  await expect(form(page).getByRole('checkbox', { name: 'Browser push' })).toBeDisabled();
  await form(page).getByRole('button', { name: 'Allow in this browser' }).click();
  await expect(form(page).getByRole('checkbox', { name: 'Browser push' })).toBeChecked();
  await form(page).getByText('At or below', { exact: true }).click();
  await form(page).getByLabel('Note').fill('Sell half');
  await expectAccessibleAtBothWidths(page, 'form of an alert');
  await form(page).getByRole('button', { name: 'Set alert' }).click();
  // It is due at once: its message may come before the one that it was set.
  await expect(form(page)).toHaveCount(0);
  // The toast fades; the messages retain it.
  await expectMessage(page, /^Alert: BTCUSDT is at or below 9,000,000, now .* Sell half\.$/);

  await expect.poll(pushed).toHaveLength(1);
  expect(JSON.parse((await pushed())[0] ?? '{}')).toMatchObject({
    body: 'Sell half',
    url: '/?tab=dashboard&page=alerts',
  });

  await openPage(page);
  const row = list(page).getByRole('listitem').filter({ hasText: 'BTCUSDT is at or below 9,000,000' });
  await expect(row).toContainText('Fired');
  await expectAccessibleAtBothWidths(page, 'alerts');
  await row.getByRole('button', { name: 'Receipts' }).click();
  const receipts = page.getByRole('dialog', { name: 'Receipts' });
  await expect(receipts.getByText('Browser push: delivered')).toBeVisible();
  await expect(receipts.getByText('In the page: delivered')).toBeVisible();
  await receipts.getByRole('button', { name: 'Recompute here' }).click();
  await expect(receipts.getByText('Same decision: this browser fires it from the same values.')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'receipts of an alert');
  await receipts.getByRole('button', { name: 'Close' }).click();

  await row.getByRole('button', { name: /^Delete / }).click();
  const removal = page.getByRole('dialog', { name: 'Delete this alert?' });
  await expect(removal).toContainText('Its receipts are deleted too.');
  await removal.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: /^Delete / }).click();
  await removal.getByRole('button', { name: 'Delete alert' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('None yet. Pushes also arrive while this page is closed.')).toBeVisible();
});

test('DESK-088 an alert is set from a chart and the watch list, edited, paused and activated', async ({ page }) => {
  await signUp(page, 'dashboard');
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  const plot = page.locator('.chart .u-over').first();
  await plot.scrollIntoViewIfNeeded();
  await plot.click({ button: 'right' });
  const entry = page.getByRole('menuitem', { name: /^Alert at / });
  const price = (await entry.innerText()).replace('Alert at ', '');
  await entry.click();
  // The menu has the decimals of the tick, the sentence as many as the number needs: "115,157.0" and "115,157".
  const level = Number(price.replaceAll(',', '')).toLocaleString('en-US', { maximumFractionDigits: 12 });
  await expect(form(page).getByText(`crosses ${level}.`, { exact: false })).toBeVisible();
  await form(page).getByText('Each time', { exact: true }).click();
  await form(page).getByLabel('Least pause').fill('15');
  await form(page).getByLabel('Expires').selectOption({ label: 'In 7 days' });
  await form(page).getByRole('button', { name: 'Set alert' }).click();
  await expectMessage(page, 'Alert set');

  await page.getByRole('button', { name: 'Set an alert on ETHUSDT' }).click();
  await form(page).getByLabel('Alert on').selectOption({ label: 'Formula' });
  await form(page).getByLabel('Condition').fill('rsi(14 <');
  await form(page).getByRole('button', { name: 'Set alert' }).click();
  await expect(form(page).getByRole('alert')).toContainText('column');
  await form(page).getByLabel('Condition').fill('rsi(14) < 1');
  await form(page).getByRole('button', { name: 'Set alert' }).click();

  await openPage(page);
  const priceRow = list(page).getByRole('listitem').filter({ hasText: 'crosses' });
  await expect(priceRow).toContainText('Active, each time');
  await expect(list(page).getByRole('listitem').filter({ hasText: 'ETHUSDT 1h: rsi(14) < 1' })).toBeVisible();
  await priceRow.getByRole('button', { name: /^Pause / }).click();
  await expect(priceRow).toContainText('Paused');
  await page.reload();
  await openPage(page);
  await expect(priceRow).toContainText('Paused');
  await priceRow.getByRole('button', { name: /^Activate / }).click();
  await expect(priceRow).toContainText('Active');
  await priceRow.getByRole('button', { name: /^Edit / }).click();
  await expect(form(page).getByLabel('Least pause')).toHaveValue('15');
  await form(page).getByLabel('Note').fill('near the high');
  await form(page).getByRole('button', { name: 'Save alert' }).click();
  await expect(priceRow).toContainText('near the high');

  // The sound is a choice of this browser.
  const sound = page.getByRole('switch', { name: 'Sound with each alert in the page' });
  await expect(sound).toBeChecked();
  await sound.click();
  await page.reload();
  await openPage(page);
  await expect(sound).not.toBeChecked();
});

test('DESK-089 a browser that blocks notifications says how to allow them', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await signUp(page, 'dashboard');
  await openPage(page);
  await expect(page.getByText('Notifications are blocked here. Allow them in the site settings')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Allow notifications in this browser' })).toHaveCount(0);
});
