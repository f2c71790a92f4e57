import { DAY_MS, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { FUNDING_DAYS_MAX } from '@sextant/workers/src/core/limits.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { MarketMode } from '../../config.ts';
import type { App } from '../../platform/http/app.ts';
import { disconnectSignal } from '../../platform/http/disconnectSignal.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import type { Rejection } from '../../platform/errors.ts';
import {
  countsOf,
  fundingResponse,
  klinesResponse,
  minutesResponse,
  type Moment,
  quoteRow,
  sourceOf,
} from './responses.ts';
import { byTurnover, createSymbolsJson } from './symbolLists.ts';
import { createShownMarket, type ShownMarket } from './shownMarket.ts';
import {
  ContractResponse,
  ContractQuery,
  FUNDING_DAYS_DEFAULT,
  FundingResponse,
  FundingQuery,
  KlinesResponse,
  KlinesQuery,
  MinutesResponse,
  MinutesBody,
  PriceResponse,
  PriceBatchResponse,
  PriceBatchQuery,
  PriceQuery,
  SymbolsResponse,
  SymbolsQuery,
} from './contract.ts';
import { IndicatorsResponse, IndicatorsBody } from './indicatorContract.ts';
import type { ExchangeId, Market, WhyNoPrice } from './port.ts';
import { limitAnonymous } from '../../platform/limits/publicLimit.ts';
import { readIndicators } from './readIndicators.ts';

export interface MarketDeps {
  market: Market;
  /** Whether an exchange does not serve the region of this server. */
  isRegionBlocked: (exchange: ExchangeId) => boolean;
  engine: EnginePool;
  config: { market: MarketMode };
  /** Epoch ms. */
  now?: () => number;
}

const tags = ['Market'];
const upstream = ['upstream_unavailable', 'upstream_rate_limited', 'deadline_exceeded'] as const;

/** Span of the returned fundings: as requested, within the maximum of one response. */
function fundingSpan(
  { since, until = Infinity }: { since?: number | undefined; until?: number | undefined },
  nowMs: number,
) {
  const untilMs = Math.min(until, nowMs);
  const from = since ?? untilMs - FUNDING_DAYS_DEFAULT * DAY_MS;
  return { sinceMs: Math.min(Math.max(0, from, untilMs - FUNDING_DAYS_MAX * DAY_MS), untilMs), untilMs };
}

export function marketRoutes(app: App, deps: MarketDeps): void {
  const moment = (): Moment => ({ market: deps.config.market, nowMs: (deps.now ?? Date.now)() });
  const shown = createShownMarket(deps.market, deps.isRegionBlocked);
  publicRoutes(app, { ...deps, shown }, moment);
  candleRoutes(app, deps.market, shown, moment);
  minuteRoute(app, deps.market, moment);
  fundingRoute(app, deps.market, moment);
  contractRoute(app, deps.market, moment);
  indicatorRoute(app, deps, moment);
}

const priceProblems = ['validation_failed', 'symbol_unknown', 'rate_limited'] as const;

type PublicDeps = MarketDeps & { shown: ShownMarket };

function publicRoutes(app: App, { market, shown, now = Date.now }: PublicDeps, moment: () => Moment): void {
  const onRequest = limitAnonymous(now);
  const symbolsJson = createSymbolsJson();
  const rankedJson = createSymbolsJson();
  app.get(
    '/api/futures-symbols',
    {
      onRequest,
      schema: {
        access: 'public',
        sandbox: 'frozen',
        tags,
        summary: 'List tradable symbols',
        description: 'Data of another exchange when this one does not serve our region: see `exchange`.',
        querystring: SymbolsQuery,
        response: { 200: SymbolsResponse, ...problems('validation_failed', 'rate_limited', ...upstream) },
      },
    },
    async (request, reply) => {
      const outcome = await shown.symbols({ exchange: request.query.exchange });
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      const ranked = request.query.sort === 'turnover' ? await byTurnover(market, outcome.value) : undefined;
      if (ranked?.ok === false) return sendProblem(reply, ranked.error);
      const { data_age_ms, ...source } = sourceOf(outcome.value, moment());
      const rows = ranked === undefined ? symbolsJson(outcome.value) : rankedJson(ranked.value);
      // Concatenated text: serialising the list for each of many requests would block the thread.
      const head = JSON.stringify({ ...source, data_age_ms, counts: countsOf(outcome.value) }).slice(0, -1);
      return reply
        .type('application/json; charset=utf-8')
        .serializer((text: unknown) => String(text))
        .send(`${head},"symbols":${rows}}` as never);
    },
  );
  app.get(
    '/api/price',
    {
      onRequest,
      schema: {
        access: 'public',
        sandbox: 'frozen',
        tags,
        summary: 'Read the last price of one symbol',
        querystring: PriceQuery,
        response: { 200: PriceResponse, ...problems(...priceProblems, ...upstream) },
      },
    },
    async (request, reply) => {
      const { symbol, exchange } = request.query;
      const outcome = await market.prices({ exchange, symbols: [symbol] });
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      const [quote] = outcome.value.value.map(quoteRow);
      if (quote === undefined) return sendProblem(reply, noPrice(symbol, exchange, outcome.value.missing[0]?.why));
      return { ...quote, ...sourceOf(outcome.value, moment()) };
    },
  );
}

/** Why a single symbol has no price. */
function noPrice(symbol: string, exchange: ExchangeId, why: WhyNoPrice = 'no_price'): Rejection {
  if (why === 'no_price')
    return { code: 'upstream_unavailable', message: `${exchange} sent no valid price of ${symbol}.` };
  const message = why === 'halted' ? `${symbol} is halted on ${exchange}.` : `${symbol} is not traded on ${exchange}.`;
  return { code: 'symbol_unknown', message, field: 'symbol' };
}

function candleRoutes(app: App, market: Market, shown: ShownMarket, moment: () => Moment): void {
  const onRequest = app.requireUser;
  app.get(
    '/api/price/batch',
    {
      onRequest,
      schema: {
        access: 'read:market',
        sandbox: 'frozen',
        tags,
        summary: 'Read the last prices of up to twelve symbols',
        description: 'Data of another exchange when this one does not serve our region: see `exchange`.',
        querystring: PriceBatchQuery,
        response: {
          200: PriceBatchResponse,
          ...problems('validation_failed', 'not_authenticated', 'rate_limited', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const outcome = await shown.prices(request.query);
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      const { value, missing } = outcome.value;
      return { ...sourceOf(outcome.value, moment()), prices: value.map(quoteRow), missing: [...missing] };
    },
  );
  app.get(
    '/api/klines',
    {
      onRequest,
      schema: {
        access: 'read:market',
        sandbox: 'frozen',
        tags,
        summary: 'Closed candles',
        querystring: KlinesQuery,
        response: {
          200: KlinesResponse,
          ...problems('validation_failed', 'not_authenticated', 'symbol_unknown', 'rate_limited', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const { symbol, interval, limit, endTime, exchange, price } = request.query;
      const until = endTime === undefined ? {} : { endTimeMs: endTime };
      const outcome = await market.candles({
        exchange,
        symbol,
        interval,
        limit,
        price,
        userId: request.user.id,
        signal: disconnectSignal(reply),
        ...until,
      });
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      return klinesResponse(symbol, interval, outcome.value, moment());
    },
  );
}

function minuteRoute(app: App, market: Market, moment: () => Moment): void {
  app.post(
    '/api/minute-candles',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:market',
        sandbox: 'frozen',
        tags,
        summary: 'Read the minutes of single candles',
        description: 'Shows whether a candle reached its high or its low first.',
        body: MinutesBody,
        response: {
          200: MinutesResponse,
          ...problems(
            ...bodyRejections,
            'not_authenticated',
            'symbol_unknown',
            'rate_limited',
            'overloaded',
            ...upstream,
          ),
        },
      },
    },
    async (request, reply) => {
      const { symbol, interval, opens, exchange } = request.body;
      const lengthMs = intervalMs[interval];
      const who = { userId: request.user.id, signal: disconnectSignal(reply) };
      const outcome = await market.minutes({ exchange, symbol, opens, lengthMs, ...who });
      return outcome.ok ? minutesResponse(symbol, outcome.value, moment()) : sendProblem(reply, outcome.error);
    },
  );
}

function fundingRoute(app: App, market: Market, moment: () => Moment): void {
  const onRequest = app.requireUser;
  app.get(
    '/api/funding',
    {
      onRequest,
      schema: {
        access: 'read:market',
        sandbox: 'frozen',
        tags,
        summary: 'Read the next funding rate and the last settled ones',
        querystring: FundingQuery,
        response: {
          200: FundingResponse,
          ...problems('validation_failed', 'not_authenticated', 'symbol_unknown', 'rate_limited', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const { nowMs, ...rest } = moment();
      const { symbol, exchange } = request.query;
      const userId = request.user.id;
      const span = fundingSpan(request.query, nowMs);
      // In this order: the settlements may reveal the interval.
      const history = await market.fundingHistory({ symbol, exchange, userId, ...span });
      if (!history.ok) return sendProblem(reply, history.error);
      const current = await market.funding({ symbol, exchange, userId });
      if (!current.ok) return sendProblem(reply, current.error);
      return fundingResponse(current.value, history.value.value, { ...rest, nowMs });
    },
  );
}

function contractRoute(app: App, market: Market, moment: () => Moment): void {
  app.get(
    '/api/contract',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:market',
        sandbox: 'frozen',
        tags,
        summary: 'Read tick, step, minimum notional and leverage tiers of one symbol',
        querystring: ContractQuery,
        response: {
          200: ContractResponse,
          ...problems('validation_failed', 'not_authenticated', 'symbol_unknown', 'rate_limited', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const { symbol, exchange } = request.query;
      const outcome = await market.contract({ symbol, exchange, userId: request.user.id });
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      return { ...sourceOf(outcome.value, moment()), contract: outcome.value.value };
    },
  );
}

function indicatorRoute(app: App, deps: MarketDeps, moment: () => Moment): void {
  app.post(
    '/api/technical-indicators',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:market',
        sandbox: 'frozen',
        tags,
        summary: 'Read indicator values at the last closed candle',
        body: IndicatorsBody,
        response: {
          200: IndicatorsResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'symbol_unknown'),
          ...problems('too_few_candles', 'rate_limited', 'overloaded', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const { market, nowMs } = moment();
      const now = (): number => nowMs;
      const outcome = await readIndicators({ ...deps, now }, request.user.id, request.body, disconnectSignal(reply));
      return outcome.ok ? { ...outcome.value, market } : sendProblem(reply, outcome.error);
    },
  );
}
