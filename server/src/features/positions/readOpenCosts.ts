import { type CostEvent, type OpenCosts, openCosts } from '@sextant/workers/src/positions/openFigures.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { PositionRow } from './positionRow.ts';

/**
 * Entry fees and funding of what is open of each position, by its id. Only those that closed a part need their events. As booked: a
 * settlement that became known after a partial close falls on what was left.
 */
export async function readOpenCosts(tx: SystemTx, rows: readonly PositionRow[]): Promise<Map<string, OpenCosts>> {
  const costs = new Map(rows.map(({ id, fees, funding }) => [id, { fees: Number(fees), funding: Number(funding) }]));
  const ids = rows.filter(({ exited }) => exited !== null).map(({ id }) => id);
  if (ids.length === 0) return costs;
  const events = await tx
    .selectFrom('position_events')
    .select(['position_id', 'kind', 'data'])
    .where('position_id', 'in', ids)
    .where('kind', 'in', ['fee', 'funding', 'reduced'])
    .orderBy('seq')
    .execute();
  for (const id of ids) costs.set(id, openCosts(events.filter((event) => event.position_id === id) as CostEvent[]));
  return costs;
}
