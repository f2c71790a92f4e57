import { expect, type Locator, type Page, test } from '@playwright/test';
import { sidewaysPx } from './support/accessible.ts';
import { openTab, signUp } from './support/users.ts';

const pane = (page: Page, label: string): Locator =>
  page.locator('.chart-pane').filter({ has: page.locator('.chart-readout', { hasText: label }) });
const readout = (page: Page): Locator => page.locator('.chart-readout').first();

async function runStandard(page: Page): Promise<void> {
  await signUp(page, 'backtest');
  // The lab opened with a run, which is not saved: what is saved is the one that was pressed.
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/backtest/state') && response.request().method() === 'PUT',
  );
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await saved;
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  // Charts are redrawn when the minutes of a run are loaded, which would end a hover.
  await expect(page.getByTestId('run')).toHaveAttribute('data-status', 'fresh');
}

test('at 1440 x 900 the figures, the candles with equity under them, and the verdict are in sight without scrolling', async ({
  page,
}) => {
  await runStandard(page);
  const verdict = page.getByRole('region', { name: 'Honesty' });
  await expect(verdict).toHaveAttribute('data-status', 'judged');
  const parts = {
    figures: page.getByRole('region', { name: 'Result', exact: true }),
    candles: page.locator('.chart-pane').first(),
    equity: pane(page, 'Equity, USDT'),
    verdict: page.getByTestId('honesty-level'),
  };
  const boxOf = async (part: Locator) => {
    const box = await part.boundingBox();
    if (box === null) throw new Error('not on the page');
    return box;
  };
  for (const [name, part] of Object.entries(parts)) {
    const { y, height } = await boxOf(part);
    expect(y, name).toBeGreaterThanOrEqual(0);
    expect(y + height, name).toBeLessThanOrEqual(900);
  }
  const [figures, candles, equity, said] = await Promise.all(Object.values(parts).map(boxOf));
  expect(figures!.y + figures!.height).toBeLessThanOrEqual(candles!.y);
  expect(candles!.height).toBeGreaterThanOrEqual(180);
  expect(equity!.y).toBeGreaterThanOrEqual(candles!.y + candles!.height - 1);
  // Beside the candles, not under them.
  expect(said!.x).toBeGreaterThan(candles!.x + candles!.width);
  expect(said!.y).toBeLessThan(candles!.y + candles!.height);
  // The summary in words is collapsed by default.
  await expect(page.getByTestId('plain-words')).toBeHidden();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => sidewaysPx(page)).toBe(0);
});

test('DESK-177 DESK-178 no figure of the strip is cut, and the verdict does not repeat its label', async ({ page }) => {
  await runStandard(page);
  const verdict = page.getByRole('region', { name: 'Honesty' });
  await expect(verdict).toHaveAttribute('data-status', 'judged');
  const level = (await page.getByTestId('honesty-level').textContent()) ?? '';
  expect(level).not.toBe('');
  await expect(verdict.getByRole('status')).not.toContainText(new RegExp(`^${level}\\s*(Likely )?${level}`, 'i'));

  const strip = page.getByRole('region', { name: 'Result', exact: true });
  await strip.getByRole('button', { name: /more figures/ }).click();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 390) await page.getByRole('tab', { name: 'Results & Analytics' }).click();
    await expect(strip.getByRole('term').first()).toBeVisible();
    // By closes, then within candles.
    for (const next of ['intrabar', 'closes']) {
      const { all, cut } = await strip.locator('dt, dt *, dd, dd *, p').evaluateAll((parts) => ({
        all: parts.length,
        cut: parts
          .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1)
          .map((part) => part.textContent),
      }));
      expect(all).toBeGreaterThan(50);
      expect(cut, `${width} px`).toEqual([]);
      await strip.getByRole('button', { name: next, exact: true }).click();
    }
    await page.screenshot({ path: `test-results/metric-strip-${width}.png` });
  }
});

test('all figures of the verdict unfold over the width of the results, each name beside its value, and a table shades the edge behind which there is more', async ({
  page,
}) => {
  await runStandard(page);
  await page.getByRole('button', { name: /^All \d+ figures$/ }).click();
  const figures = page.getByLabel('All honesty figures');
  await expect(figures).toBeInViewport({ ratio: 1 });
  for (const { width, least } of [
    { width: 1440, least: 1000 },
    { width: 390, least: 350 },
  ]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 390) await page.getByRole('tab', { name: 'Results & Analytics' }).click();
    await expect.poll(async () => (await figures.boundingBox())?.width).toBeGreaterThanOrEqual(least);
    const cut = await figures
      .locator('dt, dd:nth-of-type(1)')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
    expect(cut).toEqual([]);
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  const trades = page.getByRole('grid', { name: 'Trades' });
  const shadesAt = async (left: number): Promise<string[]> => {
    const shade = await trades.evaluate(async (grid, to) => {
      grid.scrollTo({ left: to });
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return getComputedStyle(grid).boxShadow;
    }, left);
    const offsets = [...shade.matchAll(/(-?\d+)px 0px 12px/g)].map(([, px]) => Number(px));
    return offsets.map((px) => (px > 0 ? 'left' : 'right'));
  };
  expect(await shadesAt(0)).toEqual(['right']);
  expect(await shadesAt(150)).toEqual(['left', 'right']);
  expect(await shadesAt(10_000)).toEqual(['left']);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => shadesAt(0), { message: 'two lines a trade fit a phone' }).toEqual([]);
});

test('the results of a search are one press away from the verdict, and a window that changes its width preserves what is open and typed', async ({
  page,
}) => {
  await runStandard(page);
  await page.getByRole('tab', { name: 'Optimization' }).click();
  await page.getByRole('button', { name: 'Optimize 50 sets' }).click();
  const facts = page.getByTestId('search-facts');
  await expect(facts).toBeAttached();
  await expect(facts).not.toBeInViewport();
  await page.getByRole('button', { name: /^Search of \d+ sets$/ }).click();
  await expect(facts).toBeInViewport();

  await page.getByRole('tab', { name: 'Table' }).click();
  const name = page.getByLabel('Name of the run');
  await name.fill('one');
  // On a phone, which shows one page at a time, and back beside the setup.
  for (const [width, shown, hidden] of [
    [390, 'Backtest', 'Input'],
    [1440, 'Input', 'Backtest'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.getByRole('tablist', { name: shown, exact: true })).toBeVisible();
    await expect(page.getByRole('tablist', { name: hidden, exact: true })).toHaveCount(0);
    await expect(page.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');
    await expect(name).toHaveValue('one');
  }
  await expect(page.getByRole('tab', { name: 'Optimization' })).toHaveAttribute('aria-selected', 'true');
});

/** Puts the pointer at a share of the width of the candles' plot. */
async function pointAt(page: Page, share: number): Promise<void> {
  const plot = page.locator('.chart-pane').first().locator('.u-over');
  const box = await plot.boundingBox();
  if (box === null) throw new Error('no plot');
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 3);
}

const timeRead = (page: Page): Promise<string> => readout(page).locator('span').first().innerText();

test('the crosshair has its price and its time on the axes, Fit shows every candle and Reset the view of the start', async ({
  page,
}) => {
  await runStandard(page);
  await pointAt(page, 0.5);
  const value = page.locator('.chart-axis-label.is-value');
  const time = page.locator('.chart-axis-label.is-time');
  await expect(value.first()).toBeVisible();
  await expect(value.first()).toHaveText(/^[\d,]+\.\d+$/);
  // The other panes share the time, not the height.
  await expect(value.filter({ visible: true })).toHaveCount(1);
  await expect(time).toBeVisible();
  await expect(time).toHaveText(await timeRead(page));
  await expect(readout(page)).toHaveText(/O [\d,.]+H [\d,.]+L [\d,.]+C [\d,.]+V [\d,.]+$/);

  const firstTime = async (): Promise<string> => {
    await pointAt(page, 0.5);
    await pointAt(page, 0.06);
    return timeRead(page);
  };
  const atStart = await firstTime();
  const press = (name: string) => page.getByRole('toolbar', { name: 'Chart' }).getByRole('button', { name }).click();
  await press('Fit');
  await expect.poll(async () => Date.parse(await firstTime()) < Date.parse(atStart) - 20 * 86_400_000).toBe(true);
  await press('Reset');
  await expect.poll(firstTime).toBe(atStart);
});

test('indicators and the scale of the chart are chosen in its menu, and are there after a reload', async ({ page }) => {
  await runStandard(page);
  const tools = page.getByRole('toolbar', { name: 'Chart' });
  const log = tools.getByRole('button', { name: 'Log' });
  await tools.getByRole('button', { name: /^Indicators/ }).click();
  await page.getByRole('checkbox', { name: /^Bollinger bands/ }).check();
  await page.getByRole('checkbox', { name: /^Relative strength index/ }).check();
  await page.keyboard.press('Escape');
  await log.click();
  const expectChosen = async () => {
    await expect(tools.getByRole('button', { name: 'Indicators (2)' })).toBeVisible();
    await expect(readout(page)).toHaveText(/BOLL 20 2 [\d,.]+ [\d,.]+ [\d,.]+$/);
    await expect(pane(page, 'RSI 14').locator('.chart-readout')).toHaveText(/^RSI 14 \d+\.\d\d$/);
    await expect(log).toHaveAttribute('aria-pressed', 'true');
  };
  await expectChosen();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  await expectChosen();

  await tools.getByRole('button', { name: 'Indicators (2)' }).click();
  await page.getByRole('checkbox', { name: /^Relative strength index/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect(pane(page, 'RSI 14')).toHaveCount(0);
});

test('the chart of the dashboard has a forming candle from streamed prices, and its own layout', async ({ page }) => {
  await signUp(page);
  await expect(readout(page)).toHaveText(/ formingO [\d,.]+C [\d,.]+$/);
  const tools = page.getByRole('toolbar', { name: 'Chart' });
  await tools.getByRole('button', { name: /^Indicators/ }).click();
  await page.getByRole('checkbox', { name: /^Supertrend/ }).check();
  await page.keyboard.press('Escape');
  await expect(readout(page)).toContainText('SUPERTREND 10 3');
  await page.reload();
  await expect(readout(page)).toContainText('SUPERTREND 10 3');
  await openTab(page, 'Backtest');
  await page.getByRole('button', { name: 'Run Backtest' }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  await expect(tools.getByRole('button', { name: 'Indicators', exact: true })).toBeVisible();
});

test('after Clear the setup is run at a press, and what unfolds is as wide as the page; a narrow page leads to the setup', async ({
  page,
}) => {
  await signUp(page, 'backtest');
  await expect(page.getByTestId('net-pnl')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Run this setup' }).click();
  await expect(page.getByRole('heading', { name: 'BTCUSDT, 1h' })).toBeVisible();
  // One window with one end date, above the chart and below it.
  const run = page.getByTestId('run');
  const window = ((await page.getByTestId('figures-window').textContent()) ?? '').split(',')[0] ?? '';
  expect(window).toMatch(/UTC to .*UTC$/);
  await expect(run.getByText(`${window} · `)).toBeVisible();
  await page.getByText('In words', { exact: true }).click();
  const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0;
  expect(await widthOf(run.locator('details').filter({ hasText: 'In words' }))).toBe(await widthOf(run));
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('button', { name: 'Run this setup' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Results & Analytics' }).click();
  await page.getByRole('button', { name: 'Go to Setup' }).click();
  await expect(page.getByText('500 candles', { exact: true })).toBeVisible();
});
