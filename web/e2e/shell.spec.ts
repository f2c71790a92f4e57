// Long because it walks through everything around the pages.
import { expect, type Page, test } from '@playwright/test';
import { sidewaysPx } from './support/accessible.ts';
import { createAccount, openTab, signUp } from './support/users.ts';
import { changeResponses, holdBack } from './support/requests.ts';

// Tests animations of bars, prices and messages, as most users have them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('the watch list shows prices with their age and the chart of the selected symbol, the banner of a simulated market is closed until the next visit', async ({
  page,
}) => {
  await signUp(page);
  const row = page.getByRole('row', { name: /ETHUSDT/ });
  await expect(row.getByRole('cell').nth(2)).toHaveText(/^[\d,]+\.\d{2,6}$/);
  await expect(row.getByRole('cell').nth(3)).toHaveText(/^[+\u2212]?\d+\.\d\d.%$/);
  await row.click();
  await expect(page.getByRole('heading', { name: 'ETHUSDT' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Data: Live/ })).toBeVisible();

  const banner = page.getByText('Simulated market');
  await expect(banner.first()).toBeVisible();
  await page.getByRole('button', { name: 'Hide until the next visit' }).click();
  await page.reload();
  await expect(row.getByRole('cell').nth(2)).toHaveText(/^[\d,]+\.\d{2,6}$/);
  await expect(page.getByRole('complementary', { name: 'Market mode' })).toHaveCount(0);
});

test('SHELL-003 SHELL-004 X55 the last tab and its page are restored', async ({ page }) => {
  await signUp(page, 'backtest');
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/preferences') && (response.request().postData() ?? '').includes('"params"'),
  );
  await page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Strategy Parameters' })).toHaveAttribute('aria-selected', 'true');
});

test('a reload before the open tab could be saved opens it all the same', async ({ page }) => {
  await signUp(page, 'account');
  await page.route('**/api/preferences', (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  );
  const save = page.waitForRequest(
    (request) => request.method() === 'PUT' && (request.postData() ?? '').includes('"news"'),
  );
  await openTab(page, 'News');
  await expect(page.getByRole('heading', { name: 'News', level: 1 })).toBeVisible();
  await save;
  const read = page.waitForResponse((response) => response.url().endsWith('/api/preferences'));
  await page.reload();
  await read;
  // A tab from the response would open within a few frames.
  await page.waitForTimeout(500);
  await expect(page.getByRole('heading', { name: 'News', level: 1 })).toBeVisible();
});

test('a tab is loaded when it is pointed at, the others once the open one was read', async ({ page }) => {
  await page.clock.install();
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const tab = /\/assets\/(\w+Tab)-[^/]*\.js$/.exec(request.url())?.[1];
    if (tab !== undefined) loaded.add(tab);
  });
  await createAccount(page);
  // From here the clock runs only when advanced: the other tabs wait for ten seconds, however slow this machine is.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto('/?tab=account');
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(page.getByRole('tab', { name: 'Security' })).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [10] });
  await page.clock.runFor(2000);
  expect([...loaded]).toEqual(['AccountTab']);
  await page.getByRole('navigation', { name: 'Tabs' }).getByRole('button', { name: 'News' }).hover();
  await expect.poll(() => [...loaded]).toEqual(['AccountTab', 'NewsTab']);
  await page.clock.fastForward(10_000);
  await page.clock.resume();
  // All fifteen tabs.
  await expect.poll(() => loaded.size).toBe(15);
});

test('a page that opens sends each request once: its events start where it started to fetch', async ({ page }) => {
  await createAccount(page);
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    // Prices are polled until the stream delivers them.
    if (request.method() === 'GET' && /^\/api\/(?!price)/.test(pathname)) requested.push(pathname + search);
  });
  const stream = page.waitForResponse(/\/api\/events/);
  await page.goto('/');
  await stream;
  await expect(page.getByRole('button', { name: /^Data: Live/ })).toBeVisible();
  // Requests caused by the first stream event were sent before this one.
  await page.evaluate(() => fetch('/robots.txt'));
  expect(requested.filter((each, at) => requested.indexOf(each) < at)).toEqual([]);
});

test('a click made before the saved place arrives is not taken back', async ({ page }) => {
  await page.route('**/api/preferences', async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  // Awaited from before the page loads: on a slow machine the save may be made before the check.
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/preferences') && response.request().method() === 'PUT',
  );
  await signUp(page, 'backtest');
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toBeVisible();
  await saved;
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toBeVisible();
});

test.describe('in Kolkata', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  test('theme, colours and time zone are stored per account: saved here, there at once elsewhere, and after sign-in in another browser', async ({
    page,
    context,
    browser,
    baseURL,
  }) => {
    const { email, password } = await signUp(page);
    const themeOf = (on: typeof page) => on.locator('html').getAttribute('data-theme');
    const other = await context.newPage();
    await other.goto('/');
    await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();
    const axis = () => other.locator('.chart-readout').first().innerText();
    await expect(other.locator('.chart-readout').first()).toContainText('C');
    expect(await axis()).not.toContain('UTC');
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    await expect.poll(() => themeOf(other)).toBe('light');
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Times in UTC' }).click();
    await expect.poll(axis).toContain('UTC');

    const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', colorScheme: 'dark' });
    const third = await elsewhere.newPage();
    await third.goto('/login');
    expect(await themeOf(third)).toBe('dark');
    await third.getByLabel('Email').fill(email);
    await third.getByLabel('Password').fill(password);
    await third.getByLabel('Password').press('Enter');
    await expect(third.getByRole('button', { name: 'Logout' })).toBeVisible();
    await expect.poll(() => themeOf(third)).toBe('light');
    await elsewhere.close();
  });
});

test('SHELL-009 X69 the bar hides after 50 px of scrolling down and shows near the top, on the way up and under the pointer', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 320 });
  await page.clock.install();
  await signUp(page, 'account');
  await page.getByRole('tab', { name: 'Trading' }).click();
  await expect(page.getByRole('button', { name: 'Save trading preferences' })).toBeVisible();
  await page.mouse.move(500, 300);
  const bar = page.getByRole('banner').first();
  const hidden = async (y: number, isHidden: boolean) => {
    await page.evaluate((top) => window.scrollTo(0, top), y);
    await page.evaluate(() => window.dispatchEvent(new Event('scroll')));
    await page.clock.runFor(101);
    await expect(page.locator('header[data-hidden]'), `${y} px`).toHaveAttribute('data-hidden', String(isHidden));
  };
  await hidden(50, false);
  await hidden(51, true);
  await expect(page.locator('header[data-hidden]')).not.toBeInViewport();
  await hidden(250, true);
  await hidden(240, false);
  await hidden(300, true);
  await page.mouse.move(500, 60);
  await page.clock.runFor(101);
  await expect(page.locator('header[data-hidden]')).toHaveAttribute('data-hidden', 'false');
  await page.mouse.move(500, 300);
  await page.clock.runFor(101);
  await hidden(9, false);
  await expect(bar).toBeVisible();
  // Its popup is read, then has the keyboard focus: it would hide with the bar.
  await page.getByRole('button', { name: 'Messages' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.mouse.move(500, 300);
  await hidden(100, false);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Messages' })).toBeFocused();
  await hidden(200, false);
  await page.getByRole('button', { name: 'Messages' }).blur();
  await hidden(300, true);
});

test('SHELL-010 SHELL-011 CONST-013 a toast is listed, lasts 3.5 s, and can be dismissed before', async ({ page }) => {
  await page.clock.install();
  await signUp(page, 'account');
  await page.getByRole('tab', { name: 'Privacy & Data' }).click();
  await page.route('**/api/account/export', (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      body: '{"code":"validation_failed","message":"no"}',
    }),
  );
  const button = page.getByRole('button', { name: 'Export my data' });
  const toast = page.getByRole('status').getByText('Failed to export data');
  await expect(button).toBeVisible();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 30_000));
  await button.click();
  await expect(toast).toBeVisible();
  await page.getByRole('button', { name: 'Messages, 1 new' }).click();
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Failed to export data');
  await page.getByRole('button', { name: 'Clear 1 message' }).click();
  await expect(page.getByText('No messages yet.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.clock.runFor(3400);
  await expect(toast).toBeVisible();
  await page.clock.runFor(200);
  await expect(toast).toHaveCount(0);
  await button.click();
  await expect(toast).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await expect(toast).toHaveCount(0);
});

test('one failing panel leaves the rest of the view, and Try again brings it back', async ({ page }) => {
  await signUp(page);
  let isBroken = true;
  const body = (await (await page.request.get('/api/credits')).json()) as Record<string, unknown>;
  // A shape that the panel cannot handle: rendering fails.
  await page.route('**/api/credits*', (route) => route.fulfill({ json: isBroken ? { ...body, entries: null } : body }));
  await page.reload();
  const failure = page.getByText('This part of the page failed.');
  await expect(failure).toHaveCount(1);
  await expect(page.getByText('This view failed')).toHaveCount(0);
  for (const name of ['Open positions', 'Recent trades', 'Data status'])
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  const retry = page.locator('main').getByRole('button', { name: 'Try again' });
  const stillBroken = page.waitForResponse('**/api/credits*');
  await retry.click();
  // Waits for its response; otherwise the panel would recover before the second click.
  await stillBroken;
  await expect(failure).toHaveCount(1);
  isBroken = false;
  await retry.click();
  await expect(page.getByRole('heading', { name: 'Credits', exact: true })).toBeVisible();
  await expect(failure).toHaveCount(0);
});

/** From now on the response to `path` has a shape its panel cannot handle, until the returned function is called. */
async function breakResponse(page: Page, path: string, change: (body: Body) => void): Promise<() => void> {
  let isBroken = true;
  await changeResponses(page, path, (body: Body) => {
    if (isBroken) change(body);
    return body;
  });
  return () => (isBroken = false);
}
// Typed only as far as it is changed.
interface Body {
  scan?: { results: { outcomes: unknown; all: unknown } } | null;
  rows?: unknown;
  sessions?: unknown;
}

test('a failing panel of Signals, Signal Tuning, Profile and Account leaves its page, and Try again brings it back', async ({
  page,
}) => {
  await signUp(page, 'signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible({ timeout: 60_000 });
  const cases = [
    {
      tab: 'signals',
      path: '**/api/scan/last',
      change: ({ scan }: Body) => {
        if (scan != null) scan.results.outcomes = null;
      },
      fails: 'Scan summary',
      lives: ['Market scan', 'Best signal'],
    },
    {
      tab: 'settings',
      path: '**/api/scan/last',
      change: ({ scan }: Body) => {
        if (scan != null) scan.results.all = null;
      },
      fails: 'The last scan with these weights',
      lives: ['Indicator weights'],
    },
    {
      tab: 'profile',
      path: '**/api/leaderboard',
      change: (body: Body) => (body.rows = null),
      fails: 'Ranking, last 30 days',
      lives: ['Trader'],
    },
    {
      tab: 'account',
      path: '**/api/auth/sessions',
      change: (body: Body) => (body.sessions = {}),
      fails: 'Sessions',
      lives: ['Username', 'Email', 'Password', 'Two-factor sign-in'],
    },
  ];
  for (const { tab, path, change, fails, lives } of cases) {
    const mend = await breakResponse(page, path, change);
    await page.goto(`/?tab=${tab}`);
    const failure = page.getByText('This part of the page failed.');
    await expect(failure, tab).toHaveCount(1);
    for (const name of lives) await expect(page.getByRole('heading', { name, exact: true }), tab).toBeVisible();
    await expect(page.getByRole('heading', { name: fails, exact: true }), tab).toHaveCount(0);
    mend();
    // A broken response in flight while it was fixed fails the panel once more.
    await expect(async () => {
      if ((await failure.count()) > 0)
        await page.locator('main').getByRole('button', { name: 'Try again' }).click({ timeout: 1000 });
      await expect(page.getByRole('heading', { name: fails, exact: true }), tab).toBeVisible({ timeout: 3000 });
      await expect(failure, tab).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  }
});

test('positions that are still loading are not shown as zeros', async ({ page }) => {
  await signUp(page);
  const release = await holdBack(page, '**/api/positions?*');
  await page.reload();
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary).toContainText('Open positions');
  await expect(summary).not.toContainText('0.00');
  await expect(page.getByText('No open positions. Open one to compute a shock.')).toHaveCount(0);
  release();
  await expect(summary).toContainText('0.00 margin');
  await expect(page.getByText('No open positions. Open one to compute a shock.')).toBeVisible();
});

test('the theme is stored', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Use the light theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('AUTH-018 another user of the browser sees nothing of the first', async ({ page }) => {
  await signUp(page, 'backtest');
  await page.getByText('4h', { exact: true }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 4h' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await signUp(page);
  await expect(page.getByRole('button', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
  await openTab(page, 'Backtest');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
});

test('AUTH-018 after the cookie was exchanged another user finds nothing of the first in this browser', async ({
  page,
  browser,
}) => {
  await signUp(page, 'backtest');
  await page.getByText('4h', { exact: true }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 4h' })).toBeVisible();
  const recordCount = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('sextant', 1);
          opening.onerror = () => reject(new Error('refused'));
          opening.onupgradeneeded = () => opening.result.createObjectStore('records');
          opening.onsuccess = () => {
            const counting = opening.result.transaction('records').objectStore('records').count();
            counting.onsuccess = () => resolve(counting.result);
          };
        }),
    );
  await expect.poll(recordCount).toBeGreaterThan(0);
  const first = await page.evaluate(() => localStorage.getItem('sextant.owner'));
  const other = await (await browser.newContext()).newPage();
  await signUp(other);
  const cookies = await other.context().cookies();
  await other.context().close();
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  await page.goto('/?tab=backtest');
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  const second = await page.evaluate(() => localStorage.getItem('sextant.owner'));
  expect(second).not.toBe(first);
  // The standard run of the second user is counted, the 4h run of the first is not.
  const trials = () => page.evaluate(() => localStorage.getItem('sextant.trials') ?? '');
  await expect.poll(trials).toContain('BTCUSDT 1h');
  expect(await trials()).not.toContain('BTCUSDT 4h');
});

test('SHELL-001 SHELL-005 SHELL-006 SHELL-007 SHELL-008 SHELL-012 SHELL-013 SHELL-018 NFR-001 NFR-002 NFR-003 NFR-005 NFR-006 NFR-017 the bar has the tabs, More, Logout and the documentation', async ({
  page,
  context,
}) => {
  await signUp(page);
  await expect(page).toHaveURL(/\/\?tab=dashboard$/);
  const tabs = page.getByRole('navigation', { name: 'Tabs' }).filter({ visible: true });
  await expect(tabs.getByRole('button', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
  const main = ['Dashboard', 'Signals', 'Auto', 'Backtest', 'Arbitrage', 'Profile', 'Funds', 'News', 'Help'];
  await expect(tabs.getByRole('button')).toHaveText(main);
  for (const name of ['Backtest', 'Signals', 'Profile']) {
    await openTab(page, name);
    await expect(tabs.getByRole('button', { name })).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveURL(new RegExp(`/\\?tab=${name.toLowerCase()}$`));
  }
  await page.getByRole('button', { name: 'More' }).click();
  const more = ['Vision', 'Signal Tuning', 'Payments', 'API Manager', 'API Docs', 'Account'];
  for (const name of more) await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible();
  const opened = context.waitForEvent('page');
  await page.getByRole('menuitem', { name: 'API documentation' }).click();
  const documentation = await opened;
  await expect(documentation).toHaveURL(/\/api-documentation$/);
  await documentation.goto('/api-documentation/plain');
  await expect(documentation.getByRole('heading', { name: 'Sextant API' })).toBeVisible();
  await expect(documentation.getByRole('heading', { name: 'GET /api/watchlist' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('in a window of any width bar and page end within it and Logout is in reach; tabs without room scroll', async ({
  page,
}) => {
  // The page with the least room for its text.
  await signUp(page, 'api-docs');
  await expect(page.getByRole('columnheader', { name: 'Credits for 30 days' })).toBeVisible();
  const logout = page.getByRole('button', { name: 'Logout' });
  for (const width of [1440, 1100, 1099, 900, 768, 767, 390, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    // Labels that only wide windows have go with the next frame.
    const right = async () => {
      const box = await logout.boundingBox();
      return box === null ? Infinity : box.x + box.width;
    };
    await expect.poll(right, `Logout at ${width} px`).toBeLessThanOrEqual(width);
    await expect.poll(() => sidewaysPx(page), `page at ${width} px`).toBe(0);
  }
  await page.setViewportSize({ width: 768, height: 800 });
  await page.getByRole('navigation', { name: 'Tabs' }).getByRole('button', { name: 'Help' }).click();
  await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeInViewport({ ratio: 1 });
});

test('X18 ?tab= opens its tab, leaves other parameters, and is the last tab from then on', async ({ page }) => {
  await createAccount(page);
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/preferences') && response.request().method() === 'PUT',
  );
  await page.goto('/?tab=backtest&kept=1');
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toBeVisible();
  await expect(page).toHaveURL(/\/\?kept=1&tab=backtest$/);
  expect((await saved).request().postDataJSON()).toMatchObject({ active_tab: 'backtest' });
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Backtest Setup' })).toBeVisible();
});

test('SHELL-020 X43 the watch list stores starred symbols, finds searched ones, and another tab sees changes at once', async ({
  page,
  context,
}) => {
  await signUp(page);
  const panel = (on: typeof page) => on.locator('section').filter({ hasText: 'Watch list' });
  await expect(panel(page).getByText('Your watch list is empty')).toBeVisible();
  // The chart names the exchange of its candles too, once they are loaded.
  await expect(
    page.locator('section').filter({ hasText: 'Data status' }).getByText('Binance', { exact: true }),
  ).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await expect(panel(other).getByText('Your watch list is empty')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Watch ETHUSDT' }).click();
  for (const on of [page, other]) {
    // The starred one first; suggestions stay below it until the own list is as long.
    await expect(panel(on).getByRole('row').nth(1)).toContainText('ETHUSDT');
    await expect(panel(on).getByRole('button', { name: 'Stop watching ETHUSDT' })).toBeVisible();
    await expect(panel(on).getByRole('button', { name: 'Watch BTCUSDT' })).toBeVisible();
    await expect(panel(on).getByRole('row')).toHaveCount(11);
  }
  await page.getByRole('button', { name: 'Add symbol' }).click();
  await page.getByRole('combobox', { name: 'Symbol to watch' }).fill('sol');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^SOLUSDT/);
  await page.keyboard.press('Enter');
  await expect(panel(other).getByRole('row', { name: /SOLUSDT/ })).toBeVisible();
  await panel(other).getByRole('button', { name: 'Stop watching ETHUSDT' }).click();
  await expect(panel(page).getByRole('button', { name: 'Watch ETHUSDT' })).toBeVisible();
});

test('Logout in one tab ends the others at once', async ({ page, context }) => {
  await signUp(page);
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(other.getByRole('button', { name: 'Logout' })).toHaveCount(0);
});

test('the command palette reaches tabs, pages, symbols and commands by keyboard alone', async ({ page }) => {
  await signUp(page);
  await expect(page.getByRole('row', { name: /ETHUSDT/ })).toBeVisible();
  const search = page.getByRole('combobox', { name: 'Search tabs, symbols and commands' });
  const run = async (typed: string, match: RegExp) => {
    await page.keyboard.press('Control+k');
    await expect(search).toBeFocused();
    await page.keyboard.type(typed);
    await expect(page.getByRole('option', { selected: true })).toHaveText(match);
    await page.keyboard.press('Enter');
    await expect(search).toHaveCount(0);
  };
  await run('strategy par', /^Strategy Parameters/);
  await expect(page.getByRole('tab', { name: 'Strategy Parameters' })).toHaveAttribute('aria-selected', 'true');
  await run('avax chart', /^AVAXUSDT.*Chart/);
  await expect(page.getByRole('heading', { name: 'AVAXUSDT' })).toBeVisible();
  await run('light theme', /light and the dark theme/);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await run('doge backtest', /^DOGEUSDT.*Backtest/);
  await expect(page.getByRole('combobox', { name: 'Symbol', exact: true })).toHaveValue('DOGEUSDT');
  await page.keyboard.press('Escape');
  await page.locator('#main').focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { name: 'AVAXUSDT' })).toBeVisible();
});
