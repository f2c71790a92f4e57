import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type pg from 'pg';
import {
  assertLeader,
  createLeadership,
  type Leadership,
  nodeName,
  untilAborted,
} from '../../../platform/jobs/leadership.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { Market } from '../../market/port.ts';
import { type ReplayDeps, replayRecord } from './replayRecord.ts';
import { replayStrategies, type StrategyReplayDeps } from './replayStrategies.ts';

const LEADER_NAME = 'replay';
/** Interval of rounds after one in which a read failed, and after a whole one. */
const ROUND_MS = MINUTE_MS;
const REST_MS = HOUR_MS;
/** Interval at which new requests to replay a strategy are noticed. */
const REQUESTS_MS = 5000;
/** The candles of scans are loaded first: both fit into a minute's limit. A market that does not get warm does not stop the replay. */
const WARM_WAIT_MS = 60_000;
const pollMs = 500;

export interface ReplayingDeps extends Omit<ReplayDeps, 'assertLeader' | 'signal' | 'market' | 'config'> {
  config: ReplayDeps['config'] & { isMarketStreamed: boolean };
  market: StrategyReplayDeps['market'] & Pick<Market, 'warmth'>;
  newClient: () => pg.Client;
  /** Other background work of the leading node, a round a minute. */
  round?: (guard: Pick<ReplayDeps, 'assertLeader' | 'signal'>) => Promise<unknown>;
  warn: (error: unknown) => void;
}

/** Replays the record while this node leads. Does nothing without streams: then nothing keeps the candles of scans current either. */
export function startReplaying(deps: ReplayingDeps): Pick<Leadership, 'close'> {
  if (!deps.config.isMarketStreamed) return { close: () => Promise.resolve() };
  return createLeadership({
    name: LEADER_NAME,
    node: nodeName(),
    newClient: deps.newClient,
    onError: deps.warn,
    lead: async ({ epoch, signal }) => {
      await untilWarm(deps.market, signal);
      if (signal.aborted) return;
      const guard = {
        ...deps,
        signal,
        assertLeader: (tx: Parameters<typeof assertLeader>[0]) => assertLeader(tx, LEADER_NAME, epoch),
      };
      let restUntil = -Infinity;
      const round = async (): Promise<void> => {
        if (performance.now() < restUntil) return;
        const { failedCount } = await replayRecord(guard);
        if (failedCount === 0) restUntil = performance.now() + REST_MS;
      };
      const stops = [
        repeat(ROUND_MS, round, deps.warn),
        repeat(ROUND_MS, async () => deps.round?.(guard), deps.warn),
        repeat(REQUESTS_MS, () => replayStrategies(guard), deps.warn),
      ];
      await untilAborted(signal);
      for (const stop of stops) stop();
    },
  });
}

async function untilWarm(market: Pick<Market, 'warmth'>, signal: AbortSignal): Promise<void> {
  const endAt = performance.now() + WARM_WAIT_MS;
  while (!signal.aborted && performance.now() < endAt && market.warmth().readyAfterMs === null)
    await new Promise((resolve) => setTimeout(resolve, pollMs));
}
