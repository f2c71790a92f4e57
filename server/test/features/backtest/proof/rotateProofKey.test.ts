import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { canonicalText } from '@sextant/workers/src/proof/canonicalJson.ts';
import { verifyProof } from '@sextant/workers/src/proof/verifyProof.ts';
import { startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { unsignedProof } from '@sextant/workers/test/support/proofs.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProofKey, readPublicKeys } from '../../../../src/features/backtest/proof/proofKeys.ts';
import { createSeal } from '../../../../src/platform/seal.ts';
import { childEnv } from '../../../support/childEnv.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/createTestDatabase.ts';
import { testSecret } from '../../../support/globalDatabase.ts';

const command = resolve(import.meta.dirname, '../../../../launch/rotateProofKey.ts');
let database: TestDatabase;
let dataDir: string;
let engine: TaskEngine;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'sextant-rotate-'));
  engine = startEngine(await loadModule());
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const rotate = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [command], {
    cwd: dataDir,
    env: { ...childEnv, AUTH_SECRET: testSecret, DATA_DIR: dataDir, ...env },
  });

describe('npm run rotate:proof-key', () => {
  it('PKG-065 makes a new key; proofs of the old one verify by the published list with its times', async () => {
    const deps = { db: database.db, seal: createSeal(testSecret, 'proof') };
    const unsigned = unsignedProof(engine);
    const signed = async (): Promise<Uint8Array> => {
      const { header, sign } = await readProofKey(deps);
      const proof = { ...unsigned, key: header };
      const signature = sign(Buffer.from(canonicalText(proof)));
      return Buffer.from(canonicalText({ ...proof, signature }));
    };
    const before = await signed();
    const [first] = (await readPublicKeys(deps)).keys;
    const { stdout } = await rotate({ DATABASE_URL: database.serverUrl });
    const after = await signed();
    const keys = await readPublicKeys(deps);
    const [current, earlier] = keys.keys;
    expect(stdout).toContain(`New proofs are signed with key ${current?.id.slice(0, 16) ?? ''}.`);
    expect(stdout).toContain(`Key ${first?.id.slice(0, 16) ?? ''} stays published`);
    expect(earlier).toEqual({ ...first, retired_at: earlier?.retired_at });
    expect(current?.retired_at).toBeNull();
    expect(Date.parse(earlier?.retired_at ?? '')).toBe(Date.parse(current?.created_at ?? ''));
    const wordsOf = async (proof: Uint8Array): Promise<[boolean, string | undefined]> => {
      const report = await verifyProof(proof, { engine, keys });
      return [report.isValid, report.checks.find(({ name }) => name === 'key')?.words];
    };
    expect(await wordsOf(before)).toEqual([true, 'Published as an earlier key.']);
    expect(await wordsOf(after)).toEqual([true, 'Published as the current key.']);
  }, 120_000);

  it('PKG-065 without a database says what is missing, and changes nothing', async () => {
    const failure = await rotate({}).catch((error: unknown) => error as { code: number; stderr: string });
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_URL: is required') as string });
  }, 60_000);
});
