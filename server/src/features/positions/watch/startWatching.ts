import { hostname } from 'node:os';
import type pg from 'pg';
import { assertLeader, createLeadership, type Leadership, type Term } from '../../../platform/jobs/leadership.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import { type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { eventChannel, parseNotice } from '../../../platform/events/notify.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { Market } from '../../market/port.ts';
import { findDrift } from '../findDrift.ts';
import { createFundingCharger } from './chargeFunding.ts';
import { keepEquity } from './equityPoints.ts';
import { LEADER_NAME, Watch, type WatchDeps } from './watch.ts';

export interface WatchingDeps extends WatchDeps {
  market: WatchDeps['market'] & Pick<Market, 'readQuote' | 'fundingHistory'>;
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Rows are written by the database and events by us: should they ever differ, somebody has to know. */
async function warnOfDrift({ db, warn }: WatchingDeps): Promise<void> {
  const drifted = await findDrift(db, new Date((await withSystem(db, databaseNowMs)) - 2 * hourMs));
  if (drifted.length > 0) warn(new Error(`positions that are not what their events say: ${drifted.join(' ')}`));
}

/** Watches positions while this node leads. Closing it lets another node take over at once. */
export function startWatching(deps: WatchingDeps): Leadership {
  return createLeadership({
    name: LEADER_NAME,
    node: `${hostname()} ${process.pid}`.slice(0, 100),
    newClient: deps.newClient,
    onError: deps.onError,
    lead: (term, client) => lead(deps, term, client),
  });
}

async function lead(deps: WatchingDeps, term: Term, client: pg.Client): Promise<void> {
  const watch = new Watch(deps, term);
  const guard = { ...deps, assertLeader: (tx: SystemTx) => assertLeader(tx, LEADER_NAME, term.epoch) };
  // Openings and closes of other nodes are heard on the connection that renews the lease: losing it ends the term anyway.
  client.on('notification', ({ payload }) => {
    const notice = payload === undefined ? undefined : parseNotice(payload);
    if (notice?.topic === 'positions' && notice.data['change'] === 'opened') watch.sync();
  });
  await client.query(`listen ${client.escapeIdentifier(eventChannel)}`);
  const chargeFundings = createFundingCharger(guard);
  // What is due is the database's to say: this node's clock may step.
  const now = () => withSystem(deps.db, databaseNowMs);
  const stops = [
    repeat(minuteMs, async () => chargeFundings(await now()), deps.warn),
    repeat(minuteMs, async () => keepEquity(guard, await now()), deps.warn),
    repeat(hourMs, () => warnOfDrift(deps), deps.warn),
  ];
  try {
    await watch.run();
  } finally {
    for (const stop of stops) stop();
  }
}
