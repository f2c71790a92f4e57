import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { openAllResults } from './support/results.ts';
import { signUp } from './support/users.ts';

interface Board {
  replay: { series: number; groups: { by: string; key: string; net_low_pct: number | null }[] } | null;
  engine: { resolved: number };
}

/** The server replays its market after its start: waits until each interval has chances. */
async function replayed(page: Page): Promise<Board> {
  let board: Board | undefined;
  await expect
    .poll(
      async () => {
        board = (await (await page.request.get('/api/scoreboard?origin=replayed')).json()) as Board;
        return board.engine.resolved;
      },
      { timeout: 240_000, intervals: [1000] },
    )
    .toBeGreaterThan(10_000);
  if (board === undefined) throw new Error('the poll has read it');
  return board;
}

test('HIST-041 the first scan shows the chance of each signal with its origin and n, and the missing edge first', async ({
  page,
}) => {
  await signUp(page, 'signals');
  const board = await replayed(page);
  // A node reads new chances every 30 s: a scan a moment before has those of the report before, or none.
  await page.waitForTimeout(31_000);
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  const best = page.locator('section', { hasText: 'Best signal' }).last();
  await expect(best.getByText('Win chance', { exact: true })).toBeVisible();
  await expect(best.getByText(/^replayed, n = [\d,]+$/)).toBeVisible();
  await expect(best.getByText('Not measured yet')).toHaveCount(0);
  const hasNoEdge = board.replay?.groups.some(({ by, net_low_pct: low }) => by === 'interval' && (low ?? 0) <= 0);
  expect(hasNoEdge).toBe(true);
  await expect(page.getByText(/^No edge shown on /)).toBeVisible();
  await expect(page.getByText(/a signal after fees \(95 %: .+replayed, n = /).first()).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'scanner with replayed chances');

  await openAllResults(page);
  const grid = page.getByRole('grid', { name: 'Scan results' });
  for (const row of (await grid.getByRole('row').all()).slice(1, 6))
    await expect(row).toContainText(/chance \d+\.\d.% replayed, n = [\d,]+/);
  await expectAccessibleAtBothWidths(page, 'results with replayed chances');
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  const details = page.getByRole('complementary').filter({ hasText: 'Score breakdown' });
  await expect(details.getByText(/^\d+\.\d.%, replayed, n = [\d,]+$/)).toBeVisible();
});

test('HIST-042 the scoreboard shows live and replayed outcomes side by side, and groups by keyboard', async ({
  page,
}) => {
  await page.goto('/scoreboard');
  const { engine } = await replayed(page);
  expect(engine.resolved).toBeGreaterThan(10_000);
  await page.reload();
  const compared = page.getByRole('table', { name: 'Live and replayed record' });
  await expect(compared.getByRole('row', { name: /^Signals finished [\d,]+ [\d,]{6,}$/ })).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Replayed: reliability' }).getByRole('img', { name: /^Reliability curve/ }),
  ).toBeVisible();
  const groups = page.getByRole('table', { name: 'Replayed signals by group' });
  await expect(groups.getByRole('row', { name: /^15m / })).toBeVisible();
  // Another test may have delisted a symbol.
  await expect(
    page.getByText(/^(Survivorship bias not measured\.|Delisted symbols included: [\d,]+\. Without them)/),
  ).toBeVisible();
  const by = page.getByLabel('Group replayed signals by');
  await by.focus();
  await page.keyboard.press('ArrowDown');
  await expect(groups.getByRole('row', { name: /^LONG / })).toBeVisible();
  await by.selectOption('Hour, UTC');
  await expect(groups.getByRole('row')).toHaveCount(25);
  await expectAccessibleAtBothWidths(page, 'scoreboard with a replay');
});
