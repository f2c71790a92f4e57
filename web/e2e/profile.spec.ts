import { expect, type Page, test } from '@playwright/test';
import { jpeg, png } from '../../server/test/features/profile/pictures.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { openByApi } from './support/positions.ts';

const rejection = {
  status: 400,
  contentType: 'application/problem+json',
  body: '{"code":"validation_failed","message":"no"}',
};
const openSettings = async (page: Page) => {
  await openTab(page, 'Profile');
  await page.getByRole('tab', { name: 'Profile Settings' }).click();
};

test('PROF-001 PROF-013 PROF-002 PROF-003 PROF-004 PROF-010 PROF-011 ERR-021 names and bio are edited, saved and shown', async ({
  page,
}) => {
  await signUp(page, 'profile');
  await expect(page.getByRole('tablist', { name: 'Profile' }).getByRole('tab')).toHaveText([
    'Overview',
    'News',
    'Recent Activity',
    'Profile Settings',
  ]);
  await page.getByRole('tab', { name: 'News' }).click();
  const stories = page.getByRole('list', { name: 'News' }).getByRole('listitem');
  await expect(stories.first()).toBeVisible({ timeout: 60_000 });
  expect(await stories.count()).toBeLessThanOrEqual(15);
  await page.getByRole('tab', { name: 'Recent Activity' }).click();
  await expect(page.getByText(/^No closed trades yet/)).toBeVisible();
  await openByApi(page, 'BTCUSDT', 'LONG', true);
  await page.reload();
  await expect(page.getByRole('row', { name: /^BTCUSDT LONG/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { name: 'Trader', exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Profile Settings' }).click();
  const name = page.getByLabel('Display name');
  const save = page.getByRole('button', { name: 'Save profile' });
  await expect(save).toBeDisabled();
  await name.fill('   ');
  await save.click();
  await expect(page.getByText("Name can't be blank")).toBeVisible();
  await name.fill('x'.repeat(51));
  await save.click();
  await expect(page.getByText('At most 50 characters')).toBeVisible();
  await name.fill('Ada Lovelace');
  await page.getByLabel('Bio').fill('First line\nsecond line');
  await page.route('**/api/profile', (route) =>
    route.request().method() === 'PUT' ? route.fulfill(rejection) : route.continue(),
  );
  await save.click();
  await expectMessage(page, 'Failed to save profile');
  await page.unroute('**/api/profile');
  await save.click();
  await expectMessage(page, 'Profile updated successfully');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible();
  await expect(page.getByText('First line second line')).toBeVisible();
  const ranking = page.locator('section').filter({ hasText: 'Ranking, last 30 days' });
  await expect(ranking).toContainText('Simulated positions only, after 10 closed ones');
});

for (const { kind, name, done, removed, uploadFailed, removeFailed } of [
  {
    kind: 'avatar',
    name: 'Avatar',
    done: 'Profile picture updated',
    removed: 'Profile picture removed',
    uploadFailed: 'Failed to upload avatar',
    removeFailed: 'Failed to remove avatar',
  },
  {
    kind: 'cover',
    name: 'Cover',
    done: 'Cover image updated',
    removed: 'Cover image removed',
    uploadFailed: 'Failed to upload cover',
    removeFailed: 'Failed to remove cover',
  },
]) {
  test(`PROF-002 PROF-007 PROF-009 PROF-010 PROF-011 CONST-017 ERR-021 the ${kind} is chosen, seen, uploaded, replaced and removed`, async ({
    page,
  }) => {
    await signUp(page, 'profile');
    await openSettings(page);
    const part = page.getByRole('region', { name });
    const file = part.locator('input[type=file]');
    const picture = part.getByRole('img');
    const choose = async (fileName: string, mimeType: string, buffer: Buffer) =>
      file.setInputFiles({ name: fileName, mimeType, buffer });
    await choose('a.gif', 'image/gif', Buffer.from('GIF89a'));
    await expectMessage(page, uploadFailed);
    await expect(part.getByRole('alert')).toHaveText('Choose a PNG, JPEG or WebP image.');
    await choose('big.png', 'image/png', Buffer.alloc(2 * 1024 * 1024 + 1));
    await expect(part.getByRole('alert')).toHaveText('The image is larger than 2 MB.');
    await choose('not-really.png', 'image/png', Buffer.from('<svg onload="alert(1)"/>'));
    await part.getByRole('button', { name: /^Use this/ }).click();
    await expect(part.getByRole('alert')).toHaveText('Use a PNG, JPEG or WebP image.');
    await part.getByRole('button', { name: 'Cancel' }).click();

    await choose('me.png', 'image/png', await png(300, 200));
    await expect(picture).toHaveAttribute('src', /^blob:/);
    await part.getByRole('button', { name: /^Use this/ }).click();
    await expectMessage(page, done);
    await expect(picture).toHaveAttribute('src', /^\/api\/files\/[0-9a-f-]{36}$/);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1);
    const first = await picture.getAttribute('src');
    await choose('me.jpg', 'image/jpeg', await jpeg(300, 200));
    await part.getByRole('button', { name: /^Use this/ }).click();
    await expect(picture).toHaveAttribute('src', /^\/api\/files\//);
    await expect(picture).not.toHaveAttribute('src', first ?? '');
    expect((await page.request.get(first ?? '')).status()).toBe(404);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect(page.getByRole('tabpanel').getByRole('img')).toHaveCount(1);

    await page.getByRole('tab', { name: 'Profile Settings' }).click();
    await page.route(`**/api/profile/${kind}`, (route) => route.fulfill(rejection));
    await part.getByRole('button', { name: /^Remove/ }).click();
    await expectMessage(page, removeFailed);
    await page.unroute(`**/api/profile/${kind}`);
    await part.getByRole('button', { name: /^Remove/ }).click();
    await expectMessage(page, removed);
    await expect(part.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  });
}

test('PROF-005 PROF-012 another user of the browser sees nothing of the first, and no name that was never chosen', async ({
  page,
}) => {
  await signUp(page, 'profile');
  await openSettings(page);
  await page.getByLabel('Display name').fill('The First');
  await page.getByLabel('Bio').fill('mine alone');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expectMessage(page, 'Profile updated successfully');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0);
  await signUp(page, 'profile');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText(/Joined/)).toBeVisible();
  await expect(page.getByText('The First')).toHaveCount(0);
  await expect(page.getByText('mine alone')).toHaveCount(0);
  await expect(page.getByText(/@[a-z0-9_]+ ·/)).toHaveCount(0);
});
