import { expect, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { expectMessage } from './support/messages.ts';
import { openByApi } from './support/positions.ts';
import { openTab, signUp } from './support/users.ts';

// Half an hour off UTC: hours of the day differ from those of the test.
test.use({ timezoneId: 'Asia/Kolkata' });

test('DESK-120 DESK-121 DESK-122 DESK-123 DESK-124 a closed position gets a note, tags and its chart, and the analytics group by them', async ({
  page,
}) => {
  await signUp(page, 'account');
  await openByApi(page, 'BTCUSDT', 'LONG', true);
  await openByApi(page, 'ETHUSDT', 'SHORT', true);
  await openTab(page, 'Dashboard');
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  const row = page.getByRole('row', { name: /BTCUSDT/ });
  await row.click();
  // Closed at once: the costs, over a stop 3 % away.
  await expect(row.getByText(/^\u2212?0\.\d\dR$/)).toBeVisible();

  const form = page.getByRole('form', { name: 'Journal' });
  const note = form.getByRole('textbox', { name: 'Note' });
  const tags = form.getByRole('textbox', { name: 'Tags' });
  const save = form.getByRole('button', { name: 'Save note' });
  await expect(note).toBeEnabled();
  await expect(save).toBeDisabled();
  await note.fill('Chased the breakout.');
  await tags.fill('a;b');
  await expect(form.getByText(/^Use at most 30 letters/)).toBeVisible();
  await expect(save).toBeDisabled();
  await tags.fill('Breakout, late entry');

  // A draft survives another row and comes back.
  await page.getByRole('row', { name: /ETHUSDT/ }).click();
  await expect(note).toBeEnabled();
  await expect(note).toHaveValue('');
  await row.click();
  await expect(note).toHaveValue('Chased the breakout.');
  await save.click();
  await expectMessage(page, 'Journal saved');
  await expect(tags).toHaveValue('breakout, late entry');

  // Another page changed it meanwhile: nothing is overwritten, and saving again after reading it works.
  const [{ id } = { id: '' }] = (
    (await (await page.request.get('/api/positions?state=closed')).json()) as {
      positions: { id: string; symbol: string }[];
    }
  ).positions.filter(({ symbol }) => symbol === 'BTCUSDT');
  await note.fill('Chased the breakout, again.');
  let isOvertaken = false;
  await page.route(`**/api/journal/${id}`, async (route) => {
    if (route.request().method() === 'PUT' && !isOvertaken) {
      isOvertaken = true;
      const changed = { note: 'from my phone', tags: [], revision: 1 };
      const other = await route.fetch({ postData: JSON.stringify(changed) });
      expect(other.status()).toBe(200);
    }
    await route.continue();
  });
  await save.click();
  await expectMessage(page, 'The entry was changed elsewhere. Load it again and save.');
  await expect(note).toHaveValue('Chased the breakout, again.');
  await expect(save).toBeEnabled();
  await tags.fill('breakout, late entry, fomo');
  await expect(async () => {
    await save.click({ timeout: 1000 });
    await expect(form.getByText('Unsaved changes')).toHaveCount(0, { timeout: 2000 });
  }).toPass();

  await page.getByRole('button', { name: 'Add the chart' }).click();
  await expectMessage(page, 'Chart added to the journal');
  const picture = page.getByRole('img', { name: 'Chart in the journal' });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(200);
  await page.reload();
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await row.click();
  await expect(note).toHaveValue('Chased the breakout, again.');
  await expect(picture).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'the journal of a position');

  await page.getByRole('tab', { name: 'Analytics', exact: true }).click();
  const tagTable = page.getByRole('table', { name: 'By tag' });
  await expect(tagTable.getByRole('rowheader')).toHaveCount(4);
  for (const name of ['breakout', 'fomo', 'late entry', 'Without a tag'])
    await expect(tagTable.getByRole('row', { name: new RegExp(`^${name} 1 `) })).toBeVisible();
  await expect(page.getByRole('table', { name: 'By setup' }).getByRole('row', { name: /^Order 2 / })).toBeVisible();
  const calendar = page.getByRole('table', { name: 'Net result by day' });
  await expect(calendar.getByRole('button', { name: /^\d{4}-\d\d-\d\d: [12] trades?, / }).last()).toBeVisible();
  // The hours of the opening follow the zone.
  const hours = page.getByRole('table', { name: 'By hour of the opening' }).getByRole('rowheader');
  const local = await hours.allTextContents();
  await choose(page, 'Days in', 'UTC');
  await expect.poll(() => hours.allTextContents()).not.toEqual(local);
  await calendar.getByRole('button').last().press('Enter');
  await expect(page.getByText(/\d{4}-\d\d-\d\d: [12] trades?, 0 won, net /).first()).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'the calendar of the journal');

  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await row.click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expectMessage(page, 'Chart removed from the journal');
  await expect(picture).toHaveCount(0);
});
