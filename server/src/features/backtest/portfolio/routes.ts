import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { MarketMode } from '../../../config.ts';
import { disconnectSignal } from '../../../platform/http/disconnectSignal.ts';
import { problems, bodyRejections, sendProblem } from '../../../platform/http/problem.ts';
import type { App } from '../../../platform/http/app.ts';
import { holdSlot } from '../../../platform/http/holdSlot.ts';
import { countHit } from '../../../platform/limits/countHit.ts';
import { createSlots } from '../../../platform/limits/slots.ts';
import type { RateLimiter } from '../../../platform/limits/rateLimiter.ts';
import type { ConfidenceBases } from '../../signals/confidenceBasis.ts';
import type { RunBacktestDeps } from '../runBacktest.ts';
import { type ReadAuto, readAutoFrom } from './autoOf.ts';
import { RunPortfolioBody, RunPortfolioResponse } from './contract.ts';
import { SearchPortfolioBody, SearchPortfolioResponse } from './searchContract.ts';
import { searchPortfolio } from './searchPortfolio.ts';
import type { UniverseHistory } from './chooseSymbols.ts';
import { type PortfolioDeps, runPortfolio } from './runPortfolio.ts';

export interface PortfolioRouteDeps extends Pick<RunBacktestDeps, 'db' | 'market' | 'engine' | 'storeRun'> {
  config: { market: MarketMode };
  limiter: RateLimiter;
  confidences: Pick<ConfidenceBases, 'of' | 'refresh'>;
  /** Settings of a user; from the database unless set. */
  readAuto?: ReadAuto;
  /** Absent in the sandbox. */
  history?: UniverseHistory;
  now?: () => number;
}

/** Enough to turn every control of the page; what a run loads from the exchange has its own limits. */
const runLimit = { hitMax: 30, windowS: 60 };
const tooOften = 'At most 30 portfolio runs a minute. Try again in a minute.';
const searchLimit = { hitMax: 10, windowS: 60 };
const searchedTooOften = 'At most 10 portfolio searches a minute. Try again in a minute.';
/** One run of a user at a time, another one waits; few at once, because one holds up to 100 MB. */
const slotRules = { slotCount: 4, perKey: 1, queueMaxPerKey: 1, waitMsMax: 5000 };
/** A strategy or a text of rules with 128 names. */
const BODY_BYTES_MAX = 64 * 1024;

const runProblems = {
  ...problems('not_authenticated', 'database_unavailable'),
  ...problems(...bodyRejections, 'conflict', 'symbol_unknown', 'rate_limited', 'too_few_candles', 'market_not_trading'),
  ...problems('upstream_unavailable', 'upstream_rate_limited', 'overloaded', 'deadline_exceeded'),
};

export function portfolioRoutes(app: App, deps: PortfolioRouteDeps): void {
  const slots = createSlots(slotRules);
  const { db, market, engine, confidences, storeRun, now, config, readAuto = readAutoFrom(db, config.market) } = deps;
  const shared = { db, market, engine, confidences, readAuto, isCounted: storeRun === undefined };
  const runDeps: PortfolioDeps = { ...shared, ...withoutUndefined({ history: deps.history, now }) };
  app.post(
    '/api/backtest/portfolio',
    {
      bodyLimit: BODY_BYTES_MAX,
      onRequest: async (request, reply) => {
        await countHit(deps.limiter, { key: `portfolio:${request.user.id}`, ...runLimit }, tooOften);
        await holdSlot(slots, request.user.id, reply);
      },
      schema: {
        access: 'run:backtest',
        sandbox: 'frozen',
        tags: ['Backtest'],
        summary: 'Backtest one account over many symbols, such as your Auto rules over your universe',
        description:
          'One balance, with slots, guards and exposure limits; signals are ranked by score. Liquidations follow the last price. ' +
          'Symbols without candles are named in `left_out`. A run takes at most 60 s, loading included.',
        body: RunPortfolioBody,
        response: { 200: RunPortfolioResponse, ...runProblems },
      },
    },
    async (request, reply) => {
      // A closed tab must not occupy the exchange and a thread.
      const signal = disconnectSignal(reply);
      const outcome = await runPortfolio(runDeps, request.user.id, request.body, { signal });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.post(
    '/api/backtest/portfolio/search',
    {
      bodyLimit: BODY_BYTES_MAX,
      onRequest: async (request, reply) => {
        await countHit(deps.limiter, { key: `portfolio-search:${request.user.id}`, ...searchLimit }, searchedTooOften);
        await holdSlot(slots, request.user.id, reply);
      },
      schema: {
        access: 'run:backtest',
        sandbox: 'none',
        tags: ['Backtest'],
        summary: 'Search thresholds, levels, slots and ranges of own rules of one account over many symbols',
        description:
          'Searches the first 70 % of the candles, shows the best set and yours on the rest, and counts every set as tried. Closing the request stops it.',
        body: SearchPortfolioBody,
        response: { 200: SearchPortfolioResponse, ...runProblems },
      },
    },
    async (request, reply) => {
      const signal = disconnectSignal(reply);
      const outcome = await searchPortfolio(runDeps, request.user.id, request.body, { signal });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}
