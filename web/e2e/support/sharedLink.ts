import { type BrowserContext, expect, type Page } from '@playwright/test';
import { expectMessage } from './messages.ts';

/** Copies the link to the run on screen and opens it in a page of another context, which has checked it. */
export async function openSharedRun(page: Page, context: BrowserContext): Promise<Page> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expectMessage(page, /^Link copied/);
  const stranger = await context.newPage();
  await stranger.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await expect(stranger.getByTestId('shared-verdict')).toHaveText(/^Verified: /);
  return stranger;
}
