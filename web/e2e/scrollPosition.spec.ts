import { expect, type Locator, type Page, test } from '@playwright/test';
import { choose } from './support/choose.ts';
import { signUp } from './support/users.ts';
import { holdBack } from './support/requests.ts';

/** Waits for what shifts the whole page: the banner of the simulated market, and the fonts. */
async function waitForBannerAndFonts(page: Page): Promise<void> {
  await expect(page.getByRole('complementary', { name: 'Market mode' })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
}

async function expectUnchanged(control: Locator, arrive: () => Promise<void>): Promise<void> {
  await waitForBannerAndFonts(control.page());
  await expect(control).toBeVisible();
  const before = await control.boundingBox();
  await arrive();
  expect(await control.boundingBox()).toEqual(before);
}

test('late content moves no control: the scan button, the webhook test, the account deletion', async ({ page }) => {
  await signUp(page, 'help');

  let release = await holdBack(page, /\/api\/strategies/);
  await page.goto('/?tab=signals');
  await expect(page.getByText('Maximum Positions')).toBeVisible();
  const rules = page.getByLabel('Scans and Auto trade');
  await expect(rules).toBeDisabled();
  await expectUnchanged(page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }), async () => {
    release();
    await expect(rules).toBeEnabled();
  });

  release = await holdBack(page, /\/api\/(health|status)$/);
  await page.goto('/?tab=api-docs');
  const sidebar = page.getByRole('complementary', { name: 'API status and files' });
  await expectUnchanged(sidebar.getByRole('button', { name: 'Test Webhook' }), async () => {
    release();
    await expect(sidebar.getByText('Online', { exact: true })).toBeVisible();
    await expect(sidebar.getByRole('list', { name: 'Services' })).toBeVisible();
  });

  release = await holdBack(page, /\/api\/account\/privacy/);
  await page.goto('/?tab=account');
  await page.getByRole('tab', { name: 'Privacy & Data' }).click();
  await expectUnchanged(page.getByRole('heading', { name: 'Delete account' }), async () => {
    release();
    await expect(page.getByRole('switch', { name: 'Analytics' })).toBeVisible();
  });
});

test('the rules of the lab do not move while the luck ceiling of a run is calculated', async ({ page }) => {
  await signUp(page, 'backtest');
  await choose(page, 'Strategy', 'Live rules');
  await waitForBannerAndFonts(page);
  // In each frame from page load until the figures are there.
  const tops = page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const seen = new Set<number>();
        const look = (): void => {
          const note = document.querySelector('[data-testid=detectable]');
          const votes = [...document.querySelectorAll('summary')].find((each) =>
            each.innerText.startsWith('Vote weights'),
          );
          if (votes !== undefined) seen.add(votes.getBoundingClientRect().top);
          if (votes !== undefined && note?.getAttribute('aria-busy') === 'false') done([...seen]);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  await page.getByRole('tab', { name: 'Strategy Parameters', exact: true }).click();
  expect(await tops).toHaveLength(1);
});

test('popups of the bar keep their position while the page scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 500 });
  await signUp(page);
  await expect(page.locator('.chart-readout').first()).toContainText('C');
  for (const [button, role] of [
    [/^More$/, 'menu'],
    [/^Account$/, 'menu'],
    [/^Messages/, 'dialog'],
    [/credits$/, 'dialog'],
    [/^Data: /, 'dialog'],
  ] as const) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('banner').getByRole('button', { name: button }).click();
    const popup = page.getByRole(role);
    await expect(popup).toBeVisible();
    // Read in the task that scrolls: a frame later the popup has been placed again, and a press would have missed it by then.
    const [before, after, scrolledPx] = await popup.evaluate((element) => {
      const place = () => JSON.stringify(element.getBoundingClientRect());
      const first = place();
      window.scrollTo(0, 40);
      return [first, place(), window.scrollY];
    });
    expect(scrolledPx, String(button)).toBe(40);
    expect(after, String(button)).toBe(before);
    await page.keyboard.press('Escape');
    await expect(popup).toHaveCount(0);
  }
});
