import { type ExchangesFake, startExchanges } from '../../fakes/exchanges/server.ts';
import { grant } from '../../src/features/credits/ledger.ts';
import { findViolations } from '../../src/features/credits/ledgerWatch.ts';
import { withSystem } from '../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from './createTestDatabase.ts';
import { createKillableNode, type KillableNode } from './killableNode.ts';

export interface Customer {
  id: string;
  headers: Record<string, string>;
}

export interface KillableService {
  database: TestDatabase;
  exchanges: ExchangesFake;
  node: KillableNode;
  post: (path: string, body: object, headers?: Record<string, string>) => Promise<Response>;
  /** An account with bought credits beside the ten of its welcome; a second account needs another email address. */
  addCustomer: (boughtCredits: number, email?: string) => Promise<Customer>;
  /** Rows of `from ... where ...`. */
  count: (text: string) => Promise<number>;
  /** Kills the node. The test ended the process, not the job, so its death does not set the job aside. */
  kill: () => Promise<void>;
  /** The balance, the open holds (neither settled nor expired), and the violations found by the ledger watch. */
  readLedger: (userId: string) => Promise<{ credits: number; open: number; violations: unknown[] }>;
  close: () => Promise<void>;
}

/** A node to be killed, with its own database and simulated market. */
export async function createKillableService(): Promise<KillableService> {
  const database = await createTestDatabase();
  const exchanges = await startExchanges();
  const node = await createKillableNode({ DATABASE_URL: database.serverUrl, EXCHANGES_URL: exchanges.url });
  const post: KillableService['post'] = (path, body, headers = {}) =>
    fetch(`${node.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    database,
    exchanges,
    node,
    post,
    async addCustomer(credits, email = 'killed@example.com') {
      const body = { email, password: 'correct horse battery' };
      const response = await post('/api/auth/signup', body, { origin: node.url });
      const { token, user } = (await response.json()) as { token: string; user: { id: string } };
      if (credits > 0)
        await withSystem(database.db, (tx) =>
          grant(tx, { userId: user.id, credits, reason: 'purchase', key: 'enough' }),
        );
      return { id: user.id, headers: { authorization: `Bearer ${token}` } };
    },
    count: async (text) =>
      (await database.asOwner<{ count: number }>(`select count(*)::int as count ${text}`))[0]?.count ?? -1,
    async kill() {
      await node.kill();
      await database.asOwner('delete from job_runs');
    },
    async readLedger(userId) {
      const [sums] = await database.asOwner<{ credits: number; open: number }>(
        `select credits, (select count(*)::int from credit_ledger h where kind = 'hold'
          and not exists (select from credit_ledger s where s.hold_id = h.id)) as open from balances where user_id = $1`,
        [userId],
      );
      if (sums === undefined) throw new Error(`${userId} has no balance`);
      return { ...sums, violations: await findViolations(database.db) };
    },
    async close() {
      await node.close();
      await exchanges.close();
      await database.drop();
    },
  };
}
