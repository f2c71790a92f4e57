import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { withoutLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { MarketMode } from '../../../config.ts';
import { disconnectSignal } from '../../../platform/http/disconnectSignal.ts';
import type { App } from '../../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../../platform/http/problem.ts';
import { clientKey } from '../../../platform/limits/clientKey.ts';
import { countHit } from '../../../platform/limits/countHit.ts';
import { loadRun, type LoadedRun, runLoaded } from '../loadRun.ts';
import type { RunBacktestDeps } from '../runBacktest.ts';
import { RunBacktestBody } from '../runContract.ts';
import { runRejections } from '../runRejections.ts';
import { SharedBacktestResponse, SharedBacktestBody } from './contract.ts';

/** Links are opened manually; several users of one network may open one at once. */
const limit = { hitMax: 30, windowS: 60 };
const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** All signed-out visitors together get one user's share of exchange requests, to protect signed-in users. */
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
          200: SharedBacktestResponse,
          ...problems(...bodyRejections, 'symbol_unknown', 'rate_limited', 'database_unavailable'),
          ...problems(...runRejections),
        },
      },
    },
    async (request, reply) => {
      const client = `shared:${clientKey(request.ip)}`;
      await countHit(limiter, { key: client, ...limit }, `At most ${limit.hitMax} shared runs a minute.`);
      const signal = disconnectSignal(reply);
      // The link contains the rules it was created with, and the number of candles that they ran on.
      const costs = { ...withoutLiquidity, ...request.body.costs };
      const body = RunBacktestBody.parse({ ...request.body, costs, rulesOf: 'none', isExact: true });
      const loaded = await loadRun(market, STRANGERS, body, signal);
      if (!loaded.ok) return sendProblem(reply, loaded.error);
      const run = await runLoaded(engine, client, loaded.value, body, signal);
      if (!run.ok) return sendProblem(reply, run.error);
      const { result, fineCandles } = run.value;
      const { exchange } = request.body;
      const inputs = inputWire(loaded.value, fineCandles);
      return { market: config.market, exchange, ...inputs, hashes: result.hashes };
    },
  );
}

const columnsOf = (candles: Candles): Record<(typeof columns)[number], number[]> =>
  Object.fromEntries(columns.map((name) => [name, Array.from(candles[name])])) as ReturnType<typeof columnsOf>;

function inputWire({ input: { candles, costs, markPrices }, rules }: LoadedRun, fineCandles: Candles | undefined) {
  const { funding } = costs;
  const marks = markPrices && {
    open: Array.from(markPrices.open),
    high: Array.from(markPrices.high),
    low: Array.from(markPrices.low),
  };
  return {
    candles: columnsOf(candles),
    markPrices: marks ?? null,
    fineCandles: fineCandles === undefined ? null : columnsOf(fineCandles),
    context: (rules?.context ?? []).map(columnsOf),
    funding: funding === undefined ? null : { time: Array.from(funding.time), rate: Array.from(funding.rate) },
  };
}
