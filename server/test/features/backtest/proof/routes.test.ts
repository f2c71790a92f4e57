import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { canonicalText } from '@sextant/workers/src/proof/canonicalJson.ts';
import { PROOF_KEYS_PATH, type Proof, type ProofKeys } from '@sextant/workers/src/proof/contract.ts';
import { verifyProof } from '@sextant/workers/src/proof/verifyProof.ts';
import { startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../../support/createMarketApp.ts';
import type { TestUser } from '../../../support/createTestApp.ts';
import { daysAgoMs } from '../../../support/hours.ts';

let test: MarketApp;
let anna: TestUser;
let engine: TaskEngine;
beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
  engine = startEngine(await loadModule());
});
afterAll(() => test.close());

const market = { symbol: 'ETHUSDT', interval: '1h', endTime: daysAgoMs(30), limit: 400, isExact: true, scored: 200 };
const post = (payload: object, url = '/api/backtest/proof') =>
  test.app.inject({ method: 'POST', url, headers: anna.bearer, payload });
const readKeys = async () => (await test.app.inject({ url: PROOF_KEYS_PATH })).json<ProofKeys>();
const verify = (text: string, keys: ProofKeys) => verifyProof(new TextEncoder().encode(text), { engine, keys });
const ownRules = 'long when rsi(14) < 45 and 4h(close > sma(close, 20))\nexit long when rsi(14) > 60\nstop 3 %';

describe('POST /api/backtest/proof', () => {
  it('PKG-020 signs its own run as a file that verifies, with the hashes of POST /api/backtest', async () => {
    const [run, response] = [await post(market, '/api/backtest'), await post(market)];
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers['content-disposition']).toBe('attachment; filename="ETHUSDT-1h-proof.json"');
    const proof = response.json<Proof>();
    expect(response.body).toBe(canonicalText(proof));
    expect(proof.result.hashes).toEqual(run.json<{ hashes: object }>().hashes);
    const report = await verify(response.body, await readKeys());
    expect(report.line).toBe('Verified. Agrees: file, signature, key, engine, candles, rules and costs, result.');
  });

  it('PKG-020 signs own rules on two intervals, and own candles', async () => {
    const own = await post({ ...market, rules: ownRules });
    expect(own.statusCode, own.body).toBe(200);
    expect((await verify(own.body, await readKeys())).line).toMatch(/^Verified\. .*result\.$/);
    const { candles } = own.json<{ request: { candles: object } }>().request;
    const sent = await post({ candles, interval: '1h', label: 'my file.csv' });
    expect(sent.statusCode, sent.body).toBe(200);
    expect(sent.headers['content-disposition']).toContain('my-file-csv-1h-proof.json');
    expect((await verify(sent.body, await readKeys())).isValid).toBe(true);
  });

  it('PKG-022 counts each run as tried and signs the count', async () => {
    const bert = await test.signUp();
    const of = async (slPct: number) => {
      const payload = { ...market, params: { slPct } };
      const response = await test.app.inject({
        method: 'POST',
        url: '/api/backtest/proof',
        headers: bert.bearer,
        payload,
      });
      return response.json<Proof>().tried;
    };
    expect(await of(0.02)).toEqual({ trials: 0, looks: 0 });
    expect(await of(0.03)).toEqual({ trials: 1, looks: 1 });
    expect(await of(0.03)).toEqual({ trials: 1, looks: 1 });
  });

  it('PKG-023 rejects a search by its field, and a caller who is signed out', async () => {
    const search = await post({ ...market, optimize: { samples: 20 } });
    expect([search.statusCode, search.json<{ field: string }>().field]).toEqual([400, 'optimize']);
    expect((await post({ ...market, honesty: true })).json<{ field: string }>().field).toBe('honesty');
    const anonymous = await test.app.inject({ method: 'POST', url: '/api/backtest/proof', payload: market });
    expect(anonymous.statusCode).toBe(401);
  });

  it('PKG-024 publishes its key and, after a rotation, the earlier ones; the private key is stored sealed', async () => {
    const before = (await post(market)).body;
    const [first] = (await readKeys()).keys;
    await test.database.asOwner('update proof_keys set retired_at = now()');
    const after = (await post(market)).body;
    const keys = await readKeys();
    expect(keys.keys.map(({ retired_at }) => retired_at === null)).toEqual([true, false]);
    expect(keys.keys[1]?.id).toBe(first?.id);
    const words = async (text: string) => (await verify(text, keys)).checks.find(({ name }) => name === 'key')?.words;
    expect([await words(before), await words(after)]).toEqual([
      'Published as an earlier key.',
      'Published as the current key.',
    ]);
    const rows = await test.database.asOwner<{ sealed: string }>('select sealed from proof_keys');
    for (const { sealed } of rows) expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('MC4CAQ');
    // Sealed with another secret: it cannot be opened, and a new key takes over.
    await test.database.asOwner(`update proof_keys set sealed = 'x' where retired_at is null`);
    expect((await post(market)).statusCode).toBe(200);
    expect((await readKeys()).keys).toHaveLength(3);
  });
});
