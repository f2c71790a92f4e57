import { expect, test } from '@playwright/test';
import { openTab, signUp } from './support/people.ts';

test('AUTO-003 X59 a scan opens once: a reload asks for nothing again, the first opening can be undone, and stays answered', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /ai-check$|positions\/auto$/.test(request.url())) asked.push(request.url());
  });
  await signUp(page);
  // Every result passes, so that there is something to open.
  await page.request.put('/api/preferences', {
    data: { ai_soft_approval: true, min_auto_conf_pct: 0 },
    headers: { origin: new URL(page.url()).origin },
  });
  await page.reload();
  await openTab(page, 'Signals');
  await page.getByRole('button', { name: 'Generate AI Signals (1 credit)' }).click();
  const line = page.getByRole('region', { name: 'First automatic opening' });
  await expect(line).toBeVisible({ timeout: 60_000 });
  const openCount = async () => {
    const answer = await page.request.get('/api/positions');
    return ((await answer.json()) as { positions: unknown[] }).positions.length;
  };
  const opened = await openCount();
  expect(opened).toBeGreaterThan(0);
  asked.length = 0;
  const lastRead = page.waitForResponse((response) => response.url().endsWith('/api/scan/last'));
  await page.reload();
  await openTab(page, 'Signals');
  await lastRead;
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  await expect(line).toBeVisible();
  expect(asked).toEqual([]);
  expect(await openCount()).toBe(opened);
  await line.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(/^Closed \d+ positions?\. That (cost|gained) .* USDT, fees included\.$/)).toBeVisible();
  await expect(line).toHaveCount(0);
  expect(await openCount()).toBe(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await openTab(page, 'Signals');
  await expect(page.getByRole('heading', { name: 'Best signal' })).toBeVisible();
  await expect(line).toHaveCount(0);
  expect(await openCount()).toBe(0);
});
