import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { hasRun, hostileTexts } from './support/hostileTexts.ts';
import { expectMessage } from './support/messages.ts';
import { openTab, signUp } from './support/users.ts';
import { openByApi } from './support/positions.ts';
import { changeResponses } from './support/requests.ts';
import { openAllResults } from './support/results.ts';

const pageNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const storiesOf = (page: Page): Locator => page.getByRole('list', { name: 'Stories' }).getByRole('listitem');
const pages = ['Live News Feed', 'AI Analysis', 'Market Trends', 'News Settings'];
const rejection = {
  status: 400,
  contentType: 'application/problem+json',
  body: '{"code":"validation_failed","message":"no"}',
};

interface Story {
  id: string;
  title: string;
  source: string;
  symbols: string[];
}
const unread = async (page: Page): Promise<Story[]> =>
  ((await (await page.request.get('/api/news')).json()) as { stories: Story[] }).stories;

/** The server reads the feeds, also without clients: stories are there soon after its start. */
async function openNews(page: Page): Promise<void> {
  await openTab(page, 'News');
  await expect(storiesOf(page).first()).toBeVisible({ timeout: 60_000 });
}

test('NEWS-001 NEWS-002 NEWS-003 NEWS-005 NEWS-007 NEWS-017 X45 stories are listed, analysed, filtered and read, from stored items alone', async ({
  page,
  baseURL,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(baseURL ?? '').origin) foreign.push(request.url());
  });
  await signUp(page, 'news');
  await openNews(page);
  for (const name of pages) await expect(pageNamed(page, name)).toBeVisible();
  expect(await storiesOf(page).count()).toBeLessThanOrEqual(15);
  await expect.poll(() => storiesOf(page).count()).toBe(15);
  const links = page.getByRole('list', { name: 'Stories' }).getByRole('link');
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await expect(page.getByRole('list', { name: 'Posts' }).getByRole('listitem').first()).toBeVisible({
    timeout: 60_000,
  });

  const tagged = (await unread(page)).find(({ symbols }) => symbols.length > 0)!;
  await page.getByLabel('Symbol', { exact: true }).selectOption(tagged.symbols[0]!);
  await expect(
    storiesOf(page).getByRole('button', { name: `Only stories about ${tagged.symbols[0]!}` }),
  ).not.toHaveCount(0);
  await page.getByLabel('Symbol', { exact: true }).selectOption('All symbols');
  await page.getByLabel('Source', { exact: true }).selectOption(tagged.source);
  await expect(storiesOf(page).filter({ hasText: tagged.source }).first()).toBeVisible();
  await page.getByLabel('Source', { exact: true }).selectOption('All sources');
  await storiesOf(page).first().getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('First seen here')).toBeVisible();

  await pageNamed(page, 'AI Analysis').click();
  await expect(page.getByText(/^\d of 6 stories with a high-impact keyword/)).toBeVisible();
  await expect(page.getByText(/No AI model is used\./)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Measured record, one hour after each story' })).toBeVisible();
  // The archive of the simulated feeds is replayed; both records stand side by side.
  const sources = page.getByRole('region', { name: 'Record of sources' });
  await expect(sources.getByRole('columnheader', { name: 'Replayed: stories, n' })).toBeVisible();
  await expect(sources.getByText(/^(Simulated: dated by this machine|Dates confirmed by)/).first()).toBeVisible();
  await pageNamed(page, 'Market Trends').click();
  await expect(
    page.getByRole('img', { name: /^Stories by hour of the last 24: \d+ bullish, \d+ bearish$/ }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Symbols in the news' }).getByRole('row')).not.toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Trending topics' }).getByRole('row')).not.toHaveCount(1);

  for (const name of pages) {
    await pageNamed(page, name).click();
    await expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible();
    await expectAccessibleAtBothWidths(page, `news: ${name}`);
  }
  // Only stories that were there before.
  const known = new Set((await unread(page)).map(({ id }) => id));
  await changeResponses(page, /\/api\/news(\?.*)?$/, (body: { stories: Story[] }) => ({
    ...body,
    stories: body.stories.filter(({ id }) => known.has(id)),
  }));
  await pageNamed(page, 'Live News Feed').click();
  await page.getByRole('button', { name: 'Mark All Read' }).click();
  await expect(page.getByText('No unread news.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No unread news.')).toBeVisible();
  expect(foreign).toEqual([]);
});

test('NEWS-004 NEWS-006 NEWS-008 CONST-012 CONST-028 a story fades for 180 ms and is gone; news are requested every 15 s', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.clock.install();
  // Without events, only the timer can trigger requests.
  await page.route('**/api/events*', (route) => route.abort());
  await signUp(page, 'news');
  await openNews(page);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  let requestCount = 0;
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === '/api/news') requestCount += 1;
  });
  // The wait starts when the previous response has arrived, which may be after the clock was stopped.
  await expect
    .poll(async () => {
      await page.clock.runFor(15_000);
      return requestCount;
    })
    .toBeGreaterThan(0);
  await page.clock.runFor(100);
  const title = (await storiesOf(page).first().getByRole('heading').textContent()) ?? '';
  const story = storiesOf(page).filter({ hasText: title });
  const isMarked = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/news/read'),
  );
  await story.first().getByRole('button', { name: 'Mark as Read' }).click();
  await expect(story.first()).toHaveAttribute('data-phase', 'fading');
  await page.clock.runFor(170);
  await expect(story.first()).toHaveAttribute('data-phase', 'fading');
  await expect(story.first()).toHaveCSS('transition-duration', '0.18s');
  await page.clock.runFor(15);
  await expect(story).toHaveCount(0);
  expect(((await isMarked).postDataJSON() as { ids: string[] }).ids).toHaveLength(1);
});

test('NEWS-009 NEWS-020 AUTH-018 a story read elsewhere leaves the page at once, settings apply, and another user finds neither', async ({
  page,
}) => {
  await signUp(page, 'news');
  await openNews(page);
  const [first] = await unread(page);
  const headers = { origin: new URL(page.url()).origin };
  const heading = page.getByRole('heading', { name: first!.title, exact: true });
  await expect(heading).toBeVisible();
  expect((await page.request.post('/api/news/read', { headers, data: { ids: [first!.id] } })).status()).toBe(200);
  await expect(heading).toHaveCount(0);

  await pageNamed(page, 'News Settings').click();
  const source = page.getByRole('switch', { name: 'Sim Wire' });
  await source.click();
  await page.getByRole('switch', { name: 'Show posts' }).click();
  await page.getByLabel('Only these symbols').fill('not a symbol!');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText(/is not a symbol/)).toBeVisible();
  await page.getByLabel('Only these symbols').fill('');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expectMessage(page, 'News settings saved');
  await pageNamed(page, 'Live News Feed').click();
  await expect(page.getByText('Posts are off in your news settings.')).toBeVisible();
  await expect(storiesOf(page).filter({ hasText: 'Sim Wire' })).toHaveCount(0);
  await page.getByLabel('Symbol', { exact: true }).selectOption({ index: 1 });

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0);
  await signUp(page, 'news');
  await openNews(page);
  await expect(page.getByLabel('Symbol', { exact: true })).toHaveValue('');
  await expect(heading).toBeVisible();
  await expect(page.getByText('Posts are off in your news settings.')).toHaveCount(0);
  await pageNamed(page, 'News Settings').click();
  await expect(source).toBeChecked();
});

test('NEWS-016 ERR-020 every failure of news has its text, and a story that was not marked comes back', async ({
  page,
}) => {
  await signUp(page, 'news');
  await openNews(page);
  await page.route('**/api/news/read', (route) => route.fulfill(rejection));
  const title = (await storiesOf(page).first().getByRole('heading').textContent()) ?? '';
  await storiesOf(page).first().getByRole('button', { name: 'Mark as Read' }).click();
  await expectMessage(page, /^Failed to mark as read/);
  await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Mark All Read' }).click();
  await expectMessage(page, /^Failed to mark all as read/);
  await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
  await page.route(/\/api\/news(\/tweets)?(\?.*)?$/, (route) => route.fulfill(rejection));
  await page.reload();
  await openTab(page, 'News');
  await expect(page.getByText(/^Failed to load news/)).toBeVisible();
  await expect(page.getByText(/^Failed to load tweets/)).toBeVisible();
});

test('stories stand as marks on the candles of backtests, signals and positions', async ({ page }) => {
  await signUp(page);
  const mark = { id: crypto.randomUUID(), source: 'Sim Wire', sentiment: 'bullish', is_simulated: true };
  await page.route('**/api/news/marks*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const at = (Number(query.get('from')) + Number(query.get('to'))) / 2;
    const first_seen_at = new Date(Math.round(at)).toISOString();
    return route.fulfill({
      json: { marks: [{ ...mark, first_seen_at, title: `A story about ${query.get('symbol')}` }] },
    });
  });
  const shown = page.getByRole('region', { name: 'News on this chart' });
  await openByApi(page, 'ETHUSDT', 'LONG');
  await openTab(page, 'Dashboard');
  await pageNamed(page, 'Positions').click();
  await expect(shown).toContainText('A story about ETHUSDT');
  await openTab(page, 'Backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(shown).toContainText('A story about BTCUSDT');
  await openTab(page, 'Signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await openAllResults(page, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Details' }).first().click();
  await expect(shown).toContainText(/A story about [A-Z0-9]+USDT/);
});

test('eighty hostile texts in titles, texts, names and posts are shown as they are, and none of them runs', async ({
  page,
}) => {
  await signUp(page, 'news');
  await openNews(page);
  const story = (await unread(page))[0]!;
  const titles = [...hostileTexts];
  const batch = () => titles.splice(0, 15);
  let texts = batch();
  const storyOf = (text: string, i: number) => ({
    ...story,
    id: `00000000-0000-4000-8000-${String(titles.length * 100 + i).padStart(12, '0')}`,
    title: text,
    description: text,
    content: text,
    author: text,
    source: text,
    keywords: [text],
    sources: [{ source: text, title: text, link: 'https://a.example/', first_seen_at: '2026-01-01T00:00:00.000Z' }],
  });
  const responses = [await page.request.get('/api/news'), await page.request.get('/api/news/tweets')];
  const [news, tweets] = (await Promise.all(responses.map((response) => response.json()))) as [
    object,
    { posts: object[] },
  ];
  await page.route(/\/api\/news(\?.*)?$/, (route) => route.fulfill({ json: { ...news, stories: texts.map(storyOf) } }));
  await page.route('**/api/news/tweets', (route) => {
    const posts = texts.map((text, i) => ({ ...tweets.posts[0], id: storyOf(text, i).id, text, author: text }));
    return route.fulfill({ json: { ...tweets, posts } });
  });
  for (; texts.length > 0; texts = batch()) {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await expect(page.getByRole('heading', { name: texts[0]!, exact: true })).toBeVisible();
    for (const text of texts) await expect(page.getByRole('list', { name: 'Stories' })).toContainText(text);
    await page.getByRole('button', { name: 'Details' }).last().click();
    expect(await page.evaluate(hasRun)).toBe(false);
  }
  await pageNamed(page, 'AI Analysis').click();
  expect(await page.evaluate(hasRun)).toBe(false);
});
