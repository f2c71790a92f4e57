import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';

const charts = (page: Page) => page.getByRole('region', { name: 'Charts' });
const panels = (page: Page) => charts(page).locator('.chart');

async function showCount(page: Page, count: string): Promise<void> {
  await charts(page)
    .getByRole('radiogroup', { name: 'Number of charts' })
    .getByText(new RegExp(`^${count}( chart)?$`))
    .click();
  await expect(panels(page)).toHaveCount(Number(count));
}

async function openLayouts(page: Page): Promise<void> {
  await charts(page).getByRole('button', { name: 'Layouts' }).click();
}
const popup = (page: Page) => page.getByRole('dialog', { name: 'Layouts' });

test('DESK-104 DESK-105 DESK-106 two charts with their own scales are saved, applied, renamed and deleted, and share a crosshair', async ({
  page,
}) => {
  await signUp(page);
  await expect(panels(page)).toHaveCount(1);
  await showCount(page, '2');
  await charts(page).getByLabel('Symbol of chart 2').selectOption('ETHUSDT');
  await charts(page).getByRole('button', { name: 'Percent' }).first().click();
  await charts(page).getByRole('button', { name: 'Log' }).nth(1).click();
  const readouts = charts(page).locator('.chart-pane:first-child .chart-readout');
  await expect(readouts.nth(1)).toContainText('C');

  // The pointer is on the first chart; the second one, of four hours, shows the candle of that time.
  const plot = charts(page).locator('.u-over').first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('no plot');
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
  const timeOf = async (at: number): Promise<number> => {
    const text = (await readouts.nth(at).locator('span').first().innerText()).replace(' UTC', '');
    return Date.parse(`${text.replace(' ', 'T')}Z`);
  };
  await expect(async () => {
    const [first, second] = [await timeOf(0), await timeOf(1)];
    expect(first - second).toBeGreaterThanOrEqual(0);
    expect(first - second).toBeLessThan(4 * 3_600_000);
  }).toPass();

  await openLayouts(page);
  // By Enter: figures that arrive move the trigger, its popup, and the button from under the pointer.
  await popup(page).getByRole('textbox', { name: 'Layout name' }).fill('Pair');
  await popup(page).getByRole('textbox', { name: 'Layout name' }).press('Enter');
  await expect(popup(page).getByRole('button', { name: /^Pair/ })).toContainText('2 charts');
  await page.keyboard.press('Escape');
  await showCount(page, '1');
  await charts(page).getByRole('button', { name: 'Percent' }).click();

  await page.reload();
  await openLayouts(page);
  await popup(page).getByRole('button', { name: 'Rename Pair' }).click();
  await popup(page).getByRole('textbox', { name: 'New name' }).fill('BTC beside ETH');
  await popup(page).getByRole('button', { name: 'Rename', exact: true }).click();
  await popup(page)
    .getByRole('button', { name: /^BTC beside ETH/ })
    .click();
  await expectMessage(page, 'Layout BTC beside ETH applied');
  await expect(panels(page)).toHaveCount(2);
  await expect(charts(page).getByLabel('Symbol of chart 2')).toHaveValue('ETHUSDT');
  await expect(charts(page).getByRole('button', { name: 'Percent' }).first()).toHaveAttribute('aria-pressed', 'true');
  await expect(charts(page).getByRole('button', { name: 'Log' }).nth(1)).toHaveAttribute('aria-pressed', 'true');

  await showCount(page, '4');
  await page.screenshot({ path: 'test-results/four-charts.png', fullPage: true });
  await expectAccessibleAtBothWidths(page, 'four charts');
  await openLayouts(page);
  await popup(page).getByRole('button', { name: 'Delete BTC beside ETH' }).click();
  await expect(popup(page).getByText('Save the charts as they are')).toBeVisible();
});
