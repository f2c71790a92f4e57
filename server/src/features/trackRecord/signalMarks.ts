import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';

export interface Series {
  exchange: ExchangeId;
  symbol: string;
}

interface Mark extends Series {
  price: number;
  atMs: number;
}

/** The last prices of a judging round, stored at its end: exchanges return none after a contract has ended. */
export class SignalMarks {
  readonly #marks = new Map<string, Mark>();

  note({ exchange, symbol }: Series, { time, close }: Candles, stepMs: number): void {
    const [openMs, price] = [time.at(-1), close.at(-1)];
    if (openMs === undefined || price === undefined) return;
    const key = `${exchange} ${symbol}`;
    const atMs = openMs + stepMs;
    if (atMs > (this.#marks.get(key)?.atMs ?? 0)) this.#marks.set(key, { exchange, symbol, price, atMs });
  }

  async store(db: Db, market: MarketMode): Promise<void> {
    if (this.#marks.size === 0) return;
    const rows = [...this.#marks.values()].map(({ atMs, ...mark }) => ({ ...mark, at: new Date(atMs).toISOString() }));
    // In one order, so that two nodes that write the same rows wait for each other instead of deadlocking.
    await withSystem(db, (tx) =>
      sql`
        insert into signal_marks (market, exchange, symbol, price, at)
        select ${market}, exchange, symbol, price, at from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as m (exchange text, symbol text, price float8, at timestamptz)
        order by exchange, symbol
        on conflict (market, exchange, symbol) do update set price = excluded.price, at = excluded.at
          where excluded.at > signal_marks.at`.execute(tx),
    );
  }
}

/** The last stored price after a moment; undefined when there is none. */
export async function readMark(
  tx: SystemTx,
  market: MarketMode,
  { exchange, symbol }: Series,
): Promise<{ price: number; atMs: number } | undefined> {
  const row = await tx
    .selectFrom('signal_marks')
    .select(['price', 'at'])
    .where('market', '=', market)
    .where('exchange', '=', exchange)
    .where('symbol', '=', symbol)
    .executeTakeFirst();
  return row === undefined ? undefined : { price: row.price, atMs: row.at.getTime() };
}
