import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';

const openSection = async (page: Page, name: string) => {
  await openTab(page, 'Account');
  await page.getByRole('tab', { name }).click();
};
/** A 4xx failure, which the page does not retry. */
const rejection = {
  status: 400,
  contentType: 'application/problem+json',
  body: '{"code":"validation_failed","message":"no"}',
};

test('ACC-001 ACC-009 ACC-010 ACC-011 ACC-012 ACC-013 ACC-014 X1 X2 trading preferences have their ranges, survive unsaved, and are saved and restored', async ({
  page,
}) => {
  await signUp(page, 'account');
  await expect(page.getByRole('tab', { name: 'Trading' })).toBeVisible();
  const names = await page.getByRole('tablist', { name: 'Account settings' }).getByRole('tab').allTextContents();
  expect(names.filter((name) => name !== 'Security')).toEqual([
    ...['Trading', 'Credits & Billing', 'API Access', 'Privacy & Data', 'Notifications'],
  ]);
  await page.getByRole('tab', { name: 'Trading' }).click();
  const ranges = [
    ['Default leverage', '1', '125', '1', '10'],
    ['Stop loss', '0', '20', '0.001', '2'],
    ['Take profit', '0', '50', '0.001', '4'],
    ['Max concurrent positions', '1', '50', '1', '5'],
  ] as const;
  for (const [name, min, max, step, value] of ranges) {
    const slider = page.getByRole('slider', { name, exact: true });
    for (const [attribute, expected] of Object.entries({ min, max, step })) {
      await expect(slider).toHaveAttribute(attribute, expected);
    }
    await expect(slider).toHaveValue(value);
  }
  await expect(page.getByRole('radio', { name: '1,000 USDT' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'By risk' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'The signal’s' })).toBeChecked();

  await page.getByRole('textbox', { name: 'Default leverage, exact value' }).fill('25');
  await page.getByRole('textbox', { name: 'Stop loss, exact value' }).fill('1.125');
  await page.getByText('700,000 USDT').click();
  await page.getByText('Fixed base', { exact: true }).click();
  await page.getByRole('switch', { name: 'Own base amount' }).click();
  await page.getByLabel('Base, USDT').fill('500');
  await page.getByText('My percent', { exact: true }).click();
  // Risk tolerance and both lists are set here too.
  await page.getByText('Aggressive', { exact: true }).click();
  await page.getByLabel('Whitelist').fill('ethusdt, btcusdt');
  await page.getByLabel('Blacklist').fill('DOGEUSDT');

  // Other sections keep the draft, and the tab marks unsaved changes.
  await page.getByRole('tab', { name: 'Privacy & Data' }).click();
  await openTab(page, 'Dashboard');
  await openSection(page, 'Trading (unsaved)');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Default leverage' })).toHaveValue('25');

  await page.route('**/api/preferences', (route) =>
    route.request().method() === 'PUT' ? route.fulfill(rejection) : route.continue(),
  );
  await page.getByRole('button', { name: 'Save trading preferences' }).click();
  await expectMessage(page, 'Failed to save preferences');
  await page.unroute('**/api/preferences');
  await page.getByRole('button', { name: 'Save trading preferences' }).click();
  await expectMessage(page, 'Trading preferences saved!');
  await expect(page.getByText('All changes saved')).toBeVisible();

  await page.reload();
  // The rejected saves included the open tab.
  await openSection(page, 'Trading');
  await expect(page.getByRole('slider', { name: 'Default leverage' })).toHaveValue('25');
  await expect(page.getByRole('slider', { name: 'Stop loss' })).toHaveValue('1.125');
  await expect(page.getByRole('radio', { name: '700,000 USDT' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Aggressive' })).toBeChecked();
  await expect(page.getByLabel('Whitelist')).toHaveValue('ETHUSDT,BTCUSDT');
  await expect(page.getByLabel('Blacklist')).toHaveValue('DOGEUSDT');
  await expect(page.getByRole('radio', { name: 'Fixed base' })).toBeChecked();
  await expect(page.getByLabel('Base, USDT')).toHaveValue('500');
  await expect(page.getByRole('radio', { name: 'My percent' })).toBeChecked();
});

test('ACC-016 ACC-017 ACC-019 ACC-020 credits are shown, refreshed every 30 s and on request, and a failure is reported', async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page, 'account');
  await openSection(page, 'Credits & Billing');
  await expect(page.getByText('Free Tier')).toBeVisible();
  const balance = page.locator('dl').getByText('10', { exact: true });
  await expect(balance).toBeVisible();
  await expect(page.getByRole('row', { name: /Welcome.*Added.*\+10/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Credits' })).toBeVisible();

  const again = page.waitForRequest('**/api/credits');
  await page.clock.fastForward(31_000);
  await again;
  await page.route('**/api/credits', (route) => route.fulfill(rejection));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expectMessage(page, 'Failed to refresh credits');
  await expect(balance).toBeVisible();
});

test('ACC-023 ACC-024 ACC-028 privacy choices start with their defaults, are saved, and a failure puts them back', async ({
  page,
}) => {
  await signUp(page, 'account');
  await openSection(page, 'Privacy & Data');
  const choice = (name: string) => page.getByRole('switch', { name });
  const expectChoices = async (states: Record<string, boolean>) => {
    for (const [name, isOn] of Object.entries(states)) {
      await expect(choice(name)).toHaveAttribute('aria-checked', String(isOn));
    }
  };
  await expectChoices({
    Analytics: true,
    'Research sharing': true,
    Marketing: false,
    'Public stats': false,
    Leaderboard: true,
    'Allow follow': false,
  });
  for (const name of ['Analytics', 'Allow follow']) {
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/api/account/privacy') && response.request().method() === 'PUT',
    );
    await choice(name).click();
    expect((await saved).ok()).toBe(true);
  }
  await page.reload();
  await expectChoices({ Analytics: false, 'Allow follow': true, Leaderboard: true });
  await page.route('**/api/account/privacy', (route) =>
    route.request().method() === 'PUT' ? route.fulfill(rejection) : route.continue(),
  );
  await choice('Leaderboard').click();
  await expectMessage(page, 'Save failed');
  await expectChoices({ Leaderboard: true });
});

test('an expired re-authentication is requested again in a dialog: it can be cancelled, rejects a wrong password, then the action continues', async ({
  page,
}) => {
  const { email, password } = await signUp(page, 'account');
  await openSection(page, 'Privacy & Data');
  // Ten minutes later: one step_up_required response, then responses of the real server.
  const stale = {
    status: 403,
    contentType: 'application/problem+json',
    body: '{"code":"step_up_required","message":"Confirm your identity to continue.","field":"password"}',
  };
  const refetch = async () => {
    let isRequested = false;
    await page.route('**/api/account/deletion', (route) => {
      if (isRequested || route.request().method() === 'GET') return route.fallback();
      isRequested = true;
      return route.fulfill(stale);
    });
  };
  const request = page.getByRole('alertdialog', { name: 'Delete your account?' });
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await page.getByRole('button', { name: 'Request account deletion' }).click();
  await request.getByRole('textbox').fill(email);
  await refetch();
  await request.getByRole('button', { name: 'Delete in 7 days' }).click();
  await expect(dialog).toBeVisible();
  await expect(request).toHaveCount(0);
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(request).toContainText('Nothing was changed');
  await refetch();
  await request.getByRole('button', { name: 'Delete in 7 days' }).click();
  await dialog.getByLabel('Your password').fill('not this one');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('Wrong password.')).toBeVisible();
  await dialog.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect((await page.request.get('/api/preferences')).status()).toBe(401);
});

test('ACC-025 ERR-013 an export is a JSON file with everything, and a failure is reported', async ({ page }) => {
  const { email } = await signUp(page, 'account');
  await openSection(page, 'Privacy & Data');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^sextant-export-\d{4}-\d\d-\d\d\.json$/);
  const document = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    tables: Record<string, { email?: string }[]>;
  };
  expect(document.tables['users']?.[0]?.email).toBe(email);
  expect(Object.keys(document.tables)).toEqual(
    expect.arrayContaining(['preferences', 'profiles', 'sessions', 'backtests']),
  );
  await expectMessage(page, 'Data exported successfully!');
  await page.route('**/api/account/export', (route) => route.fulfill(rejection));
  await page.getByRole('button', { name: 'Export my data' }).click();
  await expectMessage(page, 'Failed to export data');
});

test('ACC-028 settings that fail to load say so', async ({ page }) => {
  await signUp(page, 'account');
  await openSection(page, 'Trading');
  await expect(page.getByRole('slider', { name: 'Default leverage' })).toBeVisible();
  await page.route('**/api/preferences', (route) => route.fulfill(rejection));
  await page.reload();
  await openSection(page, 'Trading');
  await expect(page.getByRole('alert')).toContainText('Failed to initialize');
  await page.unroute('**/api/preferences');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('slider', { name: 'Default leverage' })).toBeVisible();
});

test('ACC-026 a deletion is confirmed by the address, signs out at once, and is cancelled from the banner', async ({
  page,
}) => {
  const { email, password } = await signUp(page, 'account');
  await openSection(page, 'Privacy & Data');
  await page.getByRole('button', { name: 'Request account deletion' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' });
  const confirm = dialog.getByRole('button', { name: 'Delete in 7 days' });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('textbox').fill('somebody@example.com');
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('textbox').fill(email.toUpperCase());
  await confirm.click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect((await page.request.get('/api/preferences')).status()).toBe(401);

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Password').press('Enter');
  const banner = page.getByRole('complementary', { name: 'Account deletion' });
  await expect(banner).toContainText('We delete your account and all its data on');
  await banner.getByRole('button', { name: 'Keep my account' }).click();
  await expectMessage(page, 'Deletion cancelled. Your account stays.');
  await expect(banner).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(banner).toHaveCount(0);
});
