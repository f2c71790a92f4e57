import { expect, test } from '@playwright/test';
import { firefoxPath, openFirefox } from './support/firefox.ts';
import { createAccount } from './support/users.ts';

test('DESK-162 in Firefox a user signs in, the lab runs as in Chromium, and the ticket places an order', async ({
  baseURL,
  request,
}) => {
  test.skip(firefoxPath === undefined, 'Firefox is not installed');
  test.setTimeout(600_000);
  const { email, password } = await createAccount({ request });
  const page = await openFirefox(firefoxPath ?? '');
  try {
    await page.goto(`${baseURL ?? ''}/login`);
    await page.type('input[autocomplete=email]', email);
    await page.type('input[autocomplete=current-password]', password);
    await page.click('button', 'Sign In');
    await page.until(`document.title.startsWith('Dashboard')`);
    expect(await page.until('navigator.userAgent')).toContain('Firefox/');

    await page.goto(`${baseURL ?? ''}/?tab=backtest`);
    const hash = `document.querySelector('[data-testid=run][data-status=fresh]') && document.querySelector('[data-testid=browser-result]')?.dataset.hash`;
    await page.until(hash);
    await page.click('button', 'Run Backtest');
    const result = await page.until<string>(hash);
    expect(result).toMatch(/^[0-9a-f]{64}$/);
    // Another engine of JavaScript computes the same bits.
    await page.click('button', 'Verify on the server');
    await page.until(`document.body.innerText.includes('Verified: the server got the same result, bit for bit.')`);

    await page.goto(`${baseURL ?? ''}/?tab=dashboard`);
    await page.click('button', 'Buy BTCUSDT');
    await page.click('button', 'Buy now');
    const open = await page.until<{ symbol: string; side: string }[]>(
      `fetch('/api/positions').then((response) => response.json()).then(({ positions }) => positions.length > 0 && positions)`,
    );
    expect(open.map(({ symbol, side }) => [symbol, side])).toEqual([['BTCUSDT', 'LONG']]);
  } finally {
    await page.close();
  }
});
