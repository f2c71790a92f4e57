import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

/** Widths every page is checked at: a desktop and a phone. */
export const viewports = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const colourRules = ['color-contrast', 'link-in-text-block'];

const setTheme = (page: Page, theme: 'dark' | 'light'): Promise<void> =>
  page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);

/** A sticky bar covers targets scrolled under it, and a half covered target measures as too small. */
const letBarsGo = (page: Page, isLoose: boolean): Promise<void> =>
  page.evaluate(
    (position) => {
      for (const bar of document.querySelectorAll<HTMLElement>('.sticky, .fixed')) {
        if (bar.closest('[role=dialog]') === null) bar.style.position = position;
      }
    },
    isLoose ? 'static' : '',
  );

/**
 * Waits for finite animations: a drawer that slides in or a colour that fades has no final contrast yet. Endless animations are not waited
 * for, nor the scroll-driven shade of a wide table. Rejects after 3 s, so that no page costs them unseen.
 */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const findMoving = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState, timeline }) =>
            playState === 'running' &&
            timeline === document.timeline &&
            effect?.getComputedTiming().endTime !== Infinity,
        );
    const untilMs = performance.now() + 3000;
    do {
      await frame();
      await frame();
    } while (findMoving().length > 0 && performance.now() < untilMs);
    const classes = findMoving().map(({ effect }) => (effect as KeyframeEffect).target?.className);
    if (classes.length > 0) throw new Error(`still moving after 3 s: ${classes.join(', ')}`);
  });

/**
 * One pass of the rules in the page. Frames belong to other sites and are skipped; without them the usual way only costs: it opens an empty
 * page per pass to join the results of frames. Only violations are described.
 */
async function findViolations(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // A page reads axe once: its half megabyte is half of a pass. No rule that runs needs the texts of the style sheets.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  await settle(page);
  const axe = new AxeBuilder({ page, ...(isLoaded ? { axeSource: ';' } : {}) })
    .exclude('iframe')
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  const { violations } = await choose(axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary ?? ''}`),
  );
}

/** Pixels by which the page is wider than its window. */
export const sidewaysPx = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The page at its width has no violation in either theme and does not scroll sideways. Leaves it dark, with reduced motion. */
export async function expectAccessible(page: Page, place: string): Promise<void> {
  // A message that fades in between the rules has no final contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => scrollTo(0, 0));
  await letBarsGo(page, true);
  await setTheme(page, 'dark');
  const dark = await findViolations(page, (axe) => axe.withTags(tags));
  // Names, roles and order equal those of the other theme: only colours are checked twice.
  await setTheme(page, 'light');
  const light = await findViolations(page, (axe) => axe.withRules(colourRules));
  await setTheme(page, 'dark');
  await letBarsGo(page, false);
  expect([...dark, ...light], place).toEqual([]);
  // A chart follows a new width one frame later.
  await expect.poll(() => sidewaysPx(page), { message: `${place} scrolls sideways` }).toBe(0);
}

/**
 * The same on a desktop and on a phone with its coarse pointer, in one walk: only the axe passes are repeated. Leaves the first width set.
 */
export async function expectAccessibleAtBothWidths(page: Page, place: string): Promise<void> {
  // Four CPU-bound passes each: extends the timeout of the test per checked place.
  test.setTimeout(test.info().timeout + 30_000);
  const tools = await page.context().newCDPSession(page);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await tools.send('Emulation.setTouchEmulationEnabled', { enabled: viewport.width < 768 });
    await expectAccessible(page, `${place} at ${viewport.width}`);
  }
  await tools.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await tools.detach();
  await page.setViewportSize(viewports[0]);
}
