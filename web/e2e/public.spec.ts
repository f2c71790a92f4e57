// Long because it walks through every public page.
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { createAccount } from './support/users.ts';
import { changeResponses } from './support/requests.ts';

const pages = [
  ['PUB-001', '/', 'Know what your futures strategy would have done. To the bit.'],
  ['PUB-002', '/features', 'Tools for traders who check'],
  ['PUB-003', '/how', 'Four steps, each one checkable'],
  ['PUB-004', '/security', 'The safest key is the one you never hand over'],
  ['PUB-005', '/faq', 'Questions and answers'],
  ['PUB-006', '/login', 'Welcome Back'],
  ['PUB-007', '/privacy-policy', 'Privacy policy'],
  ['PUB-008', '/terms-of-service', 'Terms of service'],
  // Not of the specification: docs/architecture.md.
  ['scoreboard', '/scoreboard', 'Outcome of every signal'],
  ['status', '/status', 'Status'],
  ['help', '/help', 'Help centre'],
  ['help article', '/help/glossary-result-figures', 'Glossary: main figures of a backtest'],
] as const;
// Highlights that move.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** The scoreboard has most: the record, live and replayed. */
const INITIAL_BYTES_MAX = 124 * 1024;
const CLS_MAX = 0.02;

/** Console errors and faults of the page, collected from now on. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error') faults.push(line.text());
  });
  page.on('pageerror', (fault) => faults.push(fault.message));
  return faults;
}

interface Vitals {
  cls: number;
  lcpMs: number;
  longestTaskMs: number;
}

const vitalsOf = (page: Page): Promise<Vitals> =>
  page.evaluate(async () => {
    const entriesOf = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
        setTimeout(() => resolve([]), 300);
      });
    const [shifts, paints, tasks] = await Promise.all(
      ['layout-shift', 'largest-contentful-paint', 'longtask'].map(entriesOf),
    );
    return {
      cls: (shifts ?? []).reduce((sum, shift) => sum + (shift as PerformanceEntry & { value: number }).value, 0),
      lcpMs: paints?.at(-1)?.startTime ?? 0,
      longestTaskMs: Math.max(0, ...(tasks ?? []).map((task) => task.duration)),
    };
  });

/** Gzipped bytes of the scripts and styles a page requests before the live run of the home page starts. */
async function initialBytes(page: Page, request: APIRequestContext): Promise<number> {
  const { names, sentTwice } = await page.evaluate(() => {
    const start = performance.getEntriesByName('demo-start')[0]?.startTime ?? Infinity;
    const early = performance.getEntriesByType('resource').filter((entry) => entry.startTime < start);
    const files = early.filter(({ name }) => /\.(m?js|css)$/.test(new URL(name).pathname));
    // A late file is requested and then imported: the second time it must come from the cache.
    const later = (files as PerformanceResourceTiming[]).filter(({ name }, at) =>
      files.slice(0, at).some((file) => file.name === name),
    );
    return {
      names: [...new Set(files.map(({ name }) => name))],
      sentTwice: later.filter(({ transferSize }) => transferSize > 0).map(({ name }) => name),
    };
  });
  expect(sentTwice).toEqual([]);
  expect(names.length).toBeGreaterThan(2);
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await (await request.get(name)).body()).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`PUB-001 to PUB-008 each page is there, quick, within its budget and still, at ${width} px`, async ({
    browser,
    request,
    baseURL,
  }) => {
    const figures: Record<string, string> = {};
    for (const [id, path, heading] of pages) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: 'en-US',
        baseURL: baseURL ?? '',
      });
      const page = await context.newPage();
      const faults = faultsOf(page);
      const response = await page.goto(path, { waitUntil: 'networkidle' });
      expect(response?.status(), id).toBe(200);
      await expect(page.getByRole('heading', { level: 1, name: heading }), id).toBeVisible();
      if (path === '/') await expect(page.getByTestId('demo-speed')).toBeVisible();
      const { cls, lcpMs, longestTaskMs } = await vitalsOf(page);
      const bytes = await initialBytes(page, request);
      figures[path] =
        `${(bytes / 1024).toFixed(1)} KiB, LCP ${lcpMs.toFixed(0)} ms, CLS ${cls.toFixed(4)}, longest task ${longestTaskMs.toFixed(0)} ms`;
      expect(bytes, `${path} loads too much`).toBeLessThan(INITIAL_BYTES_MAX);
      expect(cls, `${path} moves`).toBeLessThan(CLS_MAX);
      expect(faults, path).toEqual([]);
      const wide = await page.evaluate(() => [...document.images].filter((image) => !image.width).length);
      expect(wide, `${path} has pictures without a size`).toBe(0);
      await context.close();
    }
    process.stdout.write(`${width} px ${JSON.stringify(figures)}\n`);
  });
}

test('no page moves when its file, its fonts or a part of its figures come late', async ({ browser, baseURL }) => {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    for (const path of ['/', '/terms-of-service', '/login', '/scoreboard']) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: 'en-US',
        baseURL: baseURL ?? '',
      });
      const page = await context.newPage();
      await page.route(/Page-[^/]*\.js$|\.woff2$|origin=replayed$/, async (route) => {
        // After the responses to the page's earlier requests.
        await delay(600);
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      expect((await vitalsOf(page)).cls, `${path} at ${width} px moves`).toBeLessThan(CLS_MAX);
      await context.close();
    }
  }
});

test('each page has its content, title, description and share tags in the HTML itself', async ({ request }) => {
  for (const [, path, heading] of pages) {
    const html = await (await request.get(path)).text();
    if (path !== '/login') expect(html, path).toContain(heading);
    const read = (pattern: RegExp) => pattern.exec(html)?.[1] ?? '';
    expect(read(/<title>(.*?)<\/title>/).length, path).toBeGreaterThan(10);
    expect(read(/name="description" content="(.*?)"/).length, path).toBeGreaterThan(40);
    expect(new URL(read(/rel="canonical" href="(.*?)"/)).pathname).toBe(path);
    expect(read(/property="og:title" content="(.*?)"/)).toBe(read(/<title>(.*?)<\/title>/));
    expect(html).toContain('name="twitter:card" content="summary_large_image"');
    const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(inline.every((attributes) => attributes?.includes('application/ld+json'))).toBe(true);
  }
  const faq = await (await request.get('/faq')).text();
  const data = JSON.parse(/ld\+json">(.*?)<\/script>/.exec(faq)?.[1] ?? '{}') as { mainEntity: unknown[] };
  expect(data.mainEntity).toHaveLength(12);
  const { articles } = (await (await request.get('/api/support/articles')).json()) as { articles: { slug: string }[] };
  const sitemap = await (await request.get('/sitemap.xml')).text();
  expect(sitemap.match(/<loc>/g)).toHaveLength(11 + articles.length);
  const llms = await (await request.get('/llms.txt')).text();
  for (const { slug } of articles)
    for (const text of [sitemap, llms]) expect(text, slug).toMatch(new RegExp(`https?://[^ ]+/help/${slug}\\b`));
  expect(await (await request.get('/robots.txt')).text()).toContain('/sitemap.xml');
  expect((await request.get('/share.png')).headers()['content-type']).toBe('image/png');
});

test('PUB-009 AUTH-019 X18 any other path leads home, the API and files do not', async ({ page, request }) => {
  for (const path of ['/pricing', '/features/more', '/dashboard', '/login.html']) {
    const response = await request.get(path, { maxRedirects: 0 });
    expect([response.status(), response.headers()['location']], path).toEqual([302, '/']);
  }
  for (const path of ['/api/nothing', '/api-documentation/x', '/missing.png'])
    expect((await request.get(path, { maxRedirects: 0 })).status(), path).toBe(404);
  await page.goto('/no/such/page');
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
});

test('PUB-010 PUB-033 calls to action lead to sign-in, features and how; no tab of the shell is in sight', async ({
  page,
}) => {
  for (const path of ['/', '/features', '/how', '/security', '/faq']) {
    await page.goto(path);
    const buttons = page.getByRole('main').locator('a.btn');
    const targets = await buttons.evaluateAll((links) =>
      links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
    );
    expect(targets.length, path).toBeGreaterThan(0);
    for (const target of targets) expect(['/login', '/features', '/how']).toContain(target);
    await expect(page.getByRole('navigation', { name: 'Tabs' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0);
  }
});

test('PUB-011 PUB-012 the bar leads to every page and to sign-in', async ({ page }) => {
  await page.goto('/');
  const bar = page.getByRole('navigation', { name: 'Main' });
  for (const [label, path, title] of [
    ['Features', '/features', /^Features/],
    ['How it Works', '/how', /^How it works/],
    ['Security', '/security', /^Security/],
    ['FAQ', '/faq', /^Questions/],
    ['Privacy', '/privacy-policy', /^Privacy/],
    ['Terms', '/terms-of-service', /^Terms/],
    ['Home', '/', /^Sextant:/],
  ] as const) {
    await bar.getByRole('link', { name: label, exact: true }).filter({ visible: true }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page).toHaveTitle(title);
    await expect(bar.locator('[aria-current=page]').filter({ visible: true })).toHaveText(label);
  }
  await bar.getByRole('link', { name: 'Get Started' }).click();
  await expect(page).toHaveURL(/\/login/);
});

test('PUB-013 PUB-014 PUB-015 CONST-014 the bar is scrolled after 10 px, hides on the way down, comes back', async ({
  page,
}) => {
  // Low enough that every page has that far to scroll.
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.clock.install();
  await page.goto('/features');
  const bar = page.locator('header[data-scrolled]');
  const scrollTo = async (y: number) => {
    await page.evaluate((top) => window.scrollTo(0, top), y);
    await page.evaluate(() => window.dispatchEvent(new Event('scroll')));
    await page.clock.runFor(101);
  };
  await page.mouse.move(700, 400);
  // Until the page is taken over it follows no scroll.
  await expect(async () => {
    await scrollTo(11);
    await expect(bar).toHaveAttribute('data-scrolled', 'true', { timeout: 200 });
  }).toPass();
  await scrollTo(10);
  await expect(bar).toHaveAttribute('data-scrolled', 'false');
  await scrollTo(11);
  await expect(bar).toHaveAttribute('data-scrolled', 'true');
  await scrollTo(400);
  await expect(bar).toHaveAttribute('data-hidden', 'true');
  await page.mouse.move(700, 110);
  await page.clock.runFor(101);
  await expect(bar).toHaveAttribute('data-hidden', 'false');
  await page.mouse.move(700, 400);
  await page.clock.runFor(101);
  await scrollTo(500);
  await expect(bar).toHaveAttribute('data-hidden', 'true');
  await scrollTo(490);
  await expect(bar).toHaveAttribute('data-hidden', 'false');
  await scrollTo(0);
  await expect(bar).toHaveAttribute('data-scrolled', 'false');
});

test('PUB-016 below 768 px the bar has a menu that opens, closes with Escape and after a choice', async ({ page }) => {
  await page.setViewportSize({ width: 767, height: 800 });
  await page.goto('/');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Security' })
    .filter({ visible: true });
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link).toHaveCount(0);
  await expect(menu).toBeFocused();
  await menu.click();
  await link.click();
  await expect(page).toHaveURL(/\/security$/);
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(menu).toBeHidden();
});

/** A prerendered page is inert until hydration, which is complete when a press has an effect. */
async function takeOver(page: Page): Promise<void> {
  const resume = page.getByRole('button', { name: 'Resume the moving highlight' });
  await expect(async () => {
    if (!(await resume.isVisible())) await page.getByRole('button', { name: 'Pause the moving highlight' }).click();
    await expect(resume).toBeVisible({ timeout: 500 });
  }).toPass();
  await resume.click();
  // It rests under pointer and focus.
  await resume.or(page.getByRole('button', { name: 'Pause the moving highlight' })).blur();
  await page.mouse.move(2, 2);
}

for (const [id, path, count, everyMs] of [
  ['PUB-017', '/features', 6, 3000],
  ['PUB-018', '/how', 4, 4000],
  ['PUB-019', '/security', 4, 3500],
  ['PUB-020', '/', 4, 4000],
] as const) {
  test(`${id} CONST-013 ${count} highlights on ${path}, ${everyMs} ms each, rest under pointer, focus and by hand`, async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto(path);
    const cards = page.getByTestId('rotation').getByRole('listitem');
    const active = () =>
      cards.evaluateAll((all) => all.findIndex((card) => card.getAttribute('data-active') === 'true'));
    const toggle = page.getByRole('button', { name: 'Pause the moving highlight' });
    await expect(toggle).toBeVisible();
    await expect(cards).toHaveCount(count);
    await takeOver(page);
    await expect.poll(active).toBeGreaterThanOrEqual(0);
    // From here the clock stands still except when advanced, so that the speed of this machine does not matter.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 30_000));
    const before = await active();
    for (let ms = 0; (await active()) === before && ms <= everyMs; ms += 50) await page.clock.runFor(50);
    const first = await active();
    expect(first).toBe((before + 1) % count);
    await page.clock.runFor(everyMs - 100);
    expect(await active()).toBe(first);
    await page.clock.runFor(100);
    await expect.poll(active).toBe((first + 1) % count);
    await page.clock.runFor(everyMs * (count - 1));
    await expect.poll(active).toBe(first);
    await cards.first().hover();
    await page.clock.runFor(everyMs * 2);
    expect(await active()).toBe(first);
    await page.mouse.move(2, 2);
    await toggle.focus();
    await page.clock.runFor(everyMs * 2);
    expect(await active()).toBe(first);
    await toggle.press('Enter');
    await page.getByRole('link', { name: 'Get Started' }).focus();
    await page.clock.runFor(everyMs * 2);
    expect(await active()).toBe(first);
    await page.getByRole('button', { name: 'Resume the moving highlight' }).click();
    await page.clock.runFor(everyMs + 50);
    await expect.poll(active).toBe((first + 1) % count);
  });
}

test('PUB-020 with reduced motion nothing rotates and there is nothing to pause', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ reducedMotion: 'reduce', baseURL: baseURL ?? '' });
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByTestId('rotation')).toBeVisible();
  await page.clock.runFor(9000);
  await expect(page.locator('[data-active=true]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /moving highlight/ })).toBeHidden();
  await page.close();
});

test('PUB-021 PUB-022 three categories of four questions, at most one open at a time', async ({ page }) => {
  await page.goto('/faq');
  for (const category of ['Getting Started', 'Trading & Features', 'Security & Compliance']) {
    const section = page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: category }) });
    await expect(section.locator('[aria-expanded]')).toHaveCount(4);
  }
  const questions = page.getByRole('main').locator('[aria-expanded]');
  await questions.nth(0).click();
  await questions.nth(7).click();
  await expect(page.getByRole('main').locator('[aria-expanded=true]')).toHaveCount(1);
  await expect(page.getByRole('region', { name: /mostly luck/ })).toBeVisible();
  await questions.nth(7).click();
  await expect(page.getByRole('main').locator('[aria-expanded=true]')).toHaveCount(0);
});

test('PUB-023 PUB-024 PUB-025 the legal pages have three sections each and say when no contact is configured', async ({
  page,
}) => {
  for (const path of ['/privacy-policy', '/terms-of-service']) {
    await page.goto(path);
    const tabs = page.getByRole('tab');
    await expect(tabs).toHaveCount(3);
    await tabs.nth(2).click();
    await expect(tabs.nth(2)).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('tabpanel')).toHaveCount(1);
    await tabs.nth(2).press('Home');
    await expect(tabs.nth(0)).toBeFocused();
    await expect(page.getByText('not given by the operator of this installation')).toHaveCount(2);
  }
  const contact = { email: 'desk@sextant.example', phone: '+1 555 0100' };
  await changeResponses(page, '**/api/app', (body: object) => ({ ...body, contact }));
  await page.reload();
  await expect(page.getByRole('link', { name: 'desk@sextant.example' })).toHaveAttribute('href', /^mailto:desk@/);
  await expect(page.getByRole('link', { name: '+1 555 0100' })).toHaveAttribute('href', 'tel:+15550100');
});

test('PUB-026 X36 claims are figures of this installation with window and count, or words', async ({
  page,
  request,
}) => {
  for (let i = 0; i < 20; i++) expect((await request.get('/api/price?symbol=BTCUSDT')).ok()).toBe(true);
  await page.clock.install();
  // The server caches the response for ten seconds.
  await expect
    .poll(
      async () => ((await (await request.get('/api/measured')).json()) as { latency: { count: number } }).latency.count,
    )
    .toBeGreaterThanOrEqual(20);
  await page.goto('/how');
  const strip = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Measured here' }) });
  await expect(strip).toContainText(/Tradable symbols[\d,]+simulated Binance, .* UTC/);
  await expect(strip).toContainText(/p95[\d.,]+ msn = [\d,]+, last 60 min/);
  await expect(strip).toContainText(/Uptime(\d+\.\d\d.%[\d,]+ of [\d,]+ min since|not known yet)/);
  await strip.getByRole('link', { name: 'How these figures are measured' }).click();
  await expect(page.getByRole('heading', { name: 'How these figures are measured' })).toBeInViewport();
  for (const path of ['/', '/features', '/how', '/security', '/faq']) {
    const text = (await (await request.get(path)).text()).replace(/<[^>]+>/g, ' ');
    expect(text, path).not.toMatch(/99\.9|150 ?ms|95 ?%|5 minutes|1 hour|100\+/);
  }
});

test('PUB-027 PUB-028 PUB-029 PUB-030 PUB-031 PUB-032 DATA-031 NFR-015 NFR-016 the pages state: funds, keys, withdrawal, deposit, protection, tagline', async ({
  page,
}) => {
  await page.goto('/');
  for (const text of [
    'A professional trading platform for crypto futures',
    'Your funds stay in your own exchange accounts',
    'No exchange API keys needed',
    'No withdrawal access needed',
    'No minimum deposit',
    '1000 USD is recommended',
  ])
    await expect(page.getByText(text).first(), text).toBeVisible();
  await page.goto('/security');
  await expect(page.getByRole('heading', { name: 'Multi-factor authentication' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Row-level security' })).toBeVisible();
});

test('the home page runs the engine on load, and again on each change of a setting', async ({ page }) => {
  await page.goto('/');
  const speed = page.getByTestId('demo-speed');
  await expect(speed).toContainText(/1,500 candles, 13 weighted indicators, \d+ trades in [\d.,]+ ms on this device/);
  await expect(page.getByTestId('demo-luck')).toContainText('invented from seed 20220101');
  const figures = page.getByTestId('demo-figures');
  const charged = await figures.innerText();
  await page.getByRole('switch', { name: 'Charge fees and slippage' }).click();
  await expect(figures).toContainText(/Fees, slippage\s*0\.00/);
  expect(await figures.innerText()).not.toBe(charged);
  await page.getByRole('slider', { name: 'Stop loss' }).press('ArrowRight');
  await expect(page.getByTestId('demo-luck')).toContainText(/tried [34] settings and the best made/);
  const before = await page.evaluate(() => window.scrollY);
  await page.getByRole('group', { name: /^Price chart/ }).hover();
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => window.scrollY), 'the wheel stays with the page').toBeGreaterThan(before);
});

const parts = ['Signals', 'Automatic positions', 'Arbitrage', 'Vision', 'News', 'Help', 'API', 'Agents'];

for (const theme of ['dark', 'light'] as const)
  test(`features and home describe every part of the product, each with a picture of it in the ${theme} theme`, async ({
    page,
  }) => {
    await page.addInitScript((name) => localStorage.setItem('sextant.theme', name), theme);
    const faults = faultsOf(page);
    for (const [path, title, names] of [
      ['/features', 'The whole product', parts],
      ['/', 'More than backtests', parts.slice(0, 4)],
    ] as const) {
      await page.goto(path);
      const tour = page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
      for (const name of names) {
        const item = tour.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
        // The page replaces what was prerendered once its scripts run.
        await expect(() => item.scrollIntoViewIfNeeded({ timeout: 5000 })).toPass();
        const picture = item.getByRole('img', { name: `${name} in the product, on a simulated market` });
        await expect(picture).toHaveAttribute('src', new RegExp(`-${theme}\\.webp$`));
        await expect
          .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), { message: `${path} ${name}` })
          .toBe(960);
      }
    }
    for (const name of parts.slice(4))
      await expect(page.getByRole('link', { name, exact: true }).first()).toBeVisible();
    expect(faults).toEqual([]);
  });

test('a live run that cannot load says so and tries again', async ({ page }) => {
  await page.route('**/candles.gen-*.json', (route) => route.abort(), { times: 4 });
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('The run failed');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('demo-figures')).toBeVisible();
});

test('X19 signed-in users get the shell on a public URL', async ({ page }) => {
  await createAccount(page);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('/features');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(loaded.filter((path) => /\/(Features|Home)Page-/.test(path))).toEqual([]);
  await expect(page).toHaveURL(/\/\?tab=dashboard$/);
  await expect(page.getByRole('heading', { name: 'Tools for traders who check' })).toHaveCount(0);
});

test('the status page shows what the probes found, without a sign-in, and is reached from the footer', async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Status' }).click();
  await expect(page).toHaveURL(/\/status$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  // The server probes itself when it starts; its exchanges are simulators that respond.
  await expect(page.getByRole('status')).toHaveText('All systems operational');
  for (const part of ['Signal API', 'Database', 'Binance', 'Bybit', 'OKX']) {
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: part }) });
    await expect(row).toContainText(/Operational, last response in \d[\d,]* ms/);
    // Minutes after the start no whole day exists to state an uptime for.
    await expect(row).toContainText('Uptime after the first whole day');
  }
  await expect(page.getByText('stand-ins')).toBeVisible();
  // The product links to it: signed-in users get the same page.
  await createAccount(page);
  await page.goto('/status');
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  await expect(page).toHaveURL(/\/status$/);
  expect(faults).toEqual([]);
});

test('the scoreboard shows the track record to any visitor, engine and AI check, with counts, and is reached from the footer', async ({
  page,
}) => {
  await page.goto('/faq');
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Scoreboard' }).click();
  await expect(page).toHaveTitle('Scoreboard · Sextant');
  await expect(page.getByRole('heading', { name: 'Engine: every signal' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'AI check: approved' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What the checks before opening add' })).toBeVisible();
  await expect(page.getByText(/^Simulated market: these figures test the arithmetic only\./)).toBeVisible();
  // Too small samples say so.
  await expect(page.getByText(/^Not enough data/).first()).toBeVisible();
});
