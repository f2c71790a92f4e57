import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type pg from 'pg';
import type { MarketMode } from '../../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { followNotices } from '../../../platform/events/followNotices.ts';
import {
  assertLeader,
  createLeadership,
  type Leadership,
  nodeName,
  type Term,
  untilAborted,
} from '../../../platform/jobs/leadership.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { ExchangeId, Market } from '../../market/port.ts';
import { readAllWatches, type Watched } from '../watchRepository.ts';
import type { Contracts } from '../sameContract.ts';
import { deleteOldAnnounced, noteAnnounced } from './announced.ts';
import { Sampler } from './sampler.ts';
import { deleteOldSamples, storeCrossings, storeGathered } from './samplerRepository.ts';
import { refreshSettlements } from './settlements.ts';
import type { SpreadMemory } from './spreadMemory.ts';
import { createQuoteReader, readContracts } from './universe.ts';

const LEADER_NAME = 'arbitrage';
const secondMs = 1000;
const hourMs = 60 * MINUTE_MS;
/** Announced funding rates are noted this often. */
const ANNOUNCED_MS = 5 * MINUTE_MS;
/** Streams of the contracts that users watch. */
const RETAINED_MAX = 200;

export interface SamplingDeps {
  db: Db;
  config: { market: MarketMode; isMarketStreamed: boolean };
  market: Pick<Market, 'symbols' | 'tops' | 'readTop' | 'fundingHistory' | 'keep'>;
  kernel: () => Engine;
  spreadMemory: SpreadMemory;
  newClient: () => pg.Client;
  now?: () => number;
  warn: (error: unknown) => void;
  /** Maximum wait for the quotes of a second, ms. */
  patienceMs?: number;
}

/** Samples spreads once a second while this node leads. Does nothing without streams. */
export function startSampling(deps: SamplingDeps): Pick<Leadership, 'close'> {
  if (!deps.config.isMarketStreamed) return { close: () => Promise.resolve() };
  return createLeadership({
    name: LEADER_NAME,
    node: nodeName(),
    newClient: deps.newClient,
    onError: deps.warn,
    lead: (term, client) => lead(deps, term, client),
  });
}

async function lead(deps: SamplingDeps, term: Term, client: pg.Client): Promise<void> {
  const { now = Date.now, warn } = deps;
  const guard = { ...deps, assertLeader: (tx: SystemTx) => assertLeader(tx, LEADER_NAME, term.epoch) };
  const sampling = createSampling(guard);
  const failedAt = new Map<string, number>();
  // Changes of watches arrive on the connection that renews the lease: losing it ends the leadership anyway.
  const stopNotices = await followNotices(deps.db, client, ({ topic, data }) => {
    const isChange = topic === 'arbitrage' && data['change'] === 'watches';
    if (isChange || topic === 'resync') sampling.readWatches().catch(warn);
  });
  const stops = [
    repeat(secondMs, sampling.round, warn),
    repeat(MINUTE_MS, sampling.readWatches, warn),
    repeat(MINUTE_MS / 4, sampling.renew, warn),
    repeat(MINUTE_MS, sampling.store, warn),
    repeat(MINUTE_MS, () => refreshSettlements({ ...guard, failedAt }, now()), warn),
    repeat(ANNOUNCED_MS, () => noteAnnounced(guard, now()), warn),
    repeat(
      hourMs,
      () =>
        withSystem(deps.db, async (tx) => {
          await deleteOldSamples(tx, now());
          await deleteOldAnnounced(tx, now());
        }),
      warn,
    ),
  ];
  try {
    await untilAborted(term.signal);
  } finally {
    stopNotices();
    for (const stop of stops) stop();
    await sampling.close();
  }
}

export interface Sampling {
  /** Samples all quotes once. */
  round: () => Promise<void>;
  /** Selects the coins again. */
  renew: () => Promise<void>;
  readWatches: () => Promise<void>;
  /** Stores the data gathered since the last call. */
  store: () => Promise<void>;
  /** Stores the remaining data and releases the streams. */
  close: () => Promise<void>;
}

/** @param deps.assertLeader first statement of each write: throws when this node no longer leads */
export function createSampling(deps: SamplingDeps & { assertLeader: (tx: SystemTx) => Promise<void> }): Sampling {
  const { db, config, market, warn, now = Date.now } = deps;
  const sampler = new Sampler(deps.kernel);
  const reader = createQuoteReader(market, now, warn, deps.patienceMs);
  const stored = createStreamSet(market);
  let watched = new Set<string>();

  async function readWatches(): Promise<void> {
    const watches = await withSystem(db, (tx) => readAllWatches(tx, config.market));
    sampler.watch(watches, now());
    watched = new Set(watches.map(({ symbol }) => symbol.replace(/USDT$/, '')));
    await stored.want(watches);
  }

  async function store(): Promise<void> {
    const gathered = sampler.take();
    if (gathered.sampledS.size === 0 && gathered.rows.length === 0 && gathered.episodes.length === 0) return;
    await withSystem(db, async (tx) => {
      await deps.assertLeader(tx);
      await storeGathered(tx, config.market, gathered);
    });
  }

  deps.spreadMemory.use((symbol, buy, sell) => sampler.existsSinceMs(symbol, buy, sell, now()));
  return {
    readWatches,
    store,
    renew: () => reader.renew(watched),
    async round() {
      const crossings = sampler.sample(await reader.read(), now());
      if (crossings.length === 0) return;
      await withSystem(db, async (tx) => {
        await deps.assertLeader(tx);
        await storeCrossings(tx, crossings);
      });
      await readWatches();
    },
    async close() {
      deps.spreadMemory.use(undefined);
      stored.close();
      // The write of a replaced leader fails here: only its last minute is lost.
      await store().catch(warn);
    },
  };
}

/** Streams both contracts of each watched pair, whether they are among the most traded or not. */
function createStreamSet(market: Pick<Market, 'symbols' | 'keep'>) {
  const releases = new Map<string, () => void>();
  return {
    async want(watches: readonly Watched[]): Promise<void> {
      const contracts = watches.length === 0 ? new Map<string, Contracts>() : await readContracts(market);
      const wanted = new Map<string, { exchange: ExchangeId; symbol: string }>(
        watches.flatMap(({ symbol, buy, sell }) =>
          [buy, sell].flatMap((exchange) => {
            const contract = contracts.get(symbol.replace(/USDT$/, ''))?.[exchange]?.listing.symbol;
            return contract === undefined ? [] : [[`${exchange} ${contract}`, { exchange, symbol: contract }] as const];
          }),
        ),
      );
      for (const [key, release] of releases) {
        if (wanted.has(key)) continue;
        release();
        releases.delete(key);
      }
      for (const [key, { exchange, symbol }] of wanted) {
        if (releases.has(key) || releases.size >= RETAINED_MAX) continue;
        releases.set(key, market.keep({ exchange, symbol, interval: '1m' }));
      }
    },
    close(): void {
      for (const release of releases.values()) release();
      releases.clear();
    },
  };
}
