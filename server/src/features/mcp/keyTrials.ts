import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';

/** Candles of one market, as a tool was asked for them. */
export interface TriedSeries {
  exchange: string;
  symbol: string;
  interval: string;
}

/** Parameter sets that a key tried on a series, on all nodes and over restarts. */
export interface KeyTrials {
  read: (keyId: string, series: TriedSeries) => Promise<number>;
  /** Adds the sets of one call; calls at once on several nodes all count. */
  add: (keyId: string, series: TriedSeries, count: number) => Promise<void>;
}

/** The most earlier sets that a backtest takes note of. */
const trialsMax = 1_000_000_000;

export const createKeyTrials = (db: Db): KeyTrials => ({
  read: (keyId, { exchange, symbol, interval }) =>
    withSystem(db, async (tx) => {
      const { rows } = await sql<{
        trials: number;
      }>`select least(trials, ${trialsMax})::int as trials from api_key_trials
        where key_id = ${keyId} and exchange = ${exchange} and symbol = ${symbol} and interval = ${interval}`.execute(
        tx,
      );
      return rows[0]?.trials ?? 0;
    }),
  add: (keyId, { exchange, symbol, interval }, count) =>
    withSystem(db, async (tx) => {
      await sql`insert into api_key_trials as t (key_id, user_id, exchange, symbol, interval, trials)
        select id, user_id, ${exchange}, ${symbol}, ${interval}, ${count} from api_keys where id = ${keyId}
        on conflict (key_id, exchange, symbol, interval)
        do update set trials = t.trials + excluded.trials, tried_at = now()`.execute(tx);
    }),
});
