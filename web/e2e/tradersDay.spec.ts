import { expect, type Locator, type Page, test } from '@playwright/test';
import { sidewaysPx } from './support/accessible.ts';
import { choose } from './support/choose.ts';
import { dragLine } from './support/dragLine.ts';
import { tabTo } from './support/keyboard.ts';
import { expectMessage } from './support/messages.ts';
import { runInPalette } from './support/palette.ts';
import { subscribeToFake } from './support/push.ts';
import { orderTicket, settledFigures } from './support/ticket.ts';
import { openTab, signUpOnScreen } from './support/users.ts';

/** Its price is moved by no test, so that days at the same time do not meet. */
const symbol = 'ETHUSDT';

/** How a trader of this day uses the page. */
interface Hand {
  press: (control: Locator) => Promise<void>;
  /** Opens a page of the open tab. */
  openPage: (name: string) => Promise<void>;
  /** Selects an option of a group of radio buttons. */
  select: (group: string, option: string) => Promise<void>;
  /** Lowers the stop of the position on screen and saves it. */
  lowerStop: (page: Page) => Promise<void>;
}

interface Position {
  symbol: string;
  side: string;
  qty: number;
  stop_loss: number;
}

const openOf = async (page: Page): Promise<Position[]> =>
  ((await (await page.request.get('/api/positions')).json()) as { positions: Position[] }).positions;

async function onlyOpen(page: Page): Promise<Position> {
  const [position] = await openOf(page);
  if (position === undefined) throw new Error('no position is open');
  return position;
}

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true }).filter({ visible: true });
const levels = (page: Page) => page.getByRole('form', { name: 'Stop and target' });
const stopField = (page: Page) => levels(page).getByRole('textbox', { name: 'Stop', exact: true });
const alertForm = (page: Page) => page.getByRole('dialog', { name: /alert/i });
const replay = (page: Page) => page.getByRole('region', { name: 'Bar replay' });

const byPointer = (page: Page): Hand => ({
  press: (control) => control.click(),
  openPage: (name) => page.getByRole('tab', { name, exact: true }).click(),
  select: (group, option) => choose(page, group, option),
  lowerStop: async () => {
    await dragLine(page.locator('.chart-handle[data-level="stop"]'), 24);
    const bar = page.getByRole('group', { name: 'Moved levels' });
    await expect(bar.getByRole('status')).toHaveText(/^Stop [\d.,]+: \u2212[\d.,]+ USDT, \u2212\d+\.\d\dR$/);
    await page.mouse.up();
    await bar.getByRole('button', { name: 'Save' }).click();
  },
});

const byKeyboard = (page: Page): Hand => ({
  press: async (control) => {
    await tabTo(control);
    await page.keyboard.press('Enter');
  },
  openPage: async (name) => {
    const wanted = page.getByRole('tab', { name, exact: true });
    // Tab reaches the selected one, arrows the others.
    await tabTo(page.getByRole('tab', { selected: true }).first());
    const count = await page.getByRole('tab').count();
    for (let step = 0; step < count && (await wanted.getAttribute('aria-selected')) !== 'true'; step++)
      await page.keyboard.press('ArrowRight');
    await expect(wanted).toHaveAttribute('aria-selected', 'true');
  },
  select: async (group, option) => {
    const radios = page.getByRole('radiogroup', { name: group, exact: true });
    const wanted = radios.getByRole('radio', { name: option, exact: true });
    await tabTo(radios.getByRole('radio', { checked: true }));
    const count = await radios.getByRole('radio').count();
    for (let step = 0; step < count && !(await wanted.isChecked()); step++) await page.keyboard.press('ArrowRight');
    await expect(wanted).toBeChecked();
  },
  lowerStop: async () => {
    await tabTo(stopField(page));
    // A step is a tick, and with Shift ten.
    for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Enter');
  },
});

async function buy(page: Page, hand: Hand): Promise<void> {
  await runInPalette(page, 'buy eth 500', `Buy ${symbol} 500 USDTOrder`);
  await settledFigures(page);
  await hand.press(button(orderTicket(page), 'Buy now'));
  await expectMessage(page, new RegExp(`^Bought [\\d,.]+ ${symbol} at`));
  await expect(orderTicket(page)).toHaveCount(0);
  expect((await openOf(page)).map((each) => [each.symbol, each.side])).toEqual([[symbol, 'LONG']]);
}

async function manage(page: Page, hand: Hand): Promise<void> {
  const opened = await onlyOpen(page);
  await expect(levels(page)).toBeVisible();
  await hand.lowerStop(page);
  await expectMessage(page, new RegExp(`^LONG ${symbol} changed: stop`));
  expect((await onlyOpen(page)).stop_loss).toBeLessThan(opened.stop_loss);

  await hand.press(button(page, 'Close position'));
  await hand.select('Part to close', '50 %');
  await hand.press(button(page, 'Close this part'));
  await expectMessage(page, new RegExp(`of LONG ${symbol} closed at`));
  // Quantities have steps.
  expect((await onlyOpen(page)).qty / opened.qty).toBeCloseTo(0.5, 1);
}

async function beAlerted(page: Page, hand: Hand, pushed: () => Promise<string[]>): Promise<void> {
  await runInPalette(page, 'alert ETH 9000000', new RegExp(`^Alert when ${symbol} `));
  const form = alertForm(page);
  await hand.press(button(form, 'Allow in this browser'));
  await expect(form.getByRole('checkbox', { name: 'Browser push' })).toBeChecked();
  // Due at once in every market.
  await hand.select('Comparison', 'At or below');
  await hand.press(button(form, 'Set alert'));
  await expect(form).toHaveCount(0);
  await expectMessage(page, new RegExp(`^Alert: ${symbol} is at or below 9,000,000, now `));
  await expect.poll(pushed).toHaveLength(1);
  expect((await pushed())[0]).toContain(`${symbol} is at or below 9,000,000`);
}

async function practise(page: Page, hand: Hand): Promise<void> {
  await hand.press(button(page, 'Bar replay'));
  await hand.press(button(replay(page), 'Start replay'));
  await hand.press(button(replay(page), 'Long'));
  await hand.press(button(replay(page), 'Next candle'));
  await hand.press(button(replay(page), 'Close'));
  await hand.press(button(replay(page), 'Next candle'));
  await expect(replay(page).getByRole('status', { name: 'Practice' })).toContainText('Flat. 1 trade, net');
  await hand.press(button(replay(page), 'Finish'));
  await expect(page.getByRole('region', { name: 'Verdict on the practice' })).toContainText(/^1 trade, \d won/);
  await hand.press(button(replay(page), 'Leave replay'));
}

/** The open position as the page shows it, after a load or a step of the history. */
async function expectPosition(page: Page, { stop_loss: stop }: Position): Promise<void> {
  await expect(page.getByRole('heading', { name: new RegExp(`^${symbol} LONG`) }).first()).toBeVisible();
  await expect(stopField(page)).toHaveValue(String(stop));
}

const days = [
  { width: 1440, height: 900, theme: 'dark', zone: 'America/New_York', named: / E[SD]T( forming)?$/, locale: 'de-CH' },
  { width: 390, height: 844, theme: 'light', zone: 'Asia/Kolkata', named: / GMT\+5:30( forming)?$/, locale: 'ar-EG' },
  {
    width: 1440,
    height: 900,
    theme: 'light',
    zone: 'Australia/Lord_Howe',
    named: / GMT\+1(0:30|1)( forming)?$/,
    locale: 'en-AU',
  },
] as const;

for (const { width, height, theme, zone, named, locale } of days)
  test.describe(zone, () => {
    // Pushes arrive at the service worker.
    test.use({ viewport: { width, height }, colorScheme: theme, timezoneId: zone, locale, serviceWorkers: 'allow' });

    const isByKeyboard = locale === 'en-AU';
    test(`DESK-200 a day of a trader at ${width} px, ${theme}, in ${zone}, ${isByKeyboard ? 'by keyboard' : 'by pointer'}`, async ({
      page,
    }) => {
      const faults: string[] = [];
      page.on('pageerror', (fault) => faults.push(fault.message));
      const hand = isByKeyboard ? byKeyboard(page) : byPointer(page);
      await page.goto('/login');
      await signUpOnScreen(page);
      const pushed = await subscribeToFake(page);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      // The chart names the zone of its times.
      await expect(page.locator('.chart-readout > span').first()).toHaveText(named);

      await buy(page, hand);
      await openTab(page, 'Dashboard');
      await hand.openPage('Positions');
      await manage(page, hand);
      const position = await onlyOpen(page);
      await beAlerted(page, hand, pushed);

      await page.goBack();
      await practise(page, hand);
      await page.goForward();
      await page.reload();
      await expectPosition(page, position);
      await page.goBack();
      await expect(button(page, 'Bar replay')).toBeVisible();
      await expect(page).toHaveURL(/\?tab=dashboard/);
      expect(await sidewaysPx(page)).toBe(0);
      expect(faults).toEqual([]);
    });
  });
