import { expect, type Page, test } from '@playwright/test';
import { openTab, signUp } from './support/users.ts';
import { expectMessage } from './support/messages.ts';
import { openByApi } from './support/positions.ts';

/** Markets of this test alone: one of them ends. */
const candidates = ['QTUMUSDT', 'CELOUSDT', 'ROSEUSDT', 'KAVAUSDT', 'ONEUSDT', 'MINAUSDT'];

const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

async function changeListing(page: Page, symbol: string, state: 'trading' | 'ended'): Promise<void> {
  const url = `http://127.0.0.1:${process.env.E2E_EXCHANGES_PORT ?? ''}/__control/listing`;
  expect((await page.request.post(url, { data: { symbol, state } })).ok()).toBe(true);
}

/** A scan of the candidates. @returns the symbol of a signal with a direction, which is in the public record from then on */
async function scanForSignal(page: Page): Promise<string> {
  const id = await page.evaluate(async (symbols) => {
    const response = await fetch('/api/scan', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({ symbols, intervals: ['15m', '1h', '4h'] }),
    });
    return ((await response.json()) as { scan_id: string }).scan_id;
  }, candidates);
  interface Row {
    symbol: string;
    direction: string;
  }
  const readScan = async () =>
    (
      (await (await page.request.get(`/api/scan/${id}`)).json()) as {
        scan: { status: string; results: { all: Row[] } };
      }
    ).scan;
  await expect.poll(async () => (await readScan()).status).toBe('done');
  const match = (await readScan()).results.all.find(({ direction }) => direction !== 'NEUTRAL');
  if (match === undefined) throw new Error('no candidate has a direction');
  return match.symbol;
}

/** Messages go to a path of this test at the receiver of the demo. @returns their bodies that name the symbol */
async function receiveMessages(page: Page): Promise<(symbol: string) => Promise<string[]>> {
  await tabNamed(page, 'Notifications').click();
  const url = page.getByLabel('URL');
  await page.getByRole('button', { name: "Use the demo's receiver" }).click();
  const receiver = new URL(`${await url.inputValue()}/${crypto.randomUUID()}`);
  await url.fill(receiver.href);
  await page.getByRole('button', { name: 'Save URL' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  return async (symbol) => {
    const cached = (await (await page.request.get(`${receiver.origin}/__control/requests`)).json()) as {
      requests: { path: string; body: string }[];
    };
    return cached.requests
      .filter(({ path, body }) => path === receiver.pathname && body.includes(symbol))
      .map(({ body }) => body);
  };
}

test('POS-016 HIST-120 HIST-121 a delisted contract closes its position on screen, with the reason in history, notification and track record', async ({
  page,
}) => {
  test.skip(process.env.E2E_EXCHANGES_PORT === undefined, 'the port of the simulated exchanges is not known');
  await signUp(page, 'account');
  const messagesOf = await receiveMessages(page);
  const symbol = await scanForSignal(page);
  await openByApi(page, symbol, 'LONG');
  await openTab(page, 'Dashboard');
  await tabNamed(page, 'Positions').click();
  const alert = { kind: 'price', exchange: 'binance', symbol, when: 'cross', level: 1e6 };
  const isSet = await page.evaluate(async (condition) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/api/alerts', { method: 'POST', headers, body: JSON.stringify({ condition }) })).ok;
  }, alert);
  expect(isSet).toBe(true);
  const closeButton = page.getByRole('button', { name: `Close LONG ${symbol}` });
  await expect(closeButton).toBeVisible();

  try {
    await changeListing(page, symbol, 'ended');
    // The page is open meanwhile and is not loaded again.
    await expect(closeButton).toHaveCount(0);
    const reason = new RegExp(`${symbol} was delisted on binance on \\d{4}-\\d{2}-\\d{2}\\.`);
    await expectMessage(page, new RegExp(`^1 alert ended\\. ${reason.source}`), 150_000);
    await tabNamed(page, 'Alerts').click();
    await expect(page.getByRole('list', { name: 'Alerts' }).getByText(reason)).toBeVisible();
    await tabNamed(page, 'History').click();
    const row = page.getByRole('row', { name: new RegExp(symbol) });
    await expect(row.getByRole('gridcell', { name: 'Delisted', exact: true })).toBeVisible();
    await row.click();
    await expect(page.getByRole('list', { name: 'Events' })).toContainText(
      /Settled at [\d,.]+, the last mark price: the exchange ended the contract/,
    );
    await tabNamed(page, 'Analytics').click();
    await expect(page.getByRole('table', { name: 'By reason' })).toContainText('Delisted');

    await openTab(page, 'Account');
    await tabNamed(page, 'Notifications').click();
    const log = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Delivery log' }) });
    await expect(log.getByRole('listitem').filter({ hasText: 'Position closed' })).toContainText('Arrived');
    const bodies = (await messagesOf(symbol)).map((body) => JSON.parse(body) as { type: string; data: object });
    expect(bodies.filter(({ type }) => type === 'position.closed')).toMatchObject([
      { data: { symbol, side: 'LONG', reason: 'delisted' } },
    ]);

    await openTab(page, 'Signal Tuning');
    await tabNamed(page, 'Performance').click();
    const settled = page
      .getByRole('group', { name: 'Newest signals' })
      .getByRole('row', { name: new RegExp(`${symbol}.*Delisted`) });
    // The record settles once a minute, and a page fetches it again when it opens.
    await expect(async () => {
      await page.reload();
      await page.getByText('From my scans', { exact: true }).click();
      await expect(settled.first()).toBeVisible({ timeout: 10_000 });
    }).toPass({ timeout: 150_000, intervals: [5000] });
  } finally {
    await changeListing(page, symbol, 'trading');
  }
});
