import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { expectMessage } from './support/messages.ts';
import { payByWallet, startPayment } from './support/payments.ts';
import { openTab, signUp } from './support/users.ts';
import { countPresses } from './support/presses.ts';
import { changeResponses, untilGivenUp } from './support/requests.ts';

const pageOf = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const hourOf = (): number => Math.floor(Date.now() / 3_600_000);

/** One call was made since `hour`, UTC. Calls are counted per full hour: once the next hour has started the count may be 0. */
const expectOneCall = (page: Page, hour: number): Promise<void> =>
  expect(async () => {
    const count = hourOf() === hour ? '1' : '[01]';
    const reported = page.getByText(new RegExp(`^${count} of 60 calls this hour`));
    await expect(reported).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 60_000 });

const planOf = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });

const HEALTH_FAILED = 'API health check failed';

test('KEY-001 KEY-002 KEY-014 KEY-017 KEY-018 KEY-019 ACC-022 DOC-017 ERR-013 NFR-004 a newcomer makes a key and the first call with it, then limits, rotates and revokes it', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page, 'api-manager');
  const presses = await countPresses(page);
  for (const name of ['Plans', 'Current']) await expect(pageOf(page, name)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Credits' })).toBeVisible();
  await expect(page.getByText('0 of 60 calls this hour')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Server key');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await expectMessage(page, 'API Key created successfully!');
  const shown = page.getByLabel('API key', { exact: true });
  await expect(shown).toHaveText(/^sx_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
  await page.getByRole('button', { name: 'Copy key' }).click();
  await expectMessage(page, 'API Key copied to clipboard!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await shown.textContent());
  const hour = hourOf();
  await page.getByRole('button', { name: 'Try it here' }).click();
  await expect(page.getByText('200 OK')).toBeVisible();
  expect(await presses(), 'a newcomer makes a key, copies it and calls: three presses').toBe(3);
  await expectOneCall(page, hour);
  await expect(page.getByText(/^Last used .* from /)).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'a new key');

  await page.getByRole('button', { name: 'I have saved the key' }).click();
  await expect(shown).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit Server key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Bot');
  await page.getByLabel('Scopes', { exact: true }).fill(' read:market ,, ');
  await page.getByRole('button', { name: 'run:arbitrage' }).click();
  await page.getByLabel('IP allowlist').fill('203.0.113.0/33');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/must be an IPv4 or IPv6 address/).first()).toBeVisible();
  await page.getByLabel('IP allowlist').fill('203.0.113.0/24, 2001:db8::/32');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('read:market, run:arbitrage · 203.0.113.0/24, 2001:db8::/32 · 0 credits')).toBeVisible();
  await page.getByRole('button', { name: 'Rotate Bot' }).click();
  await page.getByRole('radio', { name: 'A day' }).check({ force: true });
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await expect(shown).toBeVisible();
  await expect(page.getByText(/^The previous key .* works until/)).toBeVisible();
  await page.getByRole('button', { name: 'I have saved the key' }).click();
  await page.getByRole('button', { name: 'Revoke Bot' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(page.getByText('Create your first key')).toBeVisible();

  await page.getByRole('radio', { name: 'Test', exact: true }).check({ force: true });
  await expect(page.getByText(/^Sandbox with a frozen market/)).toBeVisible();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await expect(shown).toHaveText(/^sx_test_/);
  await page.getByRole('button', { name: 'Try it here' }).click();
  await expect(page.getByText(/599 calls left this hour/)).toBeVisible();
  await expect(page.getByText('"candle_close_at": "2026-06-01T12:00:00.000Z"')).toBeVisible();
  const listed = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').first();
  await expect(listed.getByText('Test', { exact: true })).toBeVisible();
  await expect(listed.getByText(/no credits/)).toBeVisible();
  await expectOneCall(page, hour);
  await expectAccessibleAtBothWidths(page, 'a test key');

  await pageOf(page, 'Usage').click();
  await expect(page.getByText('Success rate')).toBeVisible();
  await expect(page.getByRole('cell', { name: '/api/klines' })).toHaveCount(2);
  await page.getByLabel('Status', { exact: true }).selectOption('429');
  await expect(page.getByText('No calls match these filters.')).toBeVisible();
  await page.getByLabel('Status', { exact: true }).selectOption('');
  await page.getByLabel('Kind of key', { exact: true }).selectOption('test');
  await expect(page.getByRole('cell', { name: 'Server key Test', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Bot Live', exact: true })).toHaveCount(0);
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await file).suggestedFilename()).toBe('sextant-api-calls.csv');
  await expectAccessibleAtBothWidths(page, 'usage');
});

test('KEY-003 KEY-004 KEY-005 KEY-009 KEY-011 KEY-022 ACC-016 ACC-017 ACC-018 ACC-021 ACC-027 ERR-015 X37 a plan is bought with credits, locked until its end, and given back for FREE', async ({
  page,
}) => {
  await signUp(page, 'api-manager');
  await pageOf(page, 'Plans').click();
  for (const [name, limit] of [
    ['FREE', '60'],
    ['STARTER', '120'],
    ['PRO', '600'],
    ['BUSINESS', '2,400'],
  ] as const)
    await expect(planOf(page, name).getByText(limit, { exact: true })).toBeVisible();
  await planOf(page, 'STARTER').getByRole('button', { name: 'Buy STARTER' }).click();
  await expect(page.getByRole('dialog')).toContainText(
    'Until the plan expires you can only switch to FREE, without a refund.',
  );
  await page.getByRole('button', { name: 'Pay 100 credits' }).click();
  await expect(page.getByText('Insufficient credits. Please add funds and try again.')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Add Credits' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await startPayment(page, 100);
  await payByWallet(page, 'full');
  await expect(page.getByText('100 credits added')).toBeVisible();
  await openTab(page, 'API Manager');
  await pageOf(page, 'Plans').click();
  await planOf(page, 'STARTER').getByRole('button', { name: 'Buy STARTER' }).click();
  await page.getByRole('button', { name: 'Pay 100 credits' }).click();
  await expect(page.getByText(/^STARTER runs until .* Until then you can only switch to FREE\.$/)).toBeVisible();
  await expect(planOf(page, 'PRO').getByRole('button', { name: 'Locked until the end' })).toBeDisabled();
  await expect(page.getByText('0 of 120 calls this hour')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'plans');

  await openTab(page, 'Account');
  await pageOf(page, 'Credits & Billing').click();
  await expect(page.getByText('Starter', { exact: true })).toBeVisible();
  await expect(page.getByText('Hourly API limit resets at')).toBeVisible();
  await pageOf(page, 'API Access').click();
  await expect(page.getByText('120', { exact: true })).toBeVisible();
  await page.getByLabel('IP allowlist').fill('198.51.100.7');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await expect(page.getByLabel('API key', { exact: true })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'API access');

  await openTab(page, 'API Manager');
  await planOf(page, 'FREE').getByRole('button', { name: 'Change to FREE' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change to FREE' }).click();
  await expect(page.getByText('0 of 60 calls this hour')).toBeVisible();
  // The plan was paid for its term: going back to FREE costs nothing and says so.
  await planOf(page, 'STARTER').getByRole('button', { name: 'Buy STARTER' }).click();
  await expect(page.getByRole('dialog')).toContainText('Already paid until');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  // A server that names no limit.
  await changeResponses(page, '**/api/account/api-subscription', (body: { current: Record<string, unknown> }) => {
    const { hourly_limit: _left, ...without } = body.current;
    return { ...body, current: without };
  });
  await page.reload();
  await expect(page.getByText('0 of 10 calls this hour')).toBeVisible();
});

test('DOC-001 DOC-002 DOC-003 DOC-004 DOC-005 DOC-011 DOC-012 DOC-013 DOC-014 DOC-016 DOC-018 DOC-019 DOC-029 ERR-006 ERR-011 X51 the documentation shows the calls, tries them, and shows status and logs', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await signUp(page, 'api-docs');
  for (const name of ['Overview', 'Authentication', 'Trading Signals', 'Market Data', 'Analysis', 'Usage & Logs'])
    await expect(pageOf(page, name)).toBeVisible();
  for (const name of ['API Manager', 'Manage Keys'])
    await expect(
      page.getByRole('tabpanel').or(page.locator('main')).getByRole('button', { name, exact: true }).first(),
    ).toBeVisible();
  const sidebar = page.getByRole('complementary', { name: 'API status and files' });
  await expect(sidebar.getByText('Online', { exact: true })).toBeVisible();
  await expect(sidebar.getByText(/^[\d,]+ ms$/)).toBeVisible();
  await expect(sidebar.getByText('100%')).toBeVisible();
  await expect(page.getByText('insufficient_credits', { exact: true })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'overview');

  // Shown for two seconds: the clock stands still until it was read.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await sidebar.getByRole('button', { name: 'Copy the import URL for Postman' }).click();
  await expect(sidebar.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^http.*\/api\/collections\/postman\.json$/,
  );
  await page.clock.runFor(2000);
  await expect(sidebar.getByRole('button', { name: 'Copied' })).toHaveCount(0);
  await page.clock.resume();
  for (const name of ['Postman', 'Insomnia']) {
    const file = page.waitForEvent('download');
    await sidebar.getByRole('button', { name, exact: true }).click();
    expect((await file).suggestedFilename()).toBe(`sextant-${name.toLowerCase()}.json`);
    await expectMessage(page, `${name} collection download started`);
  }

  await pageOf(page, 'Trading Signals').click();
  const signal = page.getByRole('region', { name: 'POST /api/futures-signal', exact: true });
  await signal.getByRole('radio', { name: 'Python' }).check({ force: true });
  await expect(signal.getByText('import json, os, urllib.request')).toBeVisible();
  await signal.getByText('Sandbox response', { exact: true }).click();
  const documented = signal.getByRole('region', { name: 'Sandbox response: POST /api/futures-signal' });
  await expect(documented).toContainText('"candle_close_at": "2026-06-01T12:00:00.000Z"');
  await signal.getByText('Try it').click();
  await signal.getByRole('button', { name: 'Send' }).click();
  await expect(signal.getByText('200 OK')).toBeVisible();
  await expect(signal.getByRole('region', { name: 'Response of POST /api/futures-signal' })).toContainText(
    '"riskLabel"',
  );
  await expectAccessibleAtBothWidths(page, 'a call');

  await pageOf(page, 'Usage & Logs').click();
  await expect(page.getByText('No API calls recorded yet.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Load Usage Logs' }).click();
  await expect(page.getByText('No usage data available for the last 24 hours.')).toBeVisible();
  await expect(
    page.getByText('No API calls recorded yet. Make your first API request to see logs here.'),
  ).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'BUSINESS' })).toBeVisible();
  const made = await page.request.post('/api/account/api-keys', {
    data: {},
    headers: { origin: new URL(page.url()).origin },
  });
  const { api_key: key } = (await made.json()) as { api_key: string };
  await sidebar.getByLabel('API key').fill(key);
  const logs = page.getByRole('region', { name: 'GET /api/account/api-logs', exact: true });
  await logs.getByText('Try it').click();
  await logs.getByRole('button', { name: 'Send' }).click();
  await expect(logs.getByText(/59 calls left this hour/)).toBeVisible();
  await page.getByRole('button', { name: 'Load Usage Logs' }).click();
  await expect(page.getByRole('cell', { name: '/api/account/api-logs' })).toBeVisible();
  await expect(page.getByText('Average time')).toBeVisible();
  await page.route('**/api/account/api-{logs,usage}*', (route) => route.abort());
  await page.getByRole('button', { name: 'Load Usage Logs' }).click();
  await untilGivenUp(page, (timeout) =>
    expect(page.getByRole('cell', { name: '/api/account/api-logs' })).toHaveCount(0, { timeout }),
  );
  await expect(page.getByText(/No API calls recorded yet|No usage data available/)).toHaveCount(0);

  await page.route('**/api/health', (route) => route.fulfill({ status: 502, body: 'bad gateway' }));
  // A response in flight while the route changes still succeeds: then the next check, a minute later, is the one that fails.
  await untilGivenUp(page, (timeout) => expect(sidebar.getByText('Offline', { exact: true })).toBeVisible({ timeout }));
  await expect(sidebar.getByText('API health check failed')).toBeVisible();
  await expect(sidebar.getByText('N/A')).toBeVisible();
  await expect(sidebar.getByText('0%', { exact: true })).toBeVisible();
});

test('DOC-005 ERR-006 X76 a failed health check reads as words: no JSON, no status line', async ({ page }) => {
  await signUp(page, 'api-docs');
  const sidebar = page.getByRole('complementary', { name: 'API status and files' });
  const problem = { code: 'database_unavailable', status: 503, title: 'Database unavailable' };
  const cases = [
    // From a proxy in front of the product.
    [{ status: 503, json: { error: 'no healthy upstream', message: '{"reason":"pod evicted"}' } }, HEALTH_FAILED],
    [{ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }, HEALTH_FAILED],
    [{ status: 503, contentType: 'application/problem+json', json: { ...problem, message: '' } }, HEALTH_FAILED],
    // The default texts.
    [
      { status: 503, contentType: 'application/problem+json', json: { ...problem, message: 'The database is away.' } },
      'The database is away.',
    ],
  ] as const;
  for (const [response, text] of cases) {
    await page.unroute('**/api/health');
    await page.route('**/api/health', (route) => route.fulfill(response));
    await page.reload();
    await expect(sidebar.getByText('Offline', { exact: true })).toBeVisible();
    await expect(sidebar.getByText(text, { exact: true })).toBeVisible();
    await expect(sidebar).not.toContainText(/[{}<>]|50[23]|upstream|evicted/);
  }
});

test('DOC-030 DOC-031 DOC-032 DOC-034 ERR-009 ERR-010 a failed load is named, and the lists stay empty', async ({
  page,
}) => {
  await page.route('**/api/{collections,errors}', (route) => route.abort());
  await page.clock.install();
  await signUp(page, 'api-docs');
  const sidebar = page.getByRole('complementary', { name: 'API status and files' });
  await untilGivenUp(page, (timeout) =>
    expect(page.getByText('Failed to fetch error information').first()).toBeVisible({ timeout }),
  );
  await expect(sidebar.getByRole('button', { name: /import URL/ })).toHaveCount(0);
  await sidebar.getByRole('button', { name: 'Postman', exact: true }).click();
  await untilGivenUp(page, (timeout) => expectMessage(page, 'Failed to get Postman collection', timeout));
  await page.unroute('**/api/{collections,errors}');
  await page.route('**/api/collections', (route) => route.fulfill({ json: { collections: [] } }));
  await sidebar.getByRole('button', { name: 'Insomnia', exact: true }).click();
  await expectMessage(page, 'Insomnia collection not found');
});
