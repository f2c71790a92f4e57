import type pg from 'pg';
import { withSystem } from '../../../platform/db/scope.ts';
import { followNotices } from '../../../platform/events/followNotices.ts';
import { createLeadership, type Leadership, nodeName, type Term } from '../../../platform/jobs/leadership.ts';
import { repeat } from '../../../platform/repeat.ts';
import { ALERTS_LEADER, AlertWatch, type AlertWatchDeps } from './alertWatch.ts';
import { deleteOldReceipts } from './watchRepository.ts';

export interface AlertWatchingDeps extends AlertWatchDeps {
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
}

const CLEAN_MS = 3_600_000;

/** Evaluates alerts while this node leads. Closing it lets another node take over at once. */
export const startAlertWatch = (deps: AlertWatchingDeps): Leadership =>
  createLeadership({
    name: ALERTS_LEADER,
    node: nodeName(),
    newClient: deps.newClient,
    onError: deps.onError,
    lead: (term, client) => lead(deps, term, client),
  });

async function lead(deps: AlertWatchingDeps, term: Term, client: pg.Client): Promise<void> {
  const watch = new AlertWatch(deps, term);
  // Changes by owners arrive on the connection that renews the lease: losing it ends the leadership anyway.
  const stopNotices = await followNotices(deps.db, client, ({ topic, data }) => {
    const id = topic === 'alerts' && data['change'] === 'set' ? data['id'] : undefined;
    if (typeof id === 'string') watch.sync(id);
    if (topic === 'resync') watch.syncAll();
  });
  const stop = repeat(CLEAN_MS, () => withSystem(deps.db, deleteOldReceipts), deps.warn);
  try {
    await watch.run();
  } finally {
    stopNotices();
    stop();
  }
}
