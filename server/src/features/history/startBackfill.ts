import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { HistoryConfig } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import {
  assertLeader,
  createLeadership,
  type Leadership,
  nodeName,
  type Term,
} from '../../platform/jobs/leadership.ts';
import type { ExchangeId } from '../market/port.ts';
import { Backfill, type BackfillVenue } from './backfill.ts';
import { createCandleStore } from './candleStore.ts';
import { deleteOtherReplays } from './chunkRepository.ts';
import { REPLAY_SOURCE } from './source.ts';

const LEADER_NAME = 'history';
/** The list of symbols and the months change slowly; a part that failed is tried sooner. */
const roundMs = { complete: 60 * 60_000, incomplete: 60_000 };

export interface StartBackfillDeps {
  db: Db;
  config: { history: HistoryConfig; isMarketStreamed: boolean };
  historySource: string;
  backfillVenues: Record<ExchangeId, BackfillVenue>;
  newClient: () => pg.Client;
  warn: (error: unknown) => void;
}

/** Fills the store backwards while this node leads: one node of all at a time. Does nothing when it is switched off. */
export function startBackfill(deps: StartBackfillDeps): Pick<Leadership, 'close'> {
  const { history, isMarketStreamed } = deps.config;
  if (!history.isBackfilled || !isMarketStreamed) return { close: () => Promise.resolve() };
  return createLeadership({
    name: LEADER_NAME,
    node: nodeName(),
    newClient: deps.newClient,
    onError: deps.warn,
    lead: (term) => lead(deps, term),
  });
}

async function lead({ db, config, historySource: source, ...deps }: StartBackfillDeps, term: Term): Promise<void> {
  const guard = (tx: SystemTx): Promise<void> => assertLeader(tx, LEADER_NAME, term.epoch);
  const store = createCandleStore({ db, source, onError: deps.warn, guard });
  if (source.startsWith(REPLAY_SOURCE))
    await withSystem(db, async (tx) => {
      await guard(tx);
      await deleteOtherReplays(tx, source);
    }).catch(deps.warn);
  const { exchanges, symbolsMax, retention } = config.history;
  const job = { db, source, store, venues: deps.backfillVenues, symbolsMax, retention, guard, warn: deps.warn };
  const repeatRounds = async (exchange: ExchangeId): Promise<void> => {
    while (!term.signal.aborted) {
      const isComplete = await new Backfill(job, exchange, term.signal).run().catch((error: unknown) => {
        // The database is away, or another node leads: its lease is checked by each write.
        if (!term.signal.aborted) deps.warn(error);
        return false;
      });
      const waitMs = isComplete ? roundMs.complete : roundMs.incomplete;
      await pause(waitMs, undefined, { signal: term.signal }).catch(() => undefined);
    }
  };
  await Promise.all(exchanges.map(repeatRounds));
}
