import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { hasRun, hostileTexts, joined } from './support/hostileTexts.ts';
import { openTab, signUp } from './support/users.ts';
import { changeResponses, holdBack } from './support/requests.ts';

const tabOf = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const SIGN_IN = 'Please sign in to use the assistant.';
const FAILED = 'Sorry, something went wrong. Please try again.';

async function openHelp(page: Page): Promise<void> {
  await signUp(page, 'help');
  await expect(page.getByRole('list', { name: 'Featured articles' })).toBeVisible();
}

test('HELP-001 HELP-002 HELP-003 HELP-004 HELP-009 HELP-010 HELP-014 CONST-029 X44 X63 articles are browsed, read and searched', async ({
  page,
}) => {
  await openHelp(page);
  for (const name of ['Browse', 'Search', 'Chat', 'Categories']) await expect(tabOf(page, name)).toBeVisible();
  const featured = page.getByRole('list', { name: 'Featured articles' }).locator(':scope > li');
  await expect(featured).toHaveCount(8);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(featured).toHaveCount(6);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const tags of await page.getByRole('tabpanel').getByRole('list', { name: 'Tags' }).all())
    expect(await tags.getByRole('listitem').count()).toBeLessThanOrEqual(3);
  const quick = page.getByRole('region', { name: 'Categories' }).getByRole('button');
  await expect(quick).toHaveCount(8);

  await page.getByRole('link', { name: 'Start in five minutes' }).click();
  const article = page.getByRole('article');
  await expect(article.getByRole('heading', { level: 1, name: 'Start in five minutes' })).toBeVisible();
  await expect(article.locator('time').first()).toHaveText(/^\d{4}-\d\d-\d\d$/);
  await expect(article.getByRole('list', { name: 'Tags' })).toBeVisible();
  await expect(article.getByRole('heading', { level: 2, name: 'What to do first' })).toBeVisible();
  // Another article from within the text, at the heading, then back to the previous scroll position.
  await article.getByRole('link', { name: 'calculates and simulates' }).click();
  await expect(article.getByRole('heading', { level: 1 })).not.toHaveText('Start in five minutes');
  await page.getByRole('button', { name: 'Back to Browse' }).click();
  await expect(quick.first()).toBeVisible();
  await quick.filter({ hasText: 'Troubleshooting' }).click();
  await expect(tabOf(page, 'Categories')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('region', { name: 'Troubleshooting' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Getting Started' })).toHaveCount(0);

  await tabOf(page, 'Search').click();
  const field = page.getByRole('searchbox', { name: 'Search the help' });
  await field.fill('liquidation');
  await expect(page.getByRole('list', { name: 'Found articles' }).locator('mark').first()).toHaveText(/^liquid/i);
  await field.fill('arbitarge');
  await expect(page.getByRole('status').filter({ hasText: 'instead of' })).toContainText('arbitrage');
  await field.fill('sourdough funding');
  await expect(page.getByText('No articles found')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Nearest articles' }).getByRole('link').first()).toBeVisible();
  await page.route('**/api/support/articles?*', (route) => route.fulfill({ status: 500, body: '' }));
  await field.fill('webhook');
  await expect(page.getByText('Search failed', { exact: true })).toBeVisible();
  await page.unroute('**/api/support/articles?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'Found articles' }).getByRole('link').first()).toContainText(/webhook/i);

  // A server without categories: the page shows the four default ones, each as empty.
  await page.route('**/api/support/categories', (route) => route.fulfill({ json: { categories: [] } }));
  await page.route('**/api/support/articles', (route) =>
    route.fulfill({ json: { articles: [], corrected_to: null, nearest: [], is_other_language: false } }),
  );
  await page.reload();
  await tabOf(page, 'Categories').click();
  for (const name of ['Getting Started', 'Trading', 'API', 'Troubleshooting'])
    await expect(page.getByRole('region', { name }).getByText('No articles in this category yet.')).toBeVisible();
});

test('HELP-005 HELP-006 HELP-007 HELP-008 HELP-015 HELP-016 HELP-017 HELP-018 ERR-025 NFR-013 the assistant answers, cites, and is rated', async ({
  page,
}) => {
  await openHelp(page);
  await tabOf(page, 'Chat').click();
  const quick = page.getByRole('list', { name: 'Quick questions' }).getByRole('button');
  await expect(quick).toHaveCount(6);
  const field = page.getByRole('textbox', { name: 'Your question' });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const log = page.getByRole('log', { name: 'Chat' });
  await expect(send).toBeDisabled();
  await field.fill('   ');
  await expect(send).toBeDisabled();
  await field.press('Enter');
  await expect(log.getByRole('listitem')).toHaveCount(0);

  // The response is held until the page shows its waiting state.
  const release = await holdBack(page, '**/api/support/chat', 'POST');
  await field.fill('What costs credits?');
  await field.press('Shift+Enter');
  await field.pressSequentially('And what is free?');
  await expect(field).toHaveValue('What costs credits?\nAnd what is free?');
  await field.press('Enter');
  await expect(page.getByText('The assistant is typing')).toBeVisible();
  release();
  await expect(page.getByText('The assistant is typing')).toHaveCount(0);
  await expect(log).toContainText('And what is free?');
  await expect(log).toContainText('No AI model is connected. From the help:');
  const suggestions = page.getByRole('list', { name: 'Suggestions' }).getByRole('button');
  expect(await suggestions.count()).toBeGreaterThan(0);
  expect(await suggestions.count()).toBeLessThanOrEqual(6);
  await page.getByRole('button', { name: 'Helpful', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Helpful', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText(/^\d+ of 30 ratings\. The share of helpful answers appears at 30\./)).toBeVisible();
  // The history belongs to the user and is there after a reload.
  await page.reload();
  await expect(log).toContainText('And what is free?');
  await page.getByRole('list', { name: 'Sources' }).getByRole('link').first().click();
  await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Back to Chat' }).click();

  await page.unroute('**/api/support/chat');
  await page.route('**/api/support/chat', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  );
  await field.fill('Does this fail?');
  await send.click();
  await expect(page.getByText(FAILED)).toBeVisible();
  await page.unroute('**/api/support/chat');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(FAILED)).toHaveCount(0);
  await page.route('**/api/support/chat', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'not_authenticated', message: 'Sign in.' }),
    }),
  );
  await field.fill('Who am I?');
  await send.click();
  await expect(page.getByText(SIGN_IN)).toBeVisible();
  await page.unroute('**/api/support/chat');

  await page.getByRole('button', { name: 'Clear chat' }).click();
  await page.getByRole('button', { name: 'Delete all messages' }).click();
  await expect(quick).toHaveCount(6);
});

test('the help is accessible in both themes and both widths', async ({ page }) => {
  await openHelp(page);
  for (const name of ['Browse', 'Search', 'Chat', 'Categories']) {
    await tabOf(page, name).click();
    await expect(page.getByRole('tabpanel')).not.toBeEmpty();
    if (name === 'Chat') {
      await page.getByRole('button', { name: 'How do I generate signals?' }).click();
      await expect(page.getByRole('list', { name: 'Sources' }).first()).toBeVisible();
    }
    await expectAccessibleAtBothWidths(page, name);
  }
  await tabOf(page, 'Browse').click();
  await page.getByRole('link', { name: 'What costs credits' }).click();
  await expect(page.getByRole('article')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'article');
});

test('HELP-016 a visitor reads and searches the public help, is asked to sign in for the assistant, and a signed-in reader lands in the product', async ({
  page,
}) => {
  await page.goto('/help');
  await expect(page.getByText(SIGN_IN)).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Troubleshooting' })).toBeVisible();
  const field = page.getByRole('searchbox', { name: 'Search the help' });
  await field.fill('walk forward');
  await page.getByRole('list', { name: 'Found articles' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/help\/[a-z-]+$/);
  await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toBeVisible();
  // To another page and back by the browser: nothing was written for this visit, and the article is fetched.
  await page.getByRole('link', { name: 'Security' }).first().click();
  await expect(page).toHaveURL(/\/security$/);
  await page.goBack();
  await expect(page.getByRole('article').getByRole('heading', { level: 2 }).first()).toBeVisible();
  for (const path of ['/help', '/help/glossary-result-figures']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expectAccessibleAtBothWidths(page, path);
  }
  await signUp(page, 'help');
  await page.goto('/help/glossary-result-figures#profit-factor');
  await expect(tabOf(page, 'Browse')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { level: 2, name: 'Profit factor' })).toBeInViewport();
  await expect(page).toHaveURL(/\/\?tab=help&page=article%2Fglossary-result-figures$/);
});

test('a figure, a setting and a rejection link to their help articles', async ({ page }) => {
  await signUp(page, 'backtest');
  const article = page.getByRole('article');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  await page.getByRole('button', { name: 'Profit factor', exact: true }).click();
  await page.getByRole('link', { name: 'Read more in the help' }).click();
  await expect(article.getByRole('heading', { level: 2, name: 'Profit factor' })).toBeInViewport();

  // The bar hides while the page scrolls down.
  await page.evaluate(() => scrollTo(0, 0));
  await openTab(page, 'Account');
  await page.getByRole('tab', { name: 'Trading' }).click();
  await page.locator('a[href="/help/position-size"]').first().click();
  await expect(article.getByRole('heading', { level: 1, name: 'How large a position is' })).toBeVisible();

  await page.route('**/api/support/articles/position-not-opened', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'insufficient_credits', message: 'Too few credits.' }),
    }),
  );
  await article.getByRole('link', { name: 'Why a position was not opened' }).click();
  await page.getByRole('alert').getByRole('link', { name: 'What to do' }).click();
  await expect(article.getByRole('heading', { level: 2, name: 'insufficient_credits' })).toBeInViewport();
});

test('the search finds articles by synonyms, and a German question shows the nearest ones with a note that the help is in English', async ({
  page,
}) => {
  await signUp(page, 'help');
  await tabOf(page, 'Search').click();
  const field = page.getByRole('searchbox', { name: 'Search the help' });
  const result = page.getByRole('list', { name: 'Found articles' }).getByRole('link');
  for (const [words, title] of [
    ['mfa please', 'Two-factor authentication'],
    ['stoploss', 'Stop and target of a position'],
    ['dark mode', 'Appearance: theme, colours and time zone'],
    ['postman', 'Collections for Postman, Insomnia and cURL'],
  ] as const) {
    await field.fill(words);
    await expect(result.first()).toHaveText(title);
  }
  await field.fill('Wie ändere ich mein Passwort?');
  await expect(page.getByRole('status').filter({ hasText: 'Help is in English' })).toBeVisible();
  const nearest = page.getByRole('list', { name: 'Nearest articles' }).getByRole('link');
  await expect(nearest.filter({ hasText: 'Sign in and password' })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'help search in German');
});

test('eighty hostile texts in articles, search and chat stay text', async ({ page }) => {
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(fault.message));
  page.on('dialog', (dialog) => {
    faults.push(dialog.message());
    void dialog.dismiss();
  });
  const expectText = async (place: string) => {
    const active =
      'script, iframe, object, embed, img, form, [onerror], [onload], [onclick], [href^="javascript:" i], [href^="data:" i]';
    const within = page
      .getByRole('tabpanel')
      .locator(active)
      .filter({ hasNot: page.getByLabel('Your question') });
    // The forms of the page itself are the field of the chat and that of the search.
    expect(
      await within.evaluateAll((matches) => matches.filter(({ tagName }) => tagName !== 'FORM').length),
      place,
    ).toBe(0);
    expect([await page.evaluate(hasRun), faults], place).toEqual([false, []]);
  };
  await openHelp(page);
  await changeResponses(page, '**/api/support/articles/first-steps', (article: object) => ({
    ...article,
    title: hostileTexts.join(' '),
    tags: hostileTexts,
    content_md: hostileTexts.join('\n\n'),
  }));
  await page.getByRole('link', { name: 'Start in five minutes' }).click();
  await expect(page.getByRole('article')).toContainText('onerror=__x=1');
  await expectText('article');

  await tabOf(page, 'Search').click();
  const field = page.getByRole('searchbox', { name: 'Search the help' });
  for (const text of joined(hostileTexts, 200)) {
    await field.fill(text);
    await expect(page.getByRole('tabpanel').getByRole('status')).toBeVisible();
  }
  await expectText('search');
  const snippet = hostileTexts.map((text, at) => ({ text, is_hit: at % 2 === 0 }));
  const hostile = { title: hostileTexts.join(' '), tags: hostileTexts, question: hostileTexts[0], snippet };
  await changeResponses(page, '**/api/support/articles?*', (result: { articles: object[] }) => ({
    ...result,
    articles: result.articles.map((each) => ({ ...each, ...hostile })),
  }));
  await field.fill('webhook');
  await expect(page.getByRole('list', { name: 'Found articles' })).toContainText('onerror=__x=1');
  await expectText('results');

  await tabOf(page, 'Chat').click();
  const texts = joined(hostileTexts, 1000);
  for (const text of texts) {
    await page.getByRole('textbox', { name: 'Your question' }).fill(text);
    const answered = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/support/chat') && answer.request().method() === 'POST' && answer.ok(),
    );
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await answered;
  }
  await expect(page.getByRole('log', { name: 'Chat' }).getByText('Assistant: ')).toHaveCount(texts.length);
  await expectText('chat');
});
