import type { Candles } from '@sextant/workers/src/protocol.ts';
import { ok } from '@sextant/workers/src/result.ts';
import type { MarketMode } from '../../../config.ts';
import type { Outcome } from '../../../platform/errors.ts';
import type { App } from '../../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../../platform/http/problem.ts';
import { clientKey } from '../../../platform/limits/clientKey.ts';
import { countHit } from '../../../platform/limits/countHit.ts';
import { runInTurn } from '../../market/engineRuns.ts';
import { loadRun, type LoadedRun, refuseTask, runLoaded } from '../loadRun.ts';
import type { RunBacktestDeps } from '../runBacktest.ts';
import { RunBacktestBody } from '../runContract.ts';
import { SharedBacktestAnswer, SharedBacktestBody } from './contract.ts';

/** A link is opened by hand; many people of one network may open one at once. */
const limit = { hitMax: 30, windowS: 60 };
const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** All strangers together have one person's share of what is asked of the exchanges: it must not be short for those who are signed in. */
const STRANGERS = 'strangers';

export interface SharedBacktestDeps extends Pick<RunBacktestDeps, 'market' | 'engine' | 'limiter'> {
  config: { market: MarketMode };
}

/** Runs a shared backtest again for any visitor, signed in or not, and returns its inputs. Stores nothing. */
export function sharedBacktestRoutes(app: App, { market, engine, limiter, config }: SharedBacktestDeps): void {
  app.post(
    '/api/shared-backtest',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags: ['Backtest'],
        summary: 'Repeat the backtest of a shared link',
        body: SharedBacktestBody,
        response: {
          200: SharedBacktestAnswer,
          ...problems(...bodyRefusals, 'symbol_unknown', 'rate_limited', 'database_unavailable'),
          ...problems('too_few_candles', 'upstream_unavailable', 'overloaded', 'deadline_exceeded'),
        },
      },
    },
    async (request, reply) => {
      const client = `shared:${clientKey(request.ip)}`;
      await countHit(limiter, { key: client, ...limit }, `At most ${limit.hitMax} shared runs a minute.`);
      const stop = new AbortController();
      reply.raw.once('close', () => stop.abort());
      const loaded = await loadRun(market, STRANGERS, RunBacktestBody.parse(request.body), stop.signal);
      if (!loaded.ok) return sendProblem(reply, loaded.error);
      const run = await runInTurn(engine, client, () => runLoaded(engine, loaded.value, stop.signal));
      if (!run.ok) return sendProblem(reply, run.error);
      const result: Outcome<{ hashes: Hashes }> = run.value.ok ? ok(run.value.value) : refuseTask(run.value.error);
      if (!result.ok) return sendProblem(reply, result.error);
      const { exchange } = request.body;
      return { market: config.market, exchange, ...inputWire(loaded.value), hashes: result.value.hashes };
    },
  );
}

interface Hashes {
  engine: string;
  data: string;
  params: string;
  result: string;
}

const columnsOf = (candles: Candles): Record<(typeof columns)[number], number[]> =>
  Object.fromEntries(columns.map((name) => [name, Array.from(candles[name])])) as ReturnType<typeof columnsOf>;

function inputWire({ input: { candles, costs }, rules }: LoadedRun) {
  const { funding } = costs;
  return {
    candles: columnsOf(candles),
    context: (rules?.context ?? []).map(columnsOf),
    funding: funding === undefined ? null : { time: Array.from(funding.time), rate: Array.from(funding.rate) },
  };
}
