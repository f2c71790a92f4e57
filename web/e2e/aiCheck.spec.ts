import { expect, type Page, test } from '@playwright/test';
import { signUp } from './support/users.ts';
import { waitForPreferences } from './support/requests.ts';
import { openAllResults } from './support/results.ts';

interface LastRun {
  run: { scan_id: string; finished_at: string | null } | null;
}

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

test('SIG-010 SIG-011 SIG-013 SIG-015 SIG-042 SIG-043 SIG-044 SIG-045 SIG-046 SIG-047 TUNE-010 ERR-030 X59 the ten best results are checked, each with its own state', async ({
  page,
}) => {
  const requested: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/signal/ai-check'))
      requested.push(request.postDataJSON() as Record<string, unknown>);
  });
  await signUp(page, 'signals');
  // Whatever is best: no stop is beyond the liquidation, and no position too small.
  const account = { balance_usdt: 100_000, leverage: 2 };
  const headers = { origin: new URL(page.url()).origin };
  await page.request.put('/api/preferences', { data: account, headers });
  await page.reload();
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  await openAllResults(page);
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
  expect(requested).toHaveLength(10);
  const { scan } = (await (await page.request.get('/api/scan/last')).json()) as {
    scan: {
      scan_id: string;
      params: { tuning: object };
      results: {
        all: { signal_id: string; symbol: string; interval: string; ai_state: string; rule_check: string | null }[];
        to_check: string[];
      };
    };
  };
  const { all, to_check: toCheck } = scan.results;
  // Signals that may open are checked first, the best result among them.
  const best = toCheck.flatMap((id) => all.find(({ signal_id }) => signal_id === id) ?? []);
  expect(best).toHaveLength(10);
  expect(best[0]).toEqual(all[0]);
  expect(requested).toEqual(
    best.map(({ symbol, interval }) => ({
      scan_id: scan.scan_id,
      symbol,
      interval,
      limit: 200,
      balance: account.balance_usdt,
      riskTolerance: 'medium',
      leverage: account.leverage,
      tuning: scan.params.tuning,
      allowAiCorrectionOnReject: false,
      softApproval: false,
    })),
  );
  // No model is configured: the rules decide, and the screen claims no AI verdict.
  expect(best.every((each) => each.ai_state === 'offline' && /^(not_)?passed$/.test(each.rule_check ?? ''))).toBe(true);
  await expect(page.getByText(/^AI: /)).toHaveCount(0);
  await expect(page.getByText(/^Rule check: (not )?passed$/).first()).toBeVisible();

  // The card stays on a signal that has a position; one that has none makes room for the next when it is rejected.
  const runOf = async (path: string) => (await (await page.request.get(path)).json()) as object;
  const endedRun = async () => {
    const { run } = (await runOf('/api/positions/auto')) as LastRun;
    return run !== null && run.finished_at !== null ? run.scan_id : null;
  };
  await expect.poll(endedRun).toBe(scan.scan_id);
  const { positions } = (await runOf('/api/positions')) as { positions: { symbol: string; interval: string }[] };
  const isOpen = ({ symbol, interval }: { symbol: string; interval: string }): boolean =>
    positions.some((each) => each.symbol === symbol && each.interval === interval);
  const shown = best.findIndex(isOpen);
  expect(shown).toBeGreaterThanOrEqual(0);
  expect(shown).toBeLessThan(8);
  const [rejectedAt, offlineAt] = [shown + 1, shown + 2];

  // The same ten signals, with every kind of response. Those before the one on the card are rejected.
  const proposal = { tags: ['one', 'two', 'three'], horizon_min: 30, stop_loss_pct_suggest: 1.5 };
  const long = 'The score rests on two votes that say the same thing, and both of them are late.';
  const problem = (status: number, code: string, more: object) => ({
    status,
    contentType: 'application/problem+json',
    json: { type: 'about:blank', title: 'No', status, code, message: 'No.', ...more },
  });
  let count = 0;
  await page.route('**/api/signal/ai-check', (route) => {
    count++;
    const { symbol, interval } = route.request().postDataJSON() as { symbol: string; interval: string };
    const at = best.findIndex((each) => each.symbol === symbol && each.interval === interval);
    const rejected = {
      ai_state: 'rejected',
      rule_check: null,
      aiApproved: false,
      aiProposal: { ...proposal, take_profit_pct_suggest: 3 },
    };
    if (at === shown) return route.fulfill(problem(409, 'ai_rejected', { ...rejected, rationale: long }));
    if (at === offlineAt)
      return route.fulfill(problem(503, 'ai_offline', { ai_state: 'offline', message: 'Away today.' }));
    if (at > offlineAt) return route.continue();
    return route.fulfill(problem(409, 'ai_rejected', { ai_state: 'rejected', aiApproved: false }));
  });
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect.poll(() => count).toBe(10);
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
  const rows = page.getByRole('grid', { name: 'Scan results' }).getByRole('row');
  /** Below the head of the table, in the order of rank. */
  const rowOf = (at: number) => rows.nth(1 + all.findIndex(({ signal_id }) => signal_id === toCheck[at]));
  await expect(rowOf(shown)).toContainText('AI: not approved');
  await expect(rowOf(rejectedAt)).toContainText('AI: not approved');
  await expect(rowOf(offlineAt)).toContainText('AI: offline');
  // Neither is an error.
  await expect(page.getByRole('alert')).toHaveCount(0);
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Best signal' }) });
  await expect(card.getByText('one', { exact: true })).toBeVisible();
  await expect(card.getByText('three', { exact: true })).toHaveCount(0);
  await expect(card.getByText(/^stop 1.50/)).toBeVisible();
  await expect(card.getByText(/^target 3.00/)).toBeVisible();
  await expect(card.getByText('horizon ~30m')).toBeVisible();
  await expect(card.getByText(`${long.slice(0, 60).trimEnd()}…`)).toBeVisible();
  await card.getByRole('button', { name: 'More' }).click();
  const details = page.getByRole('complementary').filter({ hasText: 'Score breakdown' });
  await expect(details.getByText(long)).toBeVisible();
  await expect(details.getByText('horizon ~30m')).toBeVisible();
  await rowOf(rejectedAt).click();
  await expect(details.getByText('AI: not approved', { exact: true })).toBeVisible();
  await rowOf(offlineAt).click();
  await expect(details.getByText('Away today.')).toBeVisible();
});

test('X49 X59 the settings for rejects are sent, and the service keeps scanning until it is stopped or has no credits', async ({
  page,
}) => {
  await signUp(page, 'signals');
  await tabNamed(page, 'Trading Settings').click();
  const keep = page.getByRole('switch', { name: 'Keep scanning while I am away' });
  await expect(keep).not.toBeChecked();
  await page.getByRole('switch', { name: 'Accept a rejected signal at a smaller size' }).click();
  await keep.click();
  const saved = waitForPreferences(page, 'keep_scanning');
  await page.getByRole('button', { name: 'Save settings' }).click();
  expect((await saved).postDataJSON()).toEqual({ keep_scanning: true, ai_soft_approval: true });
  await tabNamed(page, 'Signal Scanner').click();
  await expect(page.getByText('Keep scanning while I am away is on')).toBeVisible();
  await expect(page.getByText(/Its last scan/)).toBeVisible();
  await expect(page.getByRole('button', { name: '9 credits' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  const known = (await (await page.request.get('/api/preferences')).json()) as object;
  await page.request.put('/api/preferences', {
    data: { keep_scanning: false },
    headers: { origin: new URL(page.url()).origin },
  });
  await page.route('**/api/preferences', (route) => route.fulfill({ json: { ...known, keep_scanning: false } }));
  await page.route('**/api/scan/away', (route) =>
    route.fulfill({
      json: {
        is_on: false,
        last: { at: '2026-01-01T00:00:00.000Z', scan_id: null, status: 'refused', message: 'No credits' },
      },
    }),
  );
  await page.reload();
  await expect(page.getByText('Keep scanning while I am away has stopped: No credits.')).toBeVisible();
});
