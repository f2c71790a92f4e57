import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';

let database: TestDatabase;
const nodes: KillableNode[] = [];
const node = async (env: Record<string, string> = {}): Promise<KillableNode> => {
  const made = await createKillableNode({
    DATABASE_URL: database.serverUrl,
    EXCHANGES_URL: 'http://127.0.0.1:9',
    ...env,
  });
  nodes.push(made);
  return made;
};
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const each of nodes) await each.close();
  await database.drop();
});

describe('a second server of the same database', () => {
  it('OPS with pictures on its own disk does not start and says why; one that shares the folder starts', async () => {
    const first = await node();
    await first.start();
    const own = await node();
    await expect(own.start()).rejects.toThrow(
      /Sextant cannot start: S3_BUCKET: another server on this database stores pictures outside/,
    );
    const sharing = await node({ DATA_DIR: first.dataDir });
    await sharing.start();
    expect((await fetch(`${first.url}/api/app`)).status).toBe(200);
    // A killed server loses its claim.
    await first.kill();
    await sharing.kill();
    await own.start();
    await own.kill();
  }, 240_000);

  it('OPS with another AUTH_SECRET does not start and says why; the first goes on', async () => {
    const first = await node();
    await first.start();
    const other = await node({ DATA_DIR: first.dataDir });
    await expect(other.start({ AUTH_SECRET: 'a secret that this database does not know' })).rejects.toThrow(
      /Sextant cannot start: AUTH_SECRET: this database was set up with another secret/,
    );
    const signUp = await fetch(`${first.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'anna@example.com', password: 'correct horse battery' }),
    });
    expect(signUp.status).toBeLessThan(300);
  }, 240_000);
});
