import { expect, type Page, test } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expectAccessible } from './support/accessible.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { holdBack } from './support/requests.ts';

const codeAt = (secret: string, offsetS = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, '')) }).generate({
    timestamp: Date.now() + offsetS * 1000,
  });

/** The link of the newest email with this subject, opened by click on the outbox page. */
async function openEmail(page: Page, subject: string, to: string, count = 1): Promise<void> {
  const emails = page.locator('section').filter({ hasText: subject }).filter({ hasText: to });
  // The page does not refresh: an email that arrives a moment later is on the next load.
  await expect(async () => {
    await page.goto('/outbox');
    await expect(emails).toHaveCount(count, { timeout: 1000 });
  }).toPass();
  await emails.first().getByRole('link').click();
}

async function openSecurity(page: Page): Promise<void> {
  await openTab(page, 'Account');
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0);
}

test('ACC-002 ACC-003 ACC-004 ACC-005 ACC-006 ACC-008, ERR-012 ERR-013 ERR-014 DATA-025 X52: username, email and password with their messages', async ({
  page,
}) => {
  const { password } = await signUp(page, 'account');
  // A name typed while the present name is loading is checked too.
  const release = await holdBack(page, '**/api/account/username', 'GET');
  await openSecurity(page);
  await page.getByLabel('Username').fill('ad');
  await page.getByLabel('Username').press('Enter');
  await expect(page.getByText(/Failed to update username: Username must be 3 to 20/)).toBeVisible();
  release();
  await page.getByLabel('Username').fill('');
  await page.getByRole('button', { name: 'Update username' }).click();
  await expect(page.getByText('Username cannot be empty')).toBeVisible();
  const name = `Ada_${Date.now() % 1e9}`;
  await page.getByLabel('Username').fill(name);
  await page.getByRole('button', { name: 'Update username' }).click();
  await expectMessage(page, `Username updated to @${name.toLowerCase()}`);
  await page.getByLabel('Username').fill('ad');
  await page.getByRole('button', { name: 'Update username' }).click();
  await expect(page.getByText(/Failed to update username: Username must be 3 to 20/)).toBeVisible();

  await page.getByRole('button', { name: 'Update email' }).click();
  await expect(page.getByText('Email cannot be empty')).toBeVisible();
  await page.getByLabel('New email').fill('nobody');
  await page.getByRole('button', { name: 'Update email' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();

  await page.getByRole('button', { name: 'Update password' }).click();
  await expect(page.getByText('Password cannot be empty').first()).toBeVisible();
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('12345');
  await page.getByRole('button', { name: 'Update password' }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await page.getByLabel('New password').fill('password1');
  await page.getByRole('button', { name: 'Update password' }).click();
  await expect(page.getByText(/Failed to update password: Password must not be one of the most common/)).toBeVisible();
  await page.getByLabel('New password').fill('purple anchors sing');
  await expect(page.getByText('Strong')).toBeVisible();
  await page.getByRole('button', { name: 'Update password' }).click();
  await expectMessage(page, 'Password updated successfully');
  await expectAccessible(page, 'account security');
});

test('ACC-007 NFR-014, X50: two-factor on, sign-in with code and recovery code, reset and new email by email, a session ended', async ({
  page,
  browser,
  baseURL,
}) => {
  const { email, password } = await signUp(page, 'account');
  await openSecurity(page);
  await page.getByRole('button', { name: 'Set up two-factor' }).click();
  const secret = await page.getByTestId('totp-secret').innerText();
  await expectAccessible(page, 'two-factor set-up');
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allInnerTexts();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
  await leave(page);

  await signIn(page, email, password);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expectAccessible(page, 'the code at sign-in');
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toContainText('The code is wrong');
  // The time step of the code that enabled two-factor is used up; the next one is accepted early.
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, 30));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await leave(page);

  await signIn(page, email, password);
  await page.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await leave(page);

  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('If this address has an account')).toBeVisible();
  await expectAccessible(page, 'a forgotten password');
  await openEmail(page, 'Set a new password for Sextant', email);
  await page.getByLabel('New password').fill('purple anchors sing');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Password set.')).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
  await signIn(page, email, 'purple anchors sing');
  await page.getByRole('textbox', { name: 'Code' }).fill(codes[1] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();

  await openSecurity(page);
  await page.getByLabel('New email').fill(`new-${email}`);
  await page.route('**/api/auth/email', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 });
  await page.getByRole('button', { name: 'Update email' }).click();
  await expect(page.getByText('Failed to update email', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Update email' }).click();
  await expectMessage(page, 'Email update requested. Check your new email for confirmation.');
  await openEmail(page, 'Confirm your new email for Sextant', `new-${email}`);
  await page.getByRole('button', { name: 'Use this email' }).click();
  await expect(page.getByText(`new-${email} is your new account email.`)).toBeVisible();

  const elsewhere = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const other = await elsewhere.newPage();
  await signIn(other, `new-${email}`, 'purple anchors sing');
  await other.getByRole('textbox', { name: 'Code' }).fill(codes[2] ?? '');
  await other.getByRole('button', { name: 'Continue' }).click();
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.goto('/');
  await openSecurity(page);
  await expect(page.getByText('This session')).toHaveCount(1);
  await page
    .getByRole('button', { name: /^End the session of/ })
    .first()
    .click();
  await expectMessage(page, 'Session ended');
  await other.reload();
  await expect(other.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();
  await elsewhere.close();
});

/** Makes a key with the session of the page. @returns the status of a call with that key alone */
async function makeKey(page: Page): Promise<() => Promise<number>> {
  const { origin } = new URL(page.url());
  const response = await page.request.post('/api/account/api-keys', {
    headers: { origin },
    data: { name: 'Bot', scopes: ['read:market'] },
  });
  expect(response.status(), await response.text()).toBe(200);
  const { api_key: key } = (await response.json()) as { api_key: string };
  // Not a request of the page: it would carry the session too.
  return async () => (await fetch(new URL('/api/account/whoami', origin), { headers: { 'x-api-key': key } })).status;
}

test('ACC-008 a new password ends the API keys when the box is checked, and leaves them when it is not', async ({
  page,
}) => {
  const { password } = await signUp(page, 'account');
  const callWithKey = await makeKey(page);
  expect(await callWithKey()).toBe(200);
  await openSecurity(page);
  const box = page.getByRole('checkbox', { name: 'Revoke all API keys too' });
  await expect(box).not.toBeChecked();
  const change = async (current: string, next: string): Promise<void> => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByRole('button', { name: 'Update password' }).click();
    // Emptied by the response, not by a message that may still be in sight from the change before.
    await expect(page.getByLabel('Current password')).toHaveValue('');
  };
  await change(password, 'purple anchors sing');
  expect(await callWithKey()).toBe(200);
  await box.check();
  await change('purple anchors sing', 'orange anchors hum');
  expect(await callWithKey()).toBe(401);
  // The box is for one change.
  await expect(box).not.toBeChecked();
  await openTab(page, 'API Manager');
  await page.getByRole('tab', { name: 'Current', exact: true }).click();
  await expect(page.getByRole('list', { name: 'API keys' }).getByText('Revoked', { exact: true })).toBeVisible();
});

test('a reset by email ends the API keys unless the box is cleared', async ({ page }) => {
  const { email } = await signUp(page, 'account');
  const callWithKey = await makeKey(page);
  await leave(page);
  const reset = async (password: string, isRevoking: boolean, emailCount: number): Promise<void> => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText('If this address has an account')).toBeVisible();
    await openEmail(page, 'Set a new password for Sextant', email, emailCount);
    const box = page.getByRole('checkbox', { name: 'Revoke all API keys' });
    await expect(box).toBeChecked();
    if (!isRevoking) await box.uncheck();
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    const said = `Password set. All sessions ended${isRevoking ? ', API keys too' : ''}. Sign in`;
    await expect(page.getByText(said)).toBeVisible();
  };
  await reset('purple anchors sing', false, 1);
  expect(await callWithKey()).toBe(200);
  await reset('orange anchors hum', true, 2);
  expect(await callWithKey()).toBe(401);
});
