import { expect, type Page, test } from '@playwright/test';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { expectAccessibleAtBothWidths } from './support/accessible.ts';
import { signUp } from './support/users.ts';
import { changeResponses } from './support/requests.ts';
import { openAllResults } from './support/results.ts';

/** A calibration map of 1,240 outcomes: chances of 28 to 41 % for scores of 5 to 90. */
const points = [
  { raw: 0.05, chance: 0.28 },
  { raw: 0.9, chance: 0.41 },
];
const chanceOf = (raw: number): number => {
  const share = Math.min(1, Math.max(0, (raw - 0.05) / (0.9 - 0.05)));
  return raw <= 0.05 ? 0.28 : raw > 0.9 ? 0.41 : 0.28 + share * (0.41 - 0.28);
};
const measured = {
  kind: 'calibrated',
  version: 3,
  outcome_count: 1240,
  needed: 100,
  base_rate: 0.335,
  as_of: '2026-01-10T00:00:00.000Z',
  window_from: '2025-12-01T00:00:00.000Z',
  window_to: '2026-01-09T00:00:00.000Z',
  points,
  mean_win_stops: 1.92,
  mean_loss_stops: -1.07,
};
const noChance = { chance: null, chance_n: null, chance_origin: null, expected_net_pct: null };

interface Signal {
  raw_confidence: number;
  price: number;
  stopLoss: number;
  position: { sizeUsdt: number };
}

interface LastScan {
  scan: { results: { all: Signal[]; best: Signal | null; confidence: { interval: string }[] } } | null;
}

/** The server's own results, stated by the map: the ledger of a test has no outcomes yet. */
function stated<T extends Signal>(signal: T) {
  const confidence = chanceOf(signal.raw_confidence);
  const stop = Math.abs(signal.price - signal.stopLoss) / signal.price;
  const expected = stop * (confidence * measured.mean_win_stops + (1 - confidence) * measured.mean_loss_stops);
  return {
    ...signal,
    confidence,
    ...noChance,
    confidence_kind: 'calibrated',
    calibration_version: 3,
    expected_net_fraction: expected,
    expected_net_usdt: expected * signal.position.sizeUsdt,
  };
}

/** Reliability of 200 signals in two bins: stated `low` and `high`, gained 30 and 40 %. */
function reliability(low: number, high: number) {
  const bin = (from: number, mean: number, won: number) => ({
    from,
    to: from + 0.1,
    count: 100,
    won,
    mean_confidence: mean,
    win_rate: won / 100,
    interval: { low: won / 100 - 0.09, high: won / 100 + 0.09 },
  });
  const brier = ((low - 1) ** 2 * 30 + low ** 2 * 70 + (high - 1) ** 2 * 40 + high ** 2 * 60) / 200;
  const bins = [bin(Math.floor(low * 10) / 10, low, 30), bin(Math.floor(high * 10) / 10, high, 40)];
  return {
    count: 200,
    brier,
    brier_of_base_rate: 0.2275,
    log_loss: 0.65,
    log_loss_of_base_rate: 0.6474,
    ece: 0.01,
    bins,
  };
}

/** From now on scans report neither live nor replayed outcomes, however far the replay of the server is. */
const withoutReplay = (page: Page): Promise<void> =>
  changeResponses(page, '**/api/scan/last', (body: LastScan) => {
    if (body.scan !== null) {
      const { results } = body.scan;
      results.all = results.all.map((signal) => ({ ...signal, ...noChance }));
      results.best = results.best === null ? null : { ...results.best, ...noChance };
      results.confidence = results.confidence.map((basis) => ({ ...basis, replayed: null }));
    }
    return body;
  });

/** From now on the responses report finished outcomes in the ledger. */
async function measure(page: Page): Promise<void> {
  await changeResponses(page, '**/api/scan/last', (body: LastScan) => {
    if (body.scan !== null) {
      const { results } = body.scan;
      results.all = results.all.map(stated);
      results.best = results.all[0] ?? null;
      results.confidence = results.confidence.map((basis) => ({ ...basis, ...measured, replayed: null }));
    }
    return body;
  });
  for (const path of ['**/api/scoreboard', '**/api/performance'])
    await changeResponses(page, path, (body: { confidence: { bases: object[]; before: object; after: object } }) => {
      body.confidence.bases = body.confidence.bases.map((basis, i) => (i === 0 ? { ...basis, ...measured } : basis));
      body.confidence.before = reliability(0.45, 0.75);
      body.confidence.after = reliability(0.31, 0.4);
      return body;
    });
}

test('X75 confidence is the score until it is measured, then the chance with its score and what is expected', async ({
  page,
}) => {
  await withoutReplay(page);
  await signUp(page, 'signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  await expect(page.getByText(/^Win chance unknown on \S+ \(\d+ of 100 signals finished\)/)).toBeVisible();
  const best = page.locator('section', { hasText: 'Best signal' }).last();
  await expect(best.getByText('Not measured yet', { exact: true })).toBeVisible();
  // A score is not a chance, so it has no break-even to compare with.
  await expect(best.getByText('Break-even')).toHaveCount(0);

  await measure(page);
  await page.reload();
  await expect(
    page.getByText(/No signal can reach your minimum of 60 %. The highest win chance is 41.0/),
  ).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'scanner with a measured chance');
  await openAllResults(page);
  const grid = page.getByRole('grid', { name: 'Scan results' });
  await expect(grid.getByRole('row').nth(1)).toContainText(/score \d.+exp\. \S?\d/);
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  const details = page.getByRole('complementary').filter({ hasText: 'Score breakdown' });
  await expect(details.getByText('Score, 0 to 100')).toBeVisible();
  await expect(details.getByText(/Win chance after fees, from 1,240 finished signals/)).toBeVisible();
  await expect(details.getByText(/%,\s.+USDT$/)).toBeVisible();
  // The browser states the same chance by the map that is stored with the scan.
  await details.getByRole('button', { name: 'Reproduce in my browser' }).click();
  await expect(details.getByTestId('reproduction')).toContainText('Confidence');
  await expect(details.getByTestId('reproduction')).not.toContainText('here 0.3');

  await page.goto('/?tab=signals');
  await page.getByRole('button', { name: 'Change Min Confidence' }).click();
  await expect(page.getByText(/^No signal can reach your minimum of 60 %/)).toBeVisible();
  await page.getByLabel('Min Confidence (%)').fill('40');
  await page.getByLabel('Min Confidence (%)').blur();
  await expect(page.getByText(/^No signal can reach your minimum/)).toHaveCount(0);
});

test('X75 scoreboard and performance show reliability before and after calibration', async ({ page }) => {
  await page.goto('/scoreboard');
  const panel = page.locator('section', { hasText: 'Confidence: before and after calibration' }).last();
  await expect(panel.getByRole('row', { name: /15m indicator agreement so far \d+ of 100/ })).toBeVisible();
  await expect(panel.getByText(/^0 of 10 signals with a win chance finished\./)).toBeVisible();
  await measure(page);
  await page.reload();
  await expect(panel.getByRole('row', { name: /15m win chance after fees 1,240/ })).toContainText('28.0 % to 41.0 %');
  for (const name of ['Before: score', 'After: chance as stated']) {
    const side = panel.getByRole('region', { name });
    await expect(side.getByRole('row', { name: /^Brier score 0\.2/ })).toBeVisible();
    await expect(side.getByRole('row', { name: /^Log loss/ })).toBeVisible();
  }
  await expectAccessibleAtBothWidths(page, 'scoreboard');
});

test('X75 a saved strategy shows its own outcomes, how few they are, and its reliability', async ({ page }) => {
  await signUp(page, 'settings');
  await page.getByRole('tab', { name: 'Performance', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Signal outcomes' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your saved strategies' })).toHaveCount(0);
  const headers = { origin: new URL(page.url()).origin };
  const value = liveRules(['1h']);
  const { strategies } = (await (
    await page.request.post('/api/strategies', { headers, data: { name: 'Mine', value } })
  ).json()) as { strategies: { id: string; version: string }[] };
  const [{ id, version } = { id: '', version: '' }] = strategies;
  await page.request.put('/api/strategies/used', { headers, data: { id, version } });
  await reopen(page);
  const own = page.locator('section', { hasText: 'Your saved strategies' }).last();
  await expect(own.getByText(`0 outcomes so far of version ${version.slice(0, 8)}`)).toBeVisible();
  await expect(
    own.getByText(/Win chance unknown on 1h of this version of your strategy \(0 of 100 signals finished\)/),
  ).toBeVisible();

  let settled = 12;
  await changeResponses(page, '**/api/performance', (body: { strategies: OwnStrategy[] }) => {
    for (const each of body.strategies) {
      Object.assign(each.record, { signals: settled + 3, open: 3, resolved: settled, turned: 5, hit_rate: 0.35 });
      each.record.hit_rate_interval = { low: 0.28, high: 0.42 };
      each.record.calibration = reliability(0.45, 0.75);
      const isMeasured = settled >= 100;
      const basis = { ...each.confidence.bases[0], ...measured, outcome_count: settled };
      each.confidence.bases = isMeasured ? [basis] : [{ ...each.confidence.bases[0], outcome_count: settled }];
      if (!isMeasured) continue;
      Object.assign(each.confidence, { before: reliability(0.45, 0.75), after: reliability(0.31, 0.4) });
    }
    const [mine] = body.strategies;
    const other = { ...mine, id: 'other', name: 'Other', is_used: false };
    return { ...body, strategies: settled >= 100 ? [...body.strategies, other] : body.strategies };
  });
  await reopen(page);
  await expect(own.getByText(`12 outcomes so far of version ${version.slice(0, 8)}`)).toBeVisible();
  await expect(page.locator('section', { hasText: 'Outcomes of Mine' }).last()).toContainText(
    '5 closed on the opposite signal',
  );
  settled = 200;
  await reopen(page);
  const compared = page.locator('section', { hasText: 'Mine: before and after calibration' }).last();
  await expect(compared.getByRole('row', { name: /1h win chance after fees 200/ })).toContainText('28.0 % to 41.0 %');
  for (const name of ['Before: score', 'After: chance as stated'])
    await expect(compared.getByRole('region', { name }).getByRole('row', { name: /^Brier score 0\.2/ })).toBeVisible();
  await expectAccessibleAtBothWidths(page, 'performance with a saved strategy');
  await own.getByLabel('Strategy', { exact: true }).selectOption('Other');
  await expect(page.getByRole('heading', { name: 'Other: before and after calibration' })).toBeVisible();
});

async function reopen(page: Page): Promise<void> {
  await page.goto('/?tab=settings');
  await page.getByRole('tab', { name: 'Performance', exact: true }).click();
}

interface OwnStrategy {
  record: Record<string, unknown>;
  confidence: { bases: object[] };
}
