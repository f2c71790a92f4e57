import { setTimeout as delay } from 'node:timers/promises';
import { grant } from '../../src/features/credits/ledger.ts';
import { withSystem } from '../../src/platform/db/scope.ts';
import type { NodeCluster } from './nodeCluster.ts';

/** A response that does not come is given up: a frozen node holds its connections open. */
const RESPONSE_MS = 15_000;
const MINUTE_MS = 60_000;

export interface ClusterUser {
  id: string;
  headers: Record<string, string>;
}

/** Sends JSON to a node, or reads from it. Rejects when it is killed, frozen or does not listen. */
export function callNode(
  url: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Response> {
  const signal = AbortSignal.timeout(RESPONSE_MS);
  if (body === undefined) return fetch(url, { headers, signal });
  const sent = { 'content-type': 'application/json', ...headers };
  return fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body), signal });
}

/** A new account, with bought credits beside the ten of its welcome. Repeats while the node is still loading. */
export async function signUpOn(
  { database }: Pick<NodeCluster, 'database'>,
  url: string,
  { email, credits = 0 }: { email: string; credits?: number },
): Promise<ClusterUser> {
  for (let turn = 0; turn < 600; turn++) {
    const body = { email, password: 'correct horse battery' };
    const response = await callNode(`${url}/api/auth/signup`, { body, headers: { origin: url } }).catch(
      () => undefined,
    );
    if (response?.ok === true) {
      const { token, user } = (await response.json()) as { token: string; user: { id: string } };
      const order = { userId: user.id, credits, reason: 'purchase', key: 'enough' } as const;
      if (credits > 0) await withSystem(database.db, (tx) => grant(tx, order));
      return { id: user.id, headers: { authorization: `Bearer ${token}` } };
    }
    await response?.body?.cancel();
    await delay(100);
  }
  throw new Error('the node signs no one up');
}

/** Epoch ms of a web node's newest price of BTCUSDT; 0 without one. */
export async function quotedAtMs(url: string, { headers }: ClusterUser): Promise<number> {
  const response = await callNode(`${url}/api/price/batch?symbols=BTCUSDT`, { headers }).catch(() => undefined);
  if (response?.ok !== true) return 0;
  const { prices } = (await response.json()) as { prices: { at: string | number }[] };
  return Math.max(0, ...prices.map(({ at }) => new Date(at).getTime()));
}

/** The last closed minutes of BTCUSDT as a web node has them, and as the exchange has them; undefined while the node has none. */
export async function readMinutes(
  { exchanges }: Pick<NodeCluster, 'exchanges'>,
  url: string,
  { user, count }: { user: ClusterUser; count: number },
): Promise<{ times: number[]; closes: number[]; gaps: unknown[]; expected: number[] } | undefined> {
  const query = `symbol=BTCUSDT&interval=1m&limit=${count}`;
  const response = await callNode(`${url}/api/klines?${query}`, { headers: user.headers }).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  const { candles, gaps } = (await response.json()) as {
    candles: { time: number[]; close: number[] };
    gaps: unknown[];
  };
  const listing = exchanges.listings.binance.get('BTCUSDT');
  if (listing === undefined) throw new Error('no listing');
  const [first = 0, last = 0] = [candles.time[0], candles.time.at(-1)];
  const bars = exchanges.market.candles(listing, '1m', first, last + 1, last + MINUTE_MS);
  const expected = bars.map(({ close }) => close / 10 ** listing.priceDecimals);
  return { times: candles.time, closes: candles.close, gaps, expected };
}

/** Rows of `from ... where ...`. */
export const countRows = async ({ database }: Pick<NodeCluster, 'database'>, text: string): Promise<number> =>
  (await database.asOwner<{ count: number }>(`select count(*)::int as count ${text}`))[0]?.count ?? -1;
