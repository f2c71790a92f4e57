import type { DatabaseState } from '../../../platform/db/databaseWatch.ts';
import type { NodeState } from '../../../platform/nodeState.ts';
import type { Clocks } from '../clocks/clocks.ts';
import type { ExternalStatusPort } from '../health/contract.ts';

export interface ReadinessDeps {
  node: NodeState;
  databaseState: () => DatabaseState;
  clocks: Pick<Clocks, 'state'>;
  externalStatus: ExternalStatusPort;
}

/** `degraded` is ready: the node serves, and an operator should look. */
export interface Readiness {
  status: 'ready' | 'degraded' | 'not_ready';
  reasons: { code: 'starting' | 'draining' | 'database' | 'clock' | 'exchanges'; message: string }[];
}

const databaseMessages: Record<Exclude<DatabaseState, 'ok'>, string> = {
  unknown: 'The database has not responded yet.',
  frozen: 'The database accepts connections and does not respond.',
  down: 'The database cannot be reached.',
};

/** Whether requests may be routed to this node, from memory: the response never waits for the database. */
export function readReadiness({ node, databaseState, clocks, externalStatus }: ReadinessDeps): Readiness {
  const stopping: Readiness['reasons'] = [];
  if (node.phase === 'starting') stopping.push({ code: 'starting', message: 'The node is starting.' });
  if (node.phase === 'draining')
    stopping.push({ code: 'draining', message: 'The node is stopping and finishes its requests.' });
  const database = databaseState();
  if (database !== 'ok') stopping.push({ code: 'database', message: databaseMessages[database] });
  const clock = clocks.state();
  if (clock.kind === 'out') stopping.push({ code: 'clock', message: clock.message });
  const limiting: Readiness['reasons'] = [];
  if (clock.kind === 'degraded') limiting.push({ code: 'clock', message: clock.message });
  const external = externalStatus.status();
  if (external === 'degraded' || external === 'down')
    limiting.push({ code: 'exchanges', message: 'Exchanges respond with errors; stored data is available.' });
  const status = stopping.length > 0 ? 'not_ready' : limiting.length > 0 ? 'degraded' : 'ready';
  return { status, reasons: [...stopping, ...limiting] };
}
