import type { z } from 'zod';
import { apiErrors } from '../../../platform/errors.ts';
import { RejectionError } from '../../../platform/http/rejectionError.ts';
import type { Failures } from '../../../platform/failures/failures.ts';
import type { Market } from '../../market/port.ts';
import type { Clocks } from '../clocks/clocks.ts';
import type { ExternalStatus, ExternalStatusPort } from './contract.ts';

export interface HealthDeps {
  /** Milliseconds of a recent database round trip. Rejects with `database_unavailable` when it failed. */
  pingDatabase: () => Promise<number>;
  /** Whether a node holds the lease on watching positions, by a recent read. */
  arePositionsWatched: () => Promise<boolean>;
  externalStatus: ExternalStatusPort;
  /** `broken` when the last check of the credit ledger found a violation. */
  ledger: { state: () => 'unknown' | 'ok' | 'broken' };
  /** Errors that no handler caught, of this process. */
  failures: Pick<Failures, 'count' | 'isRecent'>;
  /** Jobs of all nodes that were set aside within the last day. */
  countSetAside: () => Promise<number>;
  /** Whether the last comparison with the payment providers found a difference. */
  doPaymentsDiffer: () => Promise<boolean>;
  /** Whether the difference between a live result and the lab has a part without a cause. */
  hasUnexplained: () => Promise<boolean>;
  /** Open positions of all users without a price for more than a minute. */
  countUnpriced: () => Promise<number>;
  market: Market;
  clocks: Pick<Clocks, 'state'>;
}

export interface Health {
  status: 'ok' | 'degraded';
  message: string;
  /** Milliseconds of the round trip to the database, to the hundredth. */
  responseTimeMs: number;
  external: z.infer<typeof ExternalStatus>;
  unexpectedErrorCount: number;
  setAsideCount: number;
  unpricedCount: number;
  silentStreamCount: number;
}

const messages = {
  ok: 'All systems operational.',
  degraded: 'Exchanges respond with errors; stored data is available.',
  unwatched: 'Open positions are not watched: stops and targets are paused.',
  ledger: 'The credit ledger has a mismatch. No credits are lost; wait before you spend more.',
  payments: 'Payments and credits differ from the payment provider. The operator must review them.',
  unexplained: 'A position result differs from its test for no known cause. The operator must review it.',
  clock: 'A clock of the service differs by more than 2 s. Times may be wrong.',
  unpriced: 'Some open positions have no price; their stops and targets wait.',
  failures: 'An unexpected error occurred in the last ten minutes. The service continues.',
  setAside: 'A background job that stopped the server twice was set aside in the last day.',
};

/** Longest wait of a caller for the health of the service. */
const HEALTH_MS_MAX = 900;

/** Health of the service within a second. Rejects with `database_unavailable`, also when the database does not respond in time. */
export async function readHealthSoon(deps: HealthDeps): Promise<Health> {
  const late = Promise.withResolvers<Health>();
  const { title } = apiErrors.database_unavailable;
  const timer = setTimeout(
    () => late.reject(new RejectionError({ code: 'database_unavailable', message: title, retryAfterS: 2 })),
    HEALTH_MS_MAX,
  );
  try {
    return await Promise.race([readHealth(deps), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Health of the service. Rejects with `database_unavailable`. */
export async function readHealth(deps: HealthDeps): Promise<Health> {
  const pingMs = await deps.pingDatabase();
  const external = deps.externalStatus.status();
  const setAsideCount = await deps.countSetAside();
  const isWatched = await deps.arePositionsWatched();
  const doPaymentsDiffer = await deps.doPaymentsDiffer();
  const hasUnexplained = await deps.hasUnexplained();
  const unpricedCount = await deps.countUnpriced();
  const problem = problemOf(deps, {
    external,
    setAsideCount,
    unpricedCount,
    isWatched,
    doPaymentsDiffer,
    hasUnexplained,
  });
  const feeds = Object.values(deps.market.warmth().feeds);
  return {
    status: problem === 'ok' ? 'ok' : 'degraded',
    message: messages[problem],
    responseTimeMs: Math.round(pingMs * 100) / 100,
    external,
    unexpectedErrorCount: deps.failures.count(),
    setAsideCount,
    unpricedCount,
    silentStreamCount: feeds.reduce((sum, { silentTopics }) => sum + silentTopics.length, 0),
  };
}

/** The worst state of several checks. */
function problemOf(
  { ledger, failures, clocks }: HealthDeps,
  result: Pick<Health, 'external' | 'setAsideCount' | 'unpricedCount'> & {
    isWatched: boolean;
    doPaymentsDiffer: boolean;
    hasUnexplained: boolean;
  },
): keyof typeof messages {
  const { external, setAsideCount, unpricedCount, isWatched, doPaymentsDiffer, hasUnexplained } = result;
  if (ledger.state() === 'broken') return 'ledger';
  if (doPaymentsDiffer) return 'payments';
  if (!isWatched) return 'unwatched';
  if (external === 'degraded' || external === 'down') return 'degraded';
  if (clocks.state().kind !== 'ok') return 'clock';
  if (unpricedCount > 0) return 'unpriced';
  if (hasUnexplained) return 'unexplained';
  if (failures.isRecent()) return 'failures';
  return setAsideCount > 0 ? 'setAside' : 'ok';
}
