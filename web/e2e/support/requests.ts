import { expect, type Page, type Request } from '@playwright/test';

/** Waits for the save of one preference. The open tab and its page are saved to the same URL a moment after each navigation. */
export const waitForPreferences = (page: Page, name: string): Promise<Request> =>
  page.waitForRequest(
    (request) =>
      request.method() === 'PUT' &&
      request.url().endsWith('/api/preferences') &&
      (request.postData() ?? '').includes(`"${name}"`),
  );

/** From now on the server's responses to `path` are changed on their way to the page. One in flight at the end is dropped with the test. */
export async function changeResponses(
  page: Page,
  path: string | RegExp,
  change: (body: never) => object,
): Promise<void> {
  await page.route(path, async (route) => {
    try {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as never) });
    } catch (failure) {
      // The context disposes its responses a moment before the page counts as closed.
      const isEnding = page.isClosed() || /disposed|has been closed/.test(String(failure));
      if (!isEnding) throw failure;
    }
  });
}

/** Holds back the page's requests to `path`, with one method or any, until the returned function is called. */
export async function holdBack(page: Page, path: string | RegExp, method?: 'GET' | 'POST'): Promise<() => void> {
  const held = Promise.withResolvers<null>();
  await page.route(path, async (route) => {
    if (method === undefined || route.request().method() === method) await held.promise;
    await route.fallback();
  });
  return () => held.resolve(null);
}

/**
 * Waits until `check` holds while the page's clock runs ahead: a page tries six times, 21 s in all, before it shows a failure. The clock
 * stands still during a check, which waits at most `timeout` ms, and after the one that holds: a polling page would send another request.
 * Requires `page.clock.install()` first.
 */
export const untilGivenUp = (page: Page, check: (timeout: number) => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(8000);
    await check(2000);
  }).toPass({ timeout: 180_000, intervals: [50] });
