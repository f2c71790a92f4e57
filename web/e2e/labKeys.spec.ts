import { expect, test } from '@playwright/test';
import { choose } from './support/choose.ts';
import { signUp } from './support/users.ts';

test('RULE-230 letters typed in the rules editor are text: high opens no page, and b no ticket', async ({ page }) => {
  await signUp(page, 'backtest');
  await choose(page, 'Strategy', 'Own rules');
  await page.getByRole('tab', { name: 'Strategy Parameters', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Rules', exact: true });
  await editor.fill('');
  await editor.click();
  // Brackets close by themselves, and a suggestion would take Enter: this has neither.
  await page.keyboard.type('long when close > high and sma > 2 ? g d b s');
  await expect(editor.locator('.cm-line')).toHaveText('long when close > high and sma > 2 ? g d b s');
  await expect(page.getByRole('tab', { name: 'Strategy Parameters', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(new URL(page.url()).search).not.toContain('ticket');
});
