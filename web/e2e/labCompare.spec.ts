import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';

const expectFresh = (page: Page) => expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
const comparison = (page: Page) => page.getByRole('region', { name: 'Comparison', exact: true });
const inputPage = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

async function addRun(page: Page, count: number): Promise<void> {
  await expectFresh(page);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(comparison(page)).toContainText(`${count} of 4 runs`);
}

/** Widths of the columns of the runs, whole pixels. */
const runWidths = (page: Page) =>
  comparison(page)
    .getByRole('columnheader')
    .evaluateAll((heads) => heads.slice(1).map((head) => Math.round(head.getBoundingClientRect().width)));

/** Equal columns on a desktop and on a phone, with no text beyond its cell. */
async function expectEqualColumns(page: Page, count: number): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // A phone shows one page at a time.
    await inputPage(page, 'Results & Analytics');
    await expect.poll(async () => new Set(await runWidths(page)).size, `${width} px, ${count} runs`).toBe(1);
    expect(await runWidths(page)).toHaveLength(count);
    const cut = await comparison(page)
      .locator('th, td')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
      );
    expect(cut, `${width} px, ${count} runs`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function setStop(page: Page, percent: string): Promise<void> {
  const stop = page.getByLabel('Stop loss, exact value');
  const before = await page.getByTestId('browser-result').getAttribute('data-hash');
  await stop.fill(percent);
  await stop.press('Enter');
  await expect(page.getByTestId('browser-result')).not.toHaveAttribute('data-hash', before ?? '');
}

test('RULE-122 RULE-123 four runs of Classic, Live rules and own rules side by side: differences bold, renamed, removed, there after a reload', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await addRun(page, 1);
  await expect(comparison(page)).toContainText('Change the setup or the parameters, then press Compare again.');
  // The same run again is no second one.
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expectMessage(page, 'Run added to the comparison');
  await expect(comparison(page)).toContainText('1 of 4 runs');

  await inputPage(page, 'Strategy Parameters');
  await setStop(page, '0.7');
  await addRun(page, 2);
  const row = (name: RegExp) => comparison(page).getByRole('row', { name });
  await expect(row(/^Stop loss/)).toHaveAttribute('data-different', 'true');
  await expect(row(/^Stop loss/)).toContainText(/2\.00.%\s*0\.70.%/);
  await expect(row(/^Take profit/)).toHaveAttribute('data-different', 'false');
  const weightOf = (name: RegExp) =>
    row(name)
      .getByRole('cell')
      .first()
      .evaluate((cell) => Number(getComputedStyle(cell).fontWeight));
  expect(await weightOf(/^Stop loss/)).toBeGreaterThanOrEqual(600);
  expect(await weightOf(/^Take profit/)).toBeLessThan(600);
  await expect(comparison(page).getByRole('list', { name: 'Legend' }).getByRole('listitem')).toHaveCount(2);
  await expect(comparison(page).locator('polyline')).toHaveCount(2);

  await inputPage(page, 'Backtest Setup');
  await choose(page, 'Strategy', 'Live rules');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h, Live rules' })).toBeVisible();
  await addRun(page, 3);
  await choose(page, 'Strategy', 'Own rules');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h, Own rules' })).toBeVisible();
  await addRun(page, 4);
  await expect(row(/^Strategy/)).toContainText(/Classic\s*Classic\s*Rules\s*Rules/);
  await comparison(page)
    .getByRole('button', { name: /more figures: return, risk, trades/ })
    .click();
  await expect(row(/^Omega ratio/).getByRole('cell')).toHaveCount(4);
  await expect(page.getByText('Your rules have an error')).toHaveCount(0);

  // A name of a run is changed where it stands.
  await comparison(page).getByRole('button', { name: 'Rename BTCUSDT 1h, Classic', exact: true }).click();
  const name = comparison(page).getByLabel('New name of BTCUSDT 1h, Classic', { exact: true });
  await name.fill('As it was');
  await name.press('Enter');
  await expect(comparison(page).getByRole('columnheader', { name: /^As it was/ })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Compare As it was' })).toBeChecked();
  await expectAccessibleAtBothWidths(page, 'comparison');

  await page.reload();
  await expect(comparison(page)).toContainText('4 of 4 runs');
  await comparison(page).getByRole('button', { name: 'Remove As it was from the comparison' }).click();
  await expect(comparison(page)).toContainText('3 of 4 runs');
  await expect(page.getByRole('checkbox', { name: 'Compare As it was' })).not.toBeChecked();
  // Removing leaves the saved run, which can be selected again.
  await page.getByRole('checkbox', { name: 'Compare As it was' }).check();
  await expect(comparison(page)).toContainText('4 of 4 runs');
});

test('RULE-123 a name that is rejected is reported, and an edit can be left', async ({ page }) => {
  await signUp(page, 'backtest');
  await addRun(page, 1);
  const rename = comparison(page).getByRole('button', { name: /^Rename / });
  await rename.click();
  const name = comparison(page).getByLabel(/^New name of /);
  await name.press('Escape');
  await expect(name).toHaveCount(0);
  await page.route('**/api/backtest/saved/*', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'database_unavailable', title: 'The database does not respond. Try again.' }),
    }),
  );
  await rename.click();
  await name.fill('Other');
  await name.press('Enter');
  await expectMessage(page, 'The run was not renamed');
  await expect(name).toHaveValue('Other');
});

test('RULE-206 two to four runs side by side have equally wide columns on a desktop and on a phone', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await addRun(page, 1);
  await inputPage(page, 'Backtest Setup');
  await choose(page, 'Strategy', 'Own rules');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h, Own rules' })).toBeVisible();
  await addRun(page, 2);
  await expectEqualColumns(page, 2);
  await inputPage(page, 'Backtest Setup');
  await choose(page, 'Strategy', 'Live rules');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h, Live rules' })).toBeVisible();
  await addRun(page, 3);
  await expectEqualColumns(page, 3);
  await inputPage(page, 'Backtest Setup');
  await choose(page, 'Strategy', 'Classic');
  await inputPage(page, 'Strategy Parameters');
  await setStop(page, '0.7');
  await addRun(page, 4);
  await expectEqualColumns(page, 4);
});
