import type { PositionReconciliationsTable } from '@sextant/db/src/schema.gen.ts';
import { reconcileCauses, type Reconciliation } from '@sextant/workers/src/positions/reconcile.ts';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { MarketMode } from '../../../config.ts';
import { type Db, type UserTx, withUser } from '../../../platform/db/scope.ts';
import type { PositionRow } from '../positionRow.ts';
import { readPosition } from '../readPositions.ts';
import type { PositionReconciliation, ReconciliationResponse, ReconciliationTotals } from './contract.ts';
import { readForecast, readPaid } from './fundingForecast.ts';
import { isAutomatic, type NotComparable } from './reconciliationRepository.ts';

type Row = Selectable<PositionReconciliationsTable>;
type Money = Pick<Row, 'live_net' | 'lab_net' | 'rest' | (typeof reconcileCauses)[number]>;

/** Sums are decimals of the database, so a wire number is the f64 nearest to one. */
function resultsOf(row: Money & { difference: string | null }) {
  return {
    lab_net: Number(row.lab_net),
    live_net: Number(row.live_net),
    difference: Number(row.difference),
    parts: reconcileCauses.map((cause) => ({ cause, amount: Number(row[cause]) })),
    rest: Number(row.rest),
  };
}

type Wire = z.input<typeof PositionReconciliation>;

/** The comparison of a position; undefined when the user has no such position. */
export async function readReconciliation(db: Db, userId: string, id: string): Promise<Wire | undefined> {
  const match = await withUser(db, userId, async (tx) => {
    const position = await readPosition(tx, id);
    if (position === undefined) return undefined;
    const wire = await readComparison(tx, position);
    return { position, wire, paid: wire.comparison === null ? [] : await readPaid(tx, position) };
  });
  if (match === undefined) return undefined;
  const { position, wire, paid } = match;
  const { comparison } = wire;
  if (comparison === null || paid.length === 0) return wire;
  return { ...wire, comparison: { ...comparison, funding_forecast: await readForecast(db, position, paid) } };
}

async function readComparison(tx: UserTx, position: PositionRow): Promise<Wire> {
  const { id } = position;
  const without = (state: 'open' | 'pending' | 'by_hand') => ({ state, reason: null, comparison: null });
  if (!isAutomatic(position)) return without('by_hand');
  if (position.closed_at === null) return without('open');
  const row = await tx
    .selectFrom('position_reconciliations')
    .selectAll()
    .select(sql<string | null>`live_net - lab_net`.as('difference'))
    .where('position_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return without('pending');
  if (row.not_comparable !== null)
    return { state: 'not_comparable', reason: row.not_comparable as NotComparable, comparison: null };
  const lab = row.lab as Reconciliation['lab'];
  return {
    state: 'compared',
    reason: null,
    comparison: {
      ...resultsOf(row),
      lab: {
        entry_price: lab.entryPrice,
        entered_at: new Date(lab.entryAtMs).toISOString(),
        quantity: lab.quantity,
        exit_price: lab.exitPrice,
        exited_at: new Date(lab.exitAtMs).toISOString(),
        exit_reason: lab.reason,
      },
      funding_forecast: null,
      compared_at: row.created_at.toISOString(),
    },
  };
}

const STRATEGIES_MAX = 50;

type SumRow = Money & {
  name: string | null;
  count: number;
  difference: string | null;
  isAll: boolean;
  unexplained: number;
};

/** Sums over the compared positions of a market, by cause and by strategy. */
export async function readReconciliations(
  tx: UserTx,
  market: MarketMode,
): Promise<z.input<typeof ReconciliationResponse>> {
  const sums = sql.join(
    (['live_net', 'lab_net', 'rest', ...reconcileCauses] as const).map(
      (name) => sql`coalesce(sum(r.${sql.ref(name)}), 0) as ${sql.ref(name)}`,
    ),
  );
  const { rows } = await sql<SumRow>`
    select coalesce(p.strategy_name, 'Live rules') as name, grouping(coalesce(p.strategy_name, 'Live rules')) = 1 as "isAll",
      count(*)::int as count, (count(*) filter (where r.rest <> 0))::int as unexplained,
      coalesce(sum(r.live_net - r.lab_net), 0) as difference, ${sums}
    from position_reconciliations r join positions p on p.id = r.position_id
    where p.market = ${market} and r.not_comparable is null
    group by grouping sets ((), (coalesce(p.strategy_name, 'Live rules'))) order by count desc, name`.execute(tx);
  const rejected = await sql<{ reason: NotComparable; count: number }>`
    select r.not_comparable as reason, count(*)::int as count
    from position_reconciliations r join positions p on p.id = r.position_id
    where p.market = ${market} and r.not_comparable is not null group by 1 order by 2 desc, 1`.execute(tx);
  const totalsOf = (row: SumRow): z.input<typeof ReconciliationTotals> => ({
    name: row.isAll ? 'All' : (row.name ?? ''),
    count: row.count,
    ...resultsOf(row),
  });
  const all = rows.find(({ isAll }) => isAll);
  if (all === undefined) throw new Error('a sum over everything has one row');
  return {
    all: totalsOf(all),
    by_strategy: rows
      .filter(({ isAll }) => !isAll)
      .slice(0, STRATEGIES_MAX)
      .map(totalsOf),
    not_comparable: rejected.rows,
    unexplained: all.unexplained,
  };
}
