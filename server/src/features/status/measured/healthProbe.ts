import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import { withSystem, type Db } from '../../../platform/db/scope.ts';
import { type HealthDeps, readHealth } from '../health/readHealth.ts';
import { deleteHealthChecks, type HealthCheck, saveHealthCheck } from './healthCheckRepository.ts';

export interface ProbeDeps extends HealthDeps {
  db: Db;
}

/** Time by the database, which stamps the minutes of all nodes; by this node while it does not respond. */
const minuteNowMs = (db: Db): Promise<number> => withSystem(db, databaseNowMs).catch(() => Date.now());

/** No figure uses older rows. */
const storedMs = 90 * DAY_MS;

/** Runs one check and stores its result for the minute of `nowMs`. Rejects when it could not be stored. */
export async function probeHealth(deps: ProbeDeps, nowMs: number): Promise<void> {
  const check = await checkOf(deps, new Date(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS));
  await withSystem(deps.db, async (tx) => {
    await saveHealthCheck(tx, check);
    await deleteHealthChecks(tx, new Date(nowMs - storedMs));
  });
}

async function checkOf(deps: ProbeDeps, minute: Date): Promise<HealthCheck> {
  try {
    const { status, message, responseTimeMs, external } = await readHealth(deps);
    return { minute, status, message, responseTimeMs, external, error: null };
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure);
    const message = 'The database timed out.';
    return {
      minute,
      status: 'error',
      message,
      responseTimeMs: null,
      error: error.slice(0, 300),
      external: deps.externalStatus.status(),
    };
  }
}

/** Probes now and at the start of each minute, independent of requests. @returns function that stops it */
export function startHealthProbe(deps: ProbeDeps, onFailure: (failure: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const round = (): void => {
    // A node with a wrong clock takes no requests: its state is not that of the service.
    if (deps.clocks.state().kind !== 'out')
      minuteNowMs(deps.db)
        .then((nowMs) => probeHealth(deps, nowMs))
        .catch(onFailure);
    timer = setTimeout(round, MINUTE_MS - (Date.now() % MINUTE_MS)).unref();
  };
  round();
  return () => clearTimeout(timer);
}
