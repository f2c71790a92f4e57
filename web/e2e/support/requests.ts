import { expect, type Page, type Request } from '@playwright/test';

/** The save of one preference. The open tab and its page are saved to the same address a moment after each move. */
export const waitForPreferences = (page: Page, name: string): Promise<Request> =>
  page.waitForRequest(
    (request) =>
      request.method() === 'PUT' &&
      request.url().endsWith('/api/preferences') &&
      (request.postData() ?? '').includes(`"${name}"`),
  );

/** From now on the server's answers to `path` are changed on their way to the page. One that is under way ends with the test. */
export async function changeAnswers(page: Page, path: string | RegExp, change: (body: never) => object): Promise<void> {
  await page.route(path, async (route) => {
    try {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as never) });
    } catch (failure) {
      // The context lets go of its answers a moment before the page counts as closed.
      const isEnding = page.isClosed() || /disposed|has been closed/.test(String(failure));
      if (!isEnding) throw failure;
    }
  });
}

/** How long `untilGivenUp` looks before the clock moves on. */
export const LOOK_MS = 2000;

/**
 * Waits until `check` holds while the page's clock runs ahead: a page asks six times, 21 s in all, before it names a failure. The clock rests
 * while `check` looks, for LOOK_MS, and once it holds: further ahead the page would ask again by itself. `page.clock.install()` comes first.
 */
export const untilGivenUp = (page: Page, check: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(8000);
    await check();
  }).toPass({ timeout: 180_000, intervals: [50] });
