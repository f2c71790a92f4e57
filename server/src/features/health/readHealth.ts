import type { z } from 'zod';
import type { ExternalStatus, ExternalStatusPort } from './contract.ts';

export interface HealthDeps {
  /** Milliseconds the database took to answer, measured lately. Rejects with `database_unavailable` when it did not. */
  pingDatabase: () => Promise<number>;
  externalStatus: ExternalStatusPort;
  /** `broken` when the last look at the credit ledger found something that must never be. */
  ledger: { state: () => 'unknown' | 'ok' | 'broken' };
}

export interface Health {
  status: 'ok' | 'degraded';
  message: string;
  /** Milliseconds of the round trip to the database, to the hundredth. */
  responseTimeMs: number;
  external: z.infer<typeof ExternalStatus>;
}

const messages = {
  ok: 'All systems operational.',
  degraded: 'The exchanges do not answer as they should; stored data is available.',
  ledger: 'The credit ledger does not add up. Nobody loses credits: please wait before you spend more.',
};

/** What the service finds when it looks at itself. Rejects with `database_unavailable`. */
export async function readHealth(deps: HealthDeps): Promise<Health> {
  const pingMs = await deps.pingDatabase();
  const external = deps.externalStatus.status();
  const isLedgerBroken = deps.ledger.state() === 'broken';
  const status = isLedgerBroken || external === 'degraded' || external === 'down' ? 'degraded' : 'ok';
  const message = messages[isLedgerBroken ? 'ledger' : status];
  return { status, message, responseTimeMs: Math.round(pingMs * 100) / 100, external };
}
