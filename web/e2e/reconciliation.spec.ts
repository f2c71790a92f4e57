import { expect, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { openByApi } from './support/positions.ts';
import { openTab, signUp } from './support/users.ts';

const parts = [
  { cause: 'revision', amount: 0 },
  { cause: 'entry', amount: -0.42 },
  { cause: 'slippage', amount: 0.03 },
  { cause: 'mark', amount: 0 },
  { cause: 'exit', amount: -1.61 },
  { cause: 'size', amount: 0.7 },
  { cause: 'fees', amount: 0 },
  { cause: 'funding', amount: -0.2 },
];
const results = { lab_net: 8.5, live_net: 7, difference: -1.5, parts, rest: 0 };
const at = '2026-01-02T03:04:00.000Z';

test('HIST-066 HIST-127 a closed automatic position and the analytics show why live differs from the test', async ({
  page,
}) => {
  await signUp(page, 'account');
  await openByApi(page, 'BTCUSDT', 'LONG', true);
  await openTab(page, 'Dashboard');
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  const row = page.getByRole('row', { name: /BTCUSDT/ });
  await row.click();
  // A position opened by hand has no test to compare with.
  await expect(page.getByRole('heading', { name: 'What if' })).toBeVisible();
  const panel = page.getByRole('table', { name: 'Difference by cause' });
  await expect(panel).toHaveCount(0);

  // The comparison of an automatic one comes minutes after its close: here its stored form is served.
  const lab = { entry_price: 100, entered_at: at, quantity: 2, exit_price: 104, exited_at: at, exit_reason: null };
  let one: object = { state: 'pending', reason: null, comparison: null };
  await page.route('**/api/positions/*/reconciliation', (route) => route.fulfill({ json: one }));
  const reload = async (): Promise<void> => {
    await page.reload();
    await page.getByRole('tab', { name: 'History', exact: true }).click();
    await row.click();
  };
  await reload();
  await expect(page.getByText('Compared a few minutes after the close.')).toBeVisible();
  one = { state: 'not_comparable', reason: 'changed_by_owner', comparison: null };
  await reload();
  await expect(page.getByText('No comparison. You changed its levels.')).toBeVisible();
  const forecast = { count: 2, error: 0.12, mean_error_pct: 0.01 };
  one = {
    state: 'compared',
    reason: null,
    comparison: { ...results, lab, funding_forecast: forecast, compared_at: at },
  };
  await reload();
  await expect(page.getByText('Live earned 1.50 USDT less than the test. Largest cause: exit fill.')).toBeVisible();
  await expect(panel.getByRole('rowheader')).toHaveText([
    'Test',
    'Exit fill',
    'Size',
    'Entry price and delay',
    'FundingFunding cost 0.12 USDT more than announced, 2 settlements (+0.0100\u00a0% on average).',
    'Spread and slippage',
    'Live',
  ]);
  await expect(page.getByText('still open at the close')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'a compared position');

  const total = { name: 'All', count: 12, ...results };
  await page.route('**/api/reconciliation', (route) =>
    route.fulfill({
      json: {
        all: { ...total, rest: 0.25 },
        by_strategy: [
          { ...total, name: 'Live rules', count: 9 },
          { ...total, name: 'Mine', count: 3, difference: 0.5 },
        ],
        not_comparable: [{ reason: 'no_candles', count: 2 }],
        unexplained: 1,
      },
    }),
  );
  await page.getByRole('tab', { name: 'Analytics', exact: true }).click();
  await expect(page.getByText('Live earned 1.50 USDT less than the test over 12 positions.')).toBeVisible();
  await expect(panel.getByRole('row', { name: /Without a cause/ })).toContainText('0.25');
  await expect(page.getByRole('table', { name: 'Difference by strategy' }).getByRole('row')).toHaveCount(3);
  await expect(page.getByText('2 not compared: Its minute candles are missing.')).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'analytics with a comparison');
});
