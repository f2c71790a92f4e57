// Long because its cases share one app with its exchanges: a start of them costs more than most cases.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { PROOF_KEYS_PATH, type ProofKeys } from '@sextant/workers/src/proof/contract.ts';
import { verifyProof } from '@sextant/workers/src/proof/verifyProof.ts';
import { startEngine } from '@sextant/workers/src/tasks/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHelp } from '../../../src/features/help/articles.ts';
import { storeHelp } from '../../../src/features/help/storeHelp.ts';
import { RunningCalls } from '../../../src/features/mcp/runningCalls.ts';
import { createListeningApp, giveCredits, makeKey, type MadeKey } from '../apiKeys/support.ts';
import type { MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { stopCandles } from '../market/stopCandles.ts';

let test: MarketApp;
let user: TestUser;
let key: MadeKey;
let baseUrl: string;
let client: Client;
beforeAll(async () => {
  ({ test, baseUrl } = await createListeningApp());
  await storeHelp(test.deps.db, await readHelp());
  user = await test.signUp();
  key = await makeKey(test, user, { scopes: ['read:market', 'read:signals', 'read:account', 'run:backtest'] });
  await giveCredits(test, user.id, 1200);
  const payload = { plan: 'BUSINESS' };
  await test.app.inject({ method: 'POST', url: '/api/account/api-subscription', headers: user.bearer, payload });
  client = await connect(key);
});
afterAll(async () => {
  await client.close();
  test.app.server.closeAllConnections();
  await test.close();
});

/** The SDK's own client, as an agent uses it. */
async function connect({ header }: MadeKey): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' });
  const url = new URL(`${baseUrl}/mcp`);
  await made.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: header } }));
  return made;
}

type Arguments = Record<string, unknown>;
type Options = NonNullable<Parameters<Client['callTool']>[2]>;
async function callTool(name: string, given: Arguments = {}, options: Options = {}, by = client): Promise<string> {
  const { content } = await by.callTool({ name, arguments: given }, undefined, options);
  return (content as { text: string }[])[0]?.text ?? '';
}
const dataOf = (text: string): unknown => JSON.parse(text.slice(text.search(/^\{/m)));

describe('the resources of the MCP server', () => {
  it('PKG-052 are the help and the glossary, listed and read as Markdown', async () => {
    const { resources } = await client.listResources();
    const names = resources.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['mcp-agents', 'honesty-panel', 'glossary-indicators', 'glossary-risk-figures']),
    );
    expect(new Set(resources.map(({ mimeType }) => mimeType))).toEqual(new Set(['text/markdown']));
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['sextant://help/{slug}']);
    for (const { uri, title } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents[0]).toMatchObject({ uri, mimeType: 'text/markdown' });
      expect((contents[0] as { text: string }).text.startsWith(`# ${title ?? ''}\n\n`), uri).toBe(true);
    }
    for (const uri of ['sextant://help/nothing', 'sextant://help/../x', 'file:///etc/passwd', 'x'])
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32_002 });
  }, 120_000);
});

describe('a long search', () => {
  const search = { symbol: 'BTCUSDT', interval: '1h', limit: 2000, samples: 1000, seed: 11 };

  it('PKG-053 reports progress that rises to its whole, with the result of a call without progress', async () => {
    const goOn = stopCandles(test.deps.market);
    const seen: { progress: number; total?: number | undefined }[] = [];
    const text = await callTool('optimize_parameters', search, { onprogress: (each) => seen.push(each) });
    expect(seen.length).toBeGreaterThan(0);
    for (const [i, { progress, total = 0 }] of seen.entries()) {
      expect(progress).toBeGreaterThan(seen[i - 1]?.progress ?? 0);
      expect(progress).toBeLessThanOrEqual(total);
      expect(total % 1000).toBe(0);
    }
    expect(text).toMatch(/^Best of \d+ parameter sets/);
    expect(await callTool('optimize_parameters', search)).toBe(text);
    goOn();
  }, 120_000);

  it('PKG-053 with wrong arguments is one JSON document that names them, and is counted once', async () => {
    const own = await makeKey(test, await test.signUp(), { scopes: ['run:backtest'] });
    const left = async (): Promise<number> => {
      const response = await test.app.inject({ url: '/api/account/whoami', headers: own.header });
      return Number(/r=(\d+)/.exec(String(response.headers['ratelimit']))?.[1]);
    };
    const send = (given: object, name = 'optimize_parameters') =>
      test.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...own.header, accept: 'application/json, text/event-stream' },
        payload: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: given, _meta: { progressToken: 'a' } },
        },
      });
    const before = await left();
    const wrong = await send({ symbol: 'BTCUSDT', sample: 20 });
    expect(wrong.headers['content-type']).toContain('application/json');
    expect(wrong.body).toContain('did you mean samples?');
    expect(await left()).toBe(before - 2);
    const good = await send({ symbol: 'BTCUSDT', samples: 20 });
    expect(good.headers['content-type']).toBe('text/event-stream');
    expect(good.body).toContain('Honesty verdict');
    expect(await left()).toBe(before - 4);
  });

  it('PKG-054 ends when it is cancelled, and is not counted as tried', async () => {
    const own = await makeKey(test, await test.signUp(), { scopes: ['run:backtest'] });
    const by = await connect(own);
    const long = { ...search, limit: 6000, seed: 12 };
    const stop = new AbortController();
    const running = callTool('optimize_parameters', long, { signal: stop.signal, onprogress: () => stop.abort() }, by);
    await expect(running).rejects.toThrow();
    const luck = { ...long, samples: 100, luckOnly: true };
    const { earlierTrials } = dataOf(await callTool('optimize_parameters', luck, {}, by)) as { earlierTrials: number };
    expect(earlierTrials).toBe(0);
    await by.close();
  }, 120_000);

  it('PKG-054 of an agent that leaves frees its thread, and an ambiguous cancellation stops no call of another agent', async () => {
    const own = await makeKey(test, await test.signUp(), { scopes: ['run:backtest'] });
    const leave = new AbortController();
    const params = { name: 'optimize_parameters', arguments: { ...search, limit: 6000, seed: 13 } };
    const left = fetch(`${baseUrl}/mcp`, {
      method: 'POST',
      headers: { ...own.header, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...params, _meta: { progressToken: 1 } },
      }),
      signal: leave.signal,
    });
    const reader = (await left).body?.getReader();
    await reader?.read();
    leave.abort();
    const by = await connect(own);
    const luck = { ...params.arguments, samples: 100, luckOnly: true };
    const { earlierTrials } = dataOf(await callTool('optimize_parameters', luck, {}, by)) as { earlierTrials: number };
    expect(earlierTrials).toBe(0);
    await by.close();
    const calls = new RunningCalls();
    const [one, two] = [new AbortController(), new AbortController()];
    const end = calls.add('a', 7, one);
    calls.cancel('b', 7);
    calls.cancel('a', '7');
    const endTwo = calls.add('a', 7, two);
    calls.cancel('a', 7);
    expect([one.signal.aborted, two.signal.aborted]).toEqual([false, false]);
    endTwo();
    calls.cancel('a', 7);
    expect([one.signal.aborted, two.signal.aborted]).toEqual([true, false]);
    end();
    calls.cancel('a', 7);
  }, 120_000);
});

describe('what a result carries', () => {
  interface Proved {
    proof: { hashes: object; keys: string; signed_file: { method: 'POST'; path: string; body: object } };
  }

  it('PKG-055 is the request of its proof, which verifies with the same hashes', async () => {
    const goOn = stopCandles(test.deps.market);
    const engine = startEngine(await loadModule());
    const keys = (await test.app.inject({ url: PROOF_KEYS_PATH })).json<ProofKeys>();
    const market = { symbol: 'ETHUSDT', interval: '1h' };
    const ranged = 'n = 40 [30..50 step 5]\nlong when rsi(14) < n\nexit long when rsi(14) > 60\nstop 3 %';
    for (const [name, more] of [
      ['run_backtest', { params: { slPct: 0.03 } }],
      ['run_backtest', { rules: 'long when rsi(14) < 40\nstop 3 %' }],
      ['optimize_parameters', { samples: 20 }],
      ['optimize_parameters', { samples: 20, rules: ranged }],
    ] as const) {
      const text = await callTool(name, { ...market, ...more });
      expect(text).toContain('Honesty verdict');
      const { proof } = dataOf(text) as Proved;
      expect(proof.keys).toBe(PROOF_KEYS_PATH);
      const { method, path, body } = proof.signed_file;
      const signed = await test.app.inject({ method, url: path, headers: key.header, payload: body });
      expect(signed.statusCode, signed.body).toBe(200);
      expect(signed.json<{ result: { hashes: object } }>().result.hashes, name).toEqual(proof.hashes);
      const report = await verifyProof(new TextEncoder().encode(signed.body), { engine, keys });
      expect(report.isValid, report.line).toBe(true);
    }
    goOn();
  }, 120_000);

  it('PKG-056 says before a search what luck would find, with what the account has tried', async () => {
    const by = await connect(await makeKey(test, await test.signUp(), { scopes: ['run:backtest'] }));
    const market = { symbol: 'SOLUSDT', interval: '1h' };
    interface Luck {
      candles: number;
      trialCount: number;
      earlierTrials: number;
      luckSharpe: number;
      luckAnnualSharpe: number | null;
      detectableSharpe: number;
    }
    const read = async (samples: number): Promise<Luck & { text: string }> => {
      const text = await callTool('optimize_parameters', { ...market, samples, luckOnly: true }, {}, by);
      return { ...(dataOf(text) as Luck), text };
    };
    const first = await read(25);
    // 300 candles before the scored 500; the luckiest of 50 is expected at 2.276 deviations of 1 / sqrt(299).
    expect(first).toMatchObject({ candles: 300, trialCount: 50, earlierTrials: 0, luckAnnualSharpe: null });
    expect(first.luckSharpe).toBeCloseTo(2.276 / Math.sqrt(299), 3);
    expect(first.detectableSharpe).toBeCloseTo(4.762 / Math.sqrt(299), 3);
    expect(first.text).toMatch(/^The best of 50 sets without skill usually shows a Sharpe ratio of 0\.132 a candle/);
    // It counts nothing itself; a search is counted.
    expect((await read(25)).earlierTrials).toBe(0);
    const searched = dataOf(await callTool('optimize_parameters', { ...market, samples: 20 }, {}, by)) as {
      trialCount: number;
    };
    const after = await read(25);
    expect(after.earlierTrials).toBe(searched.trialCount);
    expect(after.trialCount).toBe(50 + searched.trialCount);
    expect(after.luckSharpe).toBeGreaterThan(first.luckSharpe);
    await by.close();
  }, 60_000);

  it('PKG-057 costs no credits, whatever tool is used', async () => {
    const balance = async (): Promise<unknown> =>
      (await test.app.inject({ url: '/api/credits', headers: user.bearer })).json<{ entries: unknown }>().entries;
    const before = await balance();
    const { tools } = await client.listTools();
    const market = { symbol: 'BTCUSDT', interval: '1h' };
    const rules = 'long when rsi(14) < 30';
    const given: Record<string, Arguments> = {
      list_symbols: {},
      get_candles: market,
      get_indicators: market,
      get_signal: market,
      check_rules: { rules },
      run_backtest: market,
      backtest_portfolio: { symbols: ['BTCUSDT'], rules },
      optimize_parameters: { ...market, samples: 20 },
      list_positions: {},
      look_up_term: { term: 'drawdown' },
    };
    expect(Object.keys(given).sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const [name, input] of Object.entries(given))
      expect(await callTool(name, input), name).not.toMatch(/^[a-z_]+: /);
    expect(await balance()).toEqual(before);
  }, 60_000);
});

describe('100 misspelt arguments', () => {
  it('PKG-050 are all rejected by name, none runs', async () => {
    const { tools } = await client.listTools();
    let count = 0;
    for (const { name, inputSchema } of tools) {
      const names = Object.keys(inputSchema.properties ?? {});
      for (let i = 0; i < 10; i++) {
        const known = names[i % names.length] ?? '';
        // Swaps two letters, doubles one or drops one, by turns.
        const at = 1 + (i % Math.max(1, known.length - 2));
        const wrong = [
          known.slice(0, at - 1) + known.charAt(at) + known.charAt(at - 1) + known.slice(at + 1),
          known.slice(0, at) + known.charAt(at) + known.slice(at),
          known.slice(0, at) + known.slice(at + 1),
        ].find((each, turn) => turn >= i % 3 && !names.includes(each));
        const text = await callTool(name, { symbol: 'BTCUSDT', rules: 'x', term: 'x', [wrong ?? 'serach']: 1 });
        expect(text, name).toMatch(/^validation_failed: /);
        expect(text, name).toContain('is not known here');
        count += 1;
      }
    }
    expect(count).toBe(100);
  });
});
