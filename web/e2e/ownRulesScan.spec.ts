import { expect, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { openAllResults } from './support/results.ts';
import { signUp } from './support/users.ts';

test('RULE-013 RULE-016 a scan by own rules shows rules where votes stand elsewhere, and is reproduced in the browser', async ({
  page,
}) => {
  await signUp(page, 'signals');
  const rules =
    'long when close > sma(close, 5) and funding > -1 and mark > 0\nshort when close < sma(close, 5) and 4h(close > 0)\nstop 2 * atr(14)';
  await page.evaluate(async (text) => {
    const send = async (method: string, url: string, body: object): Promise<{ strategies: { id: string }[] }> => {
      const response = await fetch(url, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { strategies: { id: string }[] };
    };
    const saved = await send('POST', '/api/strategies', { name: 'By rules', rules: text, interval: '1h' });
    await send('PUT', '/api/strategies/used', { id: saved.strategies[0]?.id });
    await send('PUT', '/api/preferences', { whitelist: 'BTCUSDT,ETHUSDT,SOLUSDT,XRPUSDT' });
  }, rules);
  await page.reload();
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  await openAllResults(page);
  const grid = page.getByRole('grid', { name: 'Scan results' });
  await expect(grid.getByRole('row').nth(1)).toContainText('score 100');
  await expect(grid).not.toContainText('99.9');
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  const details = page.getByRole('complementary').filter({ hasText: 'Score breakdown' });
  await expect(details.getByText('Signal of your rules').first()).toBeVisible();
  await expect(details).toContainText('They decide without votes.');
  await expect(details).toContainText(/Win chance unknown on 1h of this version of your strategy/);
  await expect(details).not.toContainText('indicator agreement');
  await expect(details.getByText('Independent votes')).toHaveCount(0);
  await details.getByRole('button', { name: 'Reproduce in my browser' }).click();
  await expect(details.getByTestId('reproduction')).toHaveAttribute('data-equal', 'true');
  await expectAccessibleAtBothWidths(page, 'signal of own rules');
});
