import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { countHeld, noisePlan, noiseSearch, noiseWorld } from '@sextant/workers/test/support/noiseWorlds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MarketApp } from '../../support/createMarketApp.ts';
import { createListeningApp, giveCredits, makeKey, type MadeKey } from '../apiKeys/support.ts';

/** Searches of noise through a running app; the candles of its market are replaced by noise. */

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ADAUSDT'];
/** A call of the whole app takes longer than a task: `npm test` has one world. */
const worlds = process.env.STATISTICS === 'full' ? noisePlan.worlds : 1;
let test: MarketApp;
let baseUrl: string;
let world: Candles;
beforeAll(async () => {
  ({ test, baseUrl } = await createListeningApp());
  const candles = test.deps.market.candles.bind(test.deps.market);
  test.deps.market.candles = async (request) => {
    const outcome = await candles({ ...request, limit: 2 });
    if (!outcome.ok || request.price === 'mark') return outcome;
    const from = Math.max(0, world.time.length - request.limit);
    const cut = Object.fromEntries(
      Object.entries(world).map(([name, column]) => [name, (column as Float64Array).slice(from)]),
    ) as unknown as Candles;
    return { ...outcome, value: { ...outcome.value, value: { candles: cut, gaps: [], rejectedCount: 0 } } };
  };
});
afterAll(() => test.close());

/** A new user per world, so that the trials of one world do not count in another. */
async function newKey(): Promise<MadeKey> {
  const user = await test.signUp();
  await giveCredits(test, user.id, 1200);
  const payload = { plan: 'BUSINESS' };
  await test.app.inject({ method: 'POST', url: '/api/account/api-subscription', headers: user.bearer, payload });
  return makeKey(test, user, { scopes: ['read:market', 'run:backtest'] });
}

interface Verdict {
  level: string;
  earlierLooks: number;
}
type Door = (key: MadeKey, search: object) => Promise<Verdict>;

const shared = (k: number) => ({ symbol: symbols[k % symbols.length], interval: '1h', limit: 700 }) as const;

const byApi: (k: number) => Door = (k) => async (key, optimize) => {
  const response = await fetch(`${baseUrl}/api/backtest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key.header },
    body: JSON.stringify({ ...shared(k), honesty: true, optimize }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { honesty: Verdict }).honesty;
};

const byAgent: (k: number) => Door = (k) => async (key, search) => {
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(`${baseUrl}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: key.header } }));
  try {
    const response = await client.callTool({ name: 'optimize_parameters', arguments: { ...shared(k), ...search } });
    const [content] = response.content as { text: string }[];
    const text = content?.text ?? '';
    expect(response.isError, text).not.toBe(true);
    return (JSON.parse(text.slice(text.search(/^\{/m))) as { honesty: Verdict }).honesty;
  } finally {
    await client.close();
  }
};

describe('noise that is searched again and again', () => {
  it.each([
    ['API', byApi],
    ['MCP', byAgent],
  ])(
    'holds up at most once through the %s, and every search is counted',
    async (name, door) => {
      const levels: string[] = [];
      for (let k = 0; k < worlds; k++) {
        world = noiseWorld(k, Date.now());
        const key = await newKey();
        for (let i = 0; i < noisePlan.searches; i++) {
          const { level, earlierLooks } = await door(k)(key, noiseSearch(i));
          levels.push(level);
          expect(earlierLooks).toBe(i);
        }
      }
      expect(countHeld(name, levels)).toBeLessThanOrEqual(1);
    },
    3_600_000,
  );
});
