import type { Page } from '@playwright/test';

/** Selectors of the parts a user waits for. `tab` includes the bar, because the home page also has headings. */
const marks = {
  bar: '[aria-label="Tabs"]',
  tab: 'body:has([aria-label="Tabs"]) #main h2',
  chart: '#main canvas',
} as const;

/** Milliseconds from the start of the navigation to the frame in which each is there. */
export type Opening = Record<keyof typeof marks, number>;

declare global {
  interface Window {
    sextantOpening: Partial<Opening>;
  }
}

/** Runs in the page before its own scripts. */
function watch(selectors: Record<string, string>): void {
  const seen: Record<string, number> = {};
  window.sextantOpening = seen;
  const look = () => {
    for (const [name, selector] of Object.entries(selectors))
      if (document.querySelector(selector) !== null) seen[name] ??= performance.now();
    requestAnimationFrame(look);
  };
  look();
}

/** Opens the product with the session of `page` in a browser with an empty cache. */
export async function openCold(page: Page): Promise<Opening> {
  const context = await page
    .context()
    .browser()
    ?.newContext({
      storageState: await page.context().storageState(),
      locale: 'en-US',
      viewport: page.viewportSize(),
    });
  if (context === undefined) throw new Error('the page has no browser of its own');
  try {
    const opened = await context.newPage();
    await opened.addInitScript(watch, marks);
    await opened.goto(new URL('/?tab=dashboard', page.url()).href);
    await opened.waitForFunction(
      (count) => Object.keys(window.sextantOpening).length === count,
      Object.keys(marks).length,
    );
    return (await opened.evaluate(() => window.sextantOpening)) as Opening;
  } finally {
    await context.close();
  }
}
