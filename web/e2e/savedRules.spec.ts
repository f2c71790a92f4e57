import { expect, test } from '@playwright/test';
import { expectMessage } from './support/messages.ts';
import { signUp } from './support/users.ts';

test('saving rules says how many positions they would have opened, and warns when none would', async ({ page }) => {
  await signUp(page, 'backtest');
  const saveAs = async (name: string) => {
    await page.getByRole('button', { name: 'Save as my rules', exact: true }).click();
    await page.getByLabel('Name of the rules').fill(name);
    await page.getByRole('button', { name: 'Save rules' }).click();
    await expectMessage(page, `Saved as ${name}`);
  };
  const runAt = async (threshold: string) => {
    await page.getByRole('tab', { name: 'Strategy Parameters', exact: true }).click();
    const field = page.getByLabel('Entry threshold, exact value');
    await field.fill(threshold);
    await field.press('Tab');
    await page.getByRole('button', { name: 'Run Backtest' }).click();
    await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
    await expect(page.getByTestId('net-pnl')).toHaveText(/^[+\u2212]?[\d,]+\.\d\d$/);
  };
  await runAt('1');
  await saveAs('Silent');
  const dialog = page.getByRole('dialog', { name: 'Save as my rules' });
  await expect(dialog).toContainText(
    /These rules would have opened no position in the last 500 candles of \d+ symbols\. Lower the entry threshold/,
  );
  await page.keyboard.press('Escape');
  await runAt('0.08');
  await saveAs('Loud');
  await expectMessage(
    page,
    /^These rules would have opened [1-9]\d* positions in the last 500 candles of \d+ symbols\.$/,
  );
  await expect(dialog).toHaveCount(0);
});
