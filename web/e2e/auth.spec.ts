import { expect, test } from '@playwright/test';
import { signUp, signUpOnScreen } from './support/users.ts';
import { holdBack } from './support/requests.ts';

test('AUTH-001 AUTH-002 AUTH-003 AUTH-004 AUTH-006 AUTH-009 AUTH-013 AUTH-014 AUTH-015 AUTH-016 the sign-in screen has its texts and shows each error under its field', async ({
  page,
}) => {
  await page.goto('/login');
  for (const tab of ['Sign In', 'Sign Up']) await expect(page.getByRole('tab', { name: tab })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password');
  for (const feature of ['Real-time AI signals', 'Enterprise security', 'Advanced analytics'])
    await expect(page.getByText(feature)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Email cannot be empty')).toBeVisible();
  await expect(page.getByText('Password cannot be empty')).toBeVisible();

  await page.getByRole('button', { name: 'Create an account' }).click();
  await expect(page.getByRole('heading', { name: 'Join the Future' })).toBeVisible();
  await page.getByLabel('Email').fill('ada');
  await page.getByLabel('Password').fill('12345');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
});

test('the terms and the privacy policy can be read from the sign-up form, which keeps its input', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByText('By signing up you accept')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill('ada@example.com');
  for (const [name, heading] of [
    ['Terms of Service', /Terms/],
    ['Privacy Policy', /Privacy/],
  ] as const) {
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name }).click();
    await expect((await opened).getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com');
});

test('AUTH-011 AUTH-012 where addresses are confirmed, a sign-up leads to the confirmation email, not to an error', async ({
  page,
}) => {
  // This installation runs without confirmation: the responses are changed to those of one with it.
  const app = (await (await page.request.get('/api/app')).json()) as object;
  await page.route('**/api/app', (route) => route.fulfill({ json: { ...app, signUpConfirmation: true } }));
  await page.route('**/api/auth/signup', (route) => route.fulfill({ json: { user: null, confirmation_sent: true } }));
  await page.goto('/login');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await expect(page.getByText('We email you a link. Open it to confirm your address.')).toBeVisible();
  await page.getByLabel('Email').fill('waiting@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByRole('status')).toContainText('waiting@example.com');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByLabel('Email')).toHaveValue('waiting@example.com');
});

test('AUTH-005 Back is shown when the URL requests it', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started' }).click();
  // The link promises an account, so the sign-up form is open.
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: 'Sign Up', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('AUTH-008 AUTH-011 AUTH-013 AUTH-017 AUTH-020 AUTH-022 a wrong password is rejected in a red box, the right one opens the dashboard, Logout ends it', async ({
  page,
}) => {
  await page.goto('/login');
  const { email, password } = await signUpOnScreen(page);
  const currentUser = async () =>
    ((await (await page.request.get('/api/auth/session')).json()) as { user: { email: string } | null }).user?.email;
  const statusOfPreferences = async () => (await page.request.get('/api/preferences')).status();
  expect([await currentUser(), await statusOfPreferences()]).toEqual([email, 200]);
  await expect(page).toHaveURL(/\/\?tab=dashboard$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect([await currentUser(), await statusOfPreferences()]).toEqual([undefined, 401]);

  await page.goto('/login');
  await page.getByLabel('Email').fill(` ${email} `);
  await page.getByLabel('Password').fill('not this one');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid email or password.');

  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Password').press('Enter');
  await expect(page.getByRole('button', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
  expect([await currentUser(), await statusOfPreferences()]).toEqual([email, 200]);
});

test('signing in leads into the product and nowhere else, whatever the URL requests', async ({ page }) => {
  const { email, password } = await signUp(page);
  const requested: string[] = [];
  for (const target of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/\\evil.example']) {
    await page.context().clearCookies();
    const query = ['callbackURL', 'redirect', 'next', 'return_to'].map(
      (name) => `${name}=${encodeURIComponent(target)}`,
    );
    page.on('request', (request) => requested.push(new URL(request.url()).hostname));
    await page.goto(`/login?${query.join('&')}`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Password').press('Enter');
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/');
  }
  expect(new Set(requested)).toEqual(new Set([new URL(page.url()).hostname]));
});

test('AUTH-007 AUTH-010 while working the button says so and cannot be pressed again', async ({ page }) => {
  const release = await holdBack(page, '**/api/auth/signin');
  await page.goto('/login');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password').fill('whatever');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled();
  release();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled();
});

test('ERR-005 an unreachable server is reported in words', async ({ page }) => {
  await page.goto('/login');
  await page.route('**/api/auth/signin', (route) => route.abort());
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password').fill('whatever');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toContainText('No response from the server');
});

test('the demo account opens with one button', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Try the demo account' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
});
