import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { MarketMode } from '../../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { mapLimited } from '../../../platform/mapLimited.ts';
import type { ExchangeId, Market } from '../../market/port.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import { SETTLEMENTS } from '../contract.ts';
import { differencesOf, FUNDING_ROWS_MAX, PUBLISHED_MS } from '../readFunding.ts';
import { readSettledTimes, storeSettlements } from './samplerRepository.ts';
import { readUniverse } from './universe.ts';

/** Contracts fetched per round of a minute: well below each exchange's limit for its funding history. */
const PER_ROUND = 40;
const AT_ONCE = 4;
/** More than are shown: exchanges settle at different hours. */
const RETAINED_COUNT = SETTLEMENTS + 10;

export interface SettlementDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'symbols' | 'readTop' | 'fundingHistory'>;
  /** First statement of each write. */
  assertLeader: (tx: SystemTx) => Promise<void>;
  /** When a read last failed, by `SYMBOL exchange`, for as long as this node leads. */
  failedAt: Map<string, number>;
}

interface Leg {
  symbol: string;
  exchange: ExchangeId;
  /** Symbol on that exchange. */
  contract: string;
  intervalHours: number;
}

/** Updates the settlements of the widest funding differences. @returns number of fetched contracts */
export async function refreshSettlements(
  { db, config, market, assertLeader, failedAt }: SettlementDeps,
  nowMs: number,
): Promise<number> {
  const quotes = await readUniverse(market);
  const shown = differencesOf(quotes).slice(0, FUNDING_ROWS_MAX);
  const known = await withSystem(db, (tx) => readSettledTimes(tx, config.market));
  const legs = shown.flatMap(({ symbol, long, short, legs: wires }) =>
    ([[long, wires.long] as const, [short, wires.short] as const] as const).flatMap(([exchange, wire]): Leg[] => {
      const contract = quotes.get(symbol.replace(/USDT$/, ''))?.[exchange]?.contract;
      if (contract === undefined) return [];
      return [{ symbol, exchange, contract, intervalHours: wire.intervalHours }];
    }),
  );
  const failedOf = ({ symbol, exchange }: Leg): number => failedAt.get(`${symbol} ${exchange}`) ?? -Infinity;
  // Behind the others where they failed: an exchange without history must not take every place of a round.
  const due = legs
    .filter(({ symbol, exchange }) => isDue(known.get(`${symbol} ${exchange}`), nowMs))
    .toSorted((a, b) => (failedOf(a) === failedOf(b) ? 0 : failedOf(a) - failedOf(b)))
    .slice(0, PER_ROUND);
  const read = await mapLimited(due, AT_ONCE, async ({ symbol, exchange, contract, intervalHours }) => {
    const sinceMs = nowMs - RETAINED_COUNT * intervalHours * HOUR_MS;
    const outcome = await inBackground(() =>
      market.fundingHistory({ exchange, symbol: contract, sinceMs, untilMs: nowMs + 1 }),
    );
    if (!outcome.ok) {
      failedAt.set(`${symbol} ${exchange}`, nowMs);
      return 0;
    }
    failedAt.delete(`${symbol} ${exchange}`);
    const { time, rate } = outcome.value.value;
    const settled = Array.from(time, (atMs, i) => ({ atMs, rate: rate[i] ?? 0 })).slice(-RETAINED_COUNT);
    await withSystem(db, async (tx) => {
      await assertLeader(tx);
      await storeSettlements(tx, config.market, { symbol, exchange, settled, nowMs });
    });
    return 1;
  });
  return read.reduce<number>((sum, each) => sum + each, 0);
}

/** Exchanges settle on full hours and publish within minutes: a contract is due a quarter of an hour into each new hour. */
function isDue(readAtMs: number | undefined, nowMs: number): boolean {
  if (readAtMs === undefined) return true;
  const settledMs = Math.floor((nowMs - PUBLISHED_MS) / HOUR_MS) * HOUR_MS + PUBLISHED_MS;
  return readAtMs < settledMs;
}
