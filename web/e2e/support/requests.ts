import type { Page, Request } from '@playwright/test';

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

/**
 * Waits for `check` while the page's clock runs ahead: a page asks six times, 21 s in all, before it names a failure. `check` is called once,
 * after the first 8 s, and waits by itself: a bound of its own would be one for a quiet machine. `page.clock.install()` comes first.
 */
export async function untilGivenUp(page: Page, check: () => Promise<void>): Promise<void> {
  await page.clock.runFor(8000);
  let isOver = false;
  const runAhead = async (): Promise<void> => {
    while (!isOver) {
      await page.clock.runFor(8000);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const checked = check().finally(() => {
    isOver = true;
  });
  await Promise.all([checked, runAhead()]);
}
