import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { clusteredMean, clusteredShare } from '@sextant/workers/src/core/clusteredMean.ts';
import type { Persistence, SpreadPersistenceResponse } from './contract.ts';
import type { z } from 'zod';
import type { ExchangeId } from '../market/port.ts';
import { medianSurvival } from './survival.ts';

/** Statistics of episodes, spreads that rose above costs. Pure, without input or output. */

export interface Episode {
  symbol: string;
  buy: ExchangeId;
  sell: ExchangeId;
  startedAtMs: number;
  /** Null: the end was not observed. */
  lifetimeS: number | null;
  /** Seconds observed above the threshold. */
  followedS: number;
  netPct: number;
  left1s: number | null;
  left5s: number | null;
  left30s: number | null;
}

/** Minimum number of episodes for a verdict, and for a figure with an interval. */
export const EPISODES_NEEDED = 30;
const SYMBOLS_MAX = 50;
/** Minimum number of lifetimes for a 95 % interval of the median: all of 5 lie on one side of it in 6 of 100 cases. */
const INTERVAL_EPISODES = 6;

type ShareWire = Persistence['captured']['s1'];

/** Episodes of one hour are one draw, across symbols: an exchange that lags moves the spreads of all of its contracts. */
const hourOfStart = ({ startedAtMs }: Episode): number => Math.floor(startedAtMs / HOUR_MS);

interface Left {
  cluster: number;
  value: number;
}

function leftOf(episodes: readonly Episode[], value: (episode: Episode) => number | null): Left[] {
  return episodes.flatMap((episode) => {
    const left = value(episode);
    return left === null ? [] : [{ cluster: hourOfStart(episode), value: left }];
  });
}

/** Share of the known values above 0, with its 95 % interval. */
export function shareOf(episodes: readonly Episode[], value: (episode: Episode) => number | null): ShareWire {
  const known = leftOf(episodes, value).map(({ cluster, value: left }) => ({ cluster, isHit: left > 0 }));
  const of = known.length;
  const count = known.filter(({ isHit }) => isHit).length;
  const interval = clusteredShare(known);
  if (interval === null) return { of, count, share: null, low: 0, high: 1 };
  return { of, count, share: count / of, ...interval };
}

/** Mean with a 95 % interval. */
export function meanOf(
  episodes: readonly Episode[],
  value: (episode: Episode) => number | null,
): Persistence['leftPct']['s1'] {
  const { mean, interval } = clusteredMean(leftOf(episodes, value));
  return { mean, low: interval?.low ?? null, high: interval?.high ?? null };
}

export function summarise(episodes: readonly Episode[]): Persistence {
  const lifetimes = episodes.map(({ lifetimeS, followedS }) => ({ seconds: followedS, isEnd: lifetimeS !== null }));
  const { median, low, high } = medianSurvival(lifetimes);
  const hasInterval = episodes.length >= INTERVAL_EPISODES;
  return {
    episodes: episodes.length,
    cutShort: lifetimes.filter(({ isEnd }) => !isEnd).length,
    medianLifetimeS: median,
    medianLifetimeLowS: hasInterval ? low : null,
    medianLifetimeHighS: hasInterval ? high : null,
    captured: {
      s1: shareOf(episodes, ({ left1s }) => left1s),
      s5: shareOf(episodes, ({ left5s }) => left5s),
      s30: shareOf(episodes, ({ left30s }) => left30s),
    },
    leftPct: {
      s1: meanOf(episodes, ({ left1s }) => left1s),
      s5: meanOf(episodes, ({ left5s }) => left5s),
      s30: meanOf(episodes, ({ left30s }) => left30s),
    },
  };
}

/** The edge is the net for an order 5 s later. */
export function verdictOf(episodes: readonly Episode[]): z.input<typeof SpreadPersistenceResponse>['verdict'] {
  const later = meanOf(episodes, ({ left5s }) => left5s);
  if (episodes.filter(({ left5s }) => left5s !== null).length < EPISODES_NEEDED) return 'not_enough';
  return later.low !== null && later.low > 0 ? 'edge' : 'no_edge';
}

function grouped<K>(episodes: readonly Episode[], keyOf: (episode: Episode) => string, name: (episode: Episode) => K) {
  const groups = new Map<string, Episode[]>();
  for (const episode of episodes) {
    const key = keyOf(episode);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [episode]);
    else group.push(episode);
  }
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => ({ ...name(group[0] as Episode), ...summarise(group) }));
}

const hourOf = ({ startedAtMs }: Episode): number => new Date(startedAtMs).getUTCHours();

export function tablesOf(episodes: readonly Episode[]) {
  return {
    overall: summarise(episodes),
    bySymbol: grouped(
      episodes,
      ({ symbol }) => symbol,
      ({ symbol }) => ({ symbol }),
    ).slice(0, SYMBOLS_MAX),
    byPair: grouped(
      episodes,
      ({ buy, sell }) => `${buy} ${sell}`,
      ({ buy, sell }) => ({ buy, sell }),
    ),
    byHour: grouped(
      episodes,
      (episode) => String(hourOf(episode)),
      (episode) => ({ hour: hourOf(episode) }),
    ).sort((a, b) => a.hour - b.hour),
  };
}
