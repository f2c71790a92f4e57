import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalText, withoutSpacing } from '../../src/proof/canonicalJson.ts';
import type { Proof } from '../../src/proof/contract.ts';
import { type ProofReport, readKeys, verifyProof } from '../../src/proof/verifyProof.ts';
import { startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { testSigner, unsignedProof } from '../support/proofs.ts';
import { seededRandom } from '../support/randomRuns.ts';

let engine: TaskEngine;
let unsigned: Omit<Proof, 'signature' | 'key'>;
let proof: Proof;
let text: string;
const { keys, signed } = testSigner();
beforeAll(async () => {
  engine = startEngine(await testEngine());
  unsigned = unsignedProof(engine);
  proof = signed(unsigned);
  text = canonicalText(proof);
}, engineTimeoutMs);

const verify = (of: string, more = {}): Promise<ProofReport> =>
  verifyProof(new TextEncoder().encode(of), { engine, ...more });
const differing = ({ checks }: ProofReport): string[] =>
  checks.filter(({ state }) => state === 'differs').map(({ name }) => name);

describe('canonical JSON', () => {
  it('PKG-010 sorts names, writes the shortest digits and no spaces, whatever the order it was made in', () => {
    expect(canonicalText({ b: [1.5, 1e21, -0, 0.1 + 0.2, 5e-7], a: { z: null, y: 'ä"\n' } })).toBe(
      '{"a":{"y":"ä\\"\\n","z":null},"b":[1.5,1e+21,0,0.30000000000000004,5e-7]}',
    );
    expect(withoutSpacing('{ "a b" :\t[1,\n 2 , "\\" x" ] }')).toBe('{"a b":[1,2,"\\" x"]}');
  });
});

describe('a proof', () => {
  it('PKG-011 is verified by running it again; the line says what agrees and that the key was not compared', async () => {
    expect(proof.result['tradeList']).not.toHaveLength(0);
    const open = await verify(text);
    expect(open).toMatchObject({ isValid: true });
    expect(open.line).toBe(
      `Verified. Agrees: file, signature, engine, candles, rules and costs, result. Key ${proof.key.id.slice(0, 16)} was not compared.`,
    );
    const compared = await verify(text, { keys });
    expect(compared.line).toBe('Verified. Agrees: file, signature, key, engine, candles, rules and costs, result.');
  });

  it('PKG-012 of a key that the installation does not publish is not verified; an earlier key is named as one', async () => {
    const other = testSigner();
    expect(differing(await verify(canonicalText(other.signed(unsigned)), { keys }))).toEqual(['key']);
    const earlier = keys.keys.map((each) => ({ ...each, retired_at: '2026-03-01T00:00:00.000Z' }));
    const report = await verify(text, { keys: { ...keys, keys: earlier } });
    expect(report.isValid).toBe(true);
    expect(report.checks.find(({ name }) => name === 'key')?.words).toContain('earlier');
    expect(readKeys(JSON.stringify(keys))).toEqual({ ok: true, value: keys });
    expect(readKeys('{"keys": [{"id": "x"}]}')).toMatchObject({ ok: false });
  });

  it('PKG-013 of a result that was not computed is not verified even when it is signed', async () => {
    const better = { ...unsigned, result: { ...unsigned.result, pnl: 1e6, netPnl: 1e6 } };
    const report = await verify(canonicalText(signed(better)), { keys });
    expect(report.line).toMatch(/^Not verified\. Differs: result\./);
    expect(report.checks.at(-1)?.words).toBe('Different: netPnl, pnl.');
    const cheaper = { ...unsigned, request: { ...unsigned.request, costs: { takerFeeFraction: 0 } } };
    expect(differing(await verify(canonicalText(signed(cheaper))))).toEqual(['rules and costs', 'result']);
  });

  it('PKG-014 of another engine build says so and compares the result all the same', async () => {
    const hashes = { ...unsigned.result.hashes, engine: 'a'.repeat(64) };
    const report = await verify(canonicalText(signed({ ...unsigned, result: { ...unsigned.result, hashes } })), {
      keys,
    });
    expect(report).toMatchObject({ isValid: true });
    expect(report.line).toBe(
      'Verified. Agrees: file, signature, key, candles, rules and costs, result. It was made by another engine build.',
    );
  });

  it('PKG-015 with other spacing is verified and says so; other spellings of its numbers are not', async () => {
    const spaced = await verify(JSON.stringify(JSON.parse(text), null, 2), { keys });
    expect(spaced).toMatchObject({ isValid: true });
    expect(spaced.line).toContain('Only spacing of the file was changed.');
    expect(differing(await verify(text.replace('"trials":41', '"trials":41.0')))).toEqual(['file']);
    expect(differing(await verify(text.replace('"trials":41', '"trials":1,"trials":41')))).toEqual(['file']);
    expect((await verify('no JSON')).line).toBe('Not verified. Differs: file.');
    expect((await verify(text.replace('"looks":3', '"looks":"3"'))).checks[0]?.words).toContain('tried.looks');
  });

  it('PKG-016 shows each of 200 changes of one byte: any part, and digits of a price, a fee, a trade, a count, a key', async () => {
    const random = seededRandom(2026);
    const bytes = new TextEncoder().encode(text);
    const parts = [
      '"candles":',
      '"takerFeeFraction":',
      '"tradeList":',
      '"trials":',
      '"publicKey":"',
      '"id":"',
      '"signature":"',
    ];
    const placeOf = (part: string): number => text.indexOf(part) + part.length;
    const missed: string[] = [];
    for (let i = 0; i < 200; i++) {
      const changed = Uint8Array.from(bytes);
      const part = parts[i % (parts.length + 3)];
      // One of the first digits of the part, or any byte of the file.
      const digits = part === undefined ? [] : [...text.slice(placeOf(part)).matchAll(/[0-9]/g)].slice(0, 8);
      const place = Math.floor(random() * (part === undefined ? bytes.length : digits.length));
      const at = part === undefined ? place : placeOf(part) + (digits[place]?.index ?? 0);
      const before = changed[at] ?? 0;
      const isDigit = before >= 48 && before <= 57;
      changed[at] = isDigit
        ? 48 + ((before - 48 + 1 + Math.floor(random() * 9)) % 10)
        : before ^ (1 << Math.floor(random() * 7));
      const report = await verifyProof(changed, { engine, keys });
      if (report.isValid) missed.push(`byte ${at}: ${before} is ${changed[at]}`);
    }
    expect(missed).toEqual([]);
  }, 120_000);
});
