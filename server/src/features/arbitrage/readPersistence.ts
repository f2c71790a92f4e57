import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';
import type { SpreadPersistenceResponse, PersistenceQuery } from './contract.ts';
import { type Episode, EPISODES_NEEDED, tablesOf, verdictOf } from './persistence.ts';
import { EPISODE_DAYS, THRESHOLD_PCT } from './sampler/limits.ts';

/** Statistics of the stored episodes, of all pairs or the requested ones. */
export async function readPersistence(
  tx: SystemTx,
  market: MarketMode,
  { symbol, buy, sell }: z.output<typeof PersistenceQuery>,
  nowMs: number,
): Promise<z.input<typeof SpreadPersistenceResponse>> {
  const since = new Date(nowMs - EPISODE_DAYS * DAY_MS);
  const rows = await tx
    .selectFrom('arbitrage_episodes')
    .select([
      'symbol',
      'buy',
      'sell',
      'started_at',
      'lifetime_s',
      'followed_s',
      'net_pct',
      'left_1s',
      'left_5s',
      'left_30s',
    ])
    .where('market', '=', market)
    .where('started_at', '>=', since)
    .$if(symbol !== undefined, (query) => query.where('symbol', '=', symbol ?? ''))
    .$if(buy !== undefined, (query) => query.where('buy', '=', buy ?? ''))
    .$if(sell !== undefined, (query) => query.where('sell', '=', sell ?? ''))
    .execute();
  const days = await tx
    .selectFrom('arbitrage_days')
    .select(['day', 'sampled_s', 'not_stored'])
    .where('market', '=', market)
    .where('day', '>=', since)
    .orderBy('day')
    .execute();
  const episodes = rows.map((row): Episode => ({
    symbol: row.symbol,
    buy: row.buy as ExchangeId,
    sell: row.sell as ExchangeId,
    startedAtMs: row.started_at.getTime(),
    lifetimeS: row.lifetime_s,
    followedS: row.followed_s,
    netPct: row.net_pct,
    left1s: row.left_1s,
    left5s: row.left_5s,
    left30s: row.left_30s,
  }));
  const verdict = verdictOf(episodes);
  const sampledSeconds = days.reduce((sum, day) => sum + day.sampled_s, 0);
  return {
    verdict,
    episodesNeeded: EPISODES_NEEDED,
    missing: verdict === 'not_enough' ? missingOf(episodes, sampledSeconds) : null,
    thresholdPct: THRESHOLD_PCT,
    sampledSeconds,
    sinceMs: days[0]?.day.getTime() ?? null,
    days: EPISODE_DAYS,
    notStored: days.reduce((sum, day) => sum + day.not_stored, 0),
    ...tablesOf(episodes),
  };
}

function missingOf(episodes: readonly Episode[], sampledSeconds: number): string {
  if (sampledSeconds === 0) return 'No samples yet. Sampling starts with the service.';
  const followed = episodes.filter(({ left5s }) => left5s !== null).length;
  const hours = (sampledSeconds / 3600).toFixed(1);
  return `${followed} of ${EPISODES_NEEDED} episodes observed for 5 s, in ${hours} h of sampling.`;
}
