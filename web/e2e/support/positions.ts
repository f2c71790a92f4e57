import { expect, type Page } from '@playwright/test';

/** Opens a simulated position by the API with fixed levels, and closes it again if `isClosed`. */
export async function openByApi(page: Page, symbol: string, side: 'LONG' | 'SHORT', isClosed = false): Promise<void> {
  const statuses = await page.evaluate(
    async ({ name, way, isEnded }) => {
      const postOnce = (path: string, body: unknown) =>
        fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      // On a busy machine a price may be too old to trade at for a moment: the API rejects it, and the request is repeated.
      const post = async (path: string, body: unknown): Promise<Response> => {
        const response = await postOnce(path, body);
        if (response.ok || !(await response.clone().text()).includes('"price_stale"')) return response;
        await new Promise((resolve) => setTimeout(resolve, 500));
        return post(path, body);
      };
      const { price } = (await (await fetch(`/api/price?symbol=${name}`)).json()) as { price: number };
      const levels = { stop_loss: price * (1 - way * 0.03), take_profit: price * (1 + way * 0.05) };
      const wanted = { symbol: name, interval: '1h', side: way > 0 ? 'LONG' : 'SHORT', ...levels, qty: 300 / price };
      const opened = await post('/api/positions', { ...wanted, confidence: 0.9 });
      if (!isEnded) return [opened.status];
      const { id } = (await opened.json()) as { id: string };
      return [opened.status, (await post(`/api/positions/${id}/close`, {})).status];
    },
    { name: symbol, way: side === 'LONG' ? 1 : -1, isEnded: isClosed },
  );
  expect(statuses).toEqual(isClosed ? [201, 200] : [201]);
}
