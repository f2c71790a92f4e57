import { DAY_MS, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { FUNDING_DAYS_MAX } from '@sextant/workers/src/core/limits.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { FastifyReply } from 'fastify';
import type { MarketMode } from '../../config.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../platform/http/problem.ts';
import type { Refusal } from '../../platform/errors.ts';
import {
  countsOf,
  fundingAnswer,
  klinesAnswer,
  minutesAnswer,
  type Moment,
  quoteRow,
  sourceOf,
  symbolRow,
} from './answers.ts';
import {
  ContractAnswer,
  ContractQuery,
  FUNDING_DAYS_DEFAULT,
  FundingAnswer,
  FundingQuery,
  KlinesAnswer,
  KlinesQuery,
  MinutesAnswer,
  MinutesBody,
  PriceAnswer,
  PriceBatchAnswer,
  PriceBatchQuery,
  PriceQuery,
  SymbolsAnswer,
  SymbolsQuery,
} from './contract.ts';
import { IndicatorsAnswer, IndicatorsBody } from './indicatorContract.ts';
import type { Market, ExchangeId, FuturesSymbol, Sourced, WhyNoPrice } from './port.ts';
import { limitAnonymous } from '../../platform/limits/publicLimit.ts';
import { readIndicators } from './readIndicators.ts';

/** The list of symbols as JSON text, validated and encoded once per fetch. */
export function createSymbolsJson(): (found: Sourced<FuturesSymbol[]>) => string {
  const kept = new Map<ExchangeId, { fetchedAtMs: number; count: number; text: string }>();
  return ({ exchange, fetchedAtMs, value }) => {
    const before = kept.get(exchange);
    if (before?.fetchedAtMs === fetchedAtMs && before.count === value.length) return before.text;
    const text = JSON.stringify(SymbolsAnswer.shape.symbols.parse(value.map(symbolRow)));
    kept.set(exchange, { fetchedAtMs, count: value.length, text });
    return text;
  };
}

export interface MarketDeps {
  market: Market;
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

/** Aborts when the client disconnects before the response is complete. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

export function marketRoutes(app: App, deps: MarketDeps): void {
  const moment = (): Moment => ({ market: deps.config.market, nowMs: (deps.now ?? Date.now)() });
  publicRoutes(app, deps, moment);
  candleRoutes(app, deps.market, moment);
  minuteRoute(app, deps.market, moment);
  fundingRoute(app, deps.market, moment);
  contractRoute(app, deps.market, moment);
  indicatorRoute(app, deps, moment);
}

function publicRoutes(app: App, { market, now = Date.now }: MarketDeps, moment: () => Moment): void {
  const onRequest = limitAnonymous(now);
  const symbolsJson = createSymbolsJson();
  app.get(
    '/api/futures-symbols',
    {
      onRequest,
      schema: {
        access: 'public',
        sandbox: 'frozen',
        tags,
        summary: 'List tradable symbols',
        querystring: SymbolsQuery,
        response: { 200: SymbolsAnswer, ...problems('validation_failed', 'rate_limited', ...upstream) },
      },
    },
    async (request, reply) => {
      const found = await market.symbols({ exchange: request.query.exchange });
      if (!found.ok) return sendProblem(reply, found.error);
      const { data_age_ms, ...source } = sourceOf(found.value, moment());
      const rows = symbolsJson(found.value);
      // Concatenated text: serialising the list for each of many requests would block the thread.
      const head = JSON.stringify({ ...source, data_age_ms, counts: countsOf(found.value) }).slice(0, -1);
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
        response: { 200: PriceAnswer, ...problems('validation_failed', 'symbol_unknown', 'rate_limited', ...upstream) },
      },
    },
    async (request, reply) => {
      const { symbol, exchange } = request.query;
      const found = await market.prices({ exchange, symbols: [symbol] });
      if (!found.ok) return sendProblem(reply, found.error);
      const [quote] = found.value.value.map(quoteRow);
      if (quote === undefined) return sendProblem(reply, noPrice(symbol, exchange, found.value.missing[0]?.why));
      return { ...quote, ...sourceOf(found.value, moment()) };
    },
  );
}

/** Why a single symbol has no price. */
function noPrice(symbol: string, exchange: ExchangeId, why: WhyNoPrice = 'no_price'): Refusal {
  if (why === 'no_price')
    return { code: 'upstream_unavailable', message: `${exchange} sent no valid price of ${symbol}.` };
  const message = why === 'halted' ? `${symbol} is halted on ${exchange}.` : `${symbol} is not traded on ${exchange}.`;
  return { code: 'symbol_unknown', message, field: 'symbol' };
}

function candleRoutes(app: App, market: Market, moment: () => Moment): void {
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
        querystring: PriceBatchQuery,
        response: {
          200: PriceBatchAnswer,
          ...problems('validation_failed', 'not_authenticated', 'rate_limited', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const found = await market.prices(request.query);
      if (!found.ok) return sendProblem(reply, found.error);
      const { value, missing } = found.value;
      return { ...sourceOf(found.value, moment()), prices: value.map(quoteRow), missing: [...missing] };
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
          200: KlinesAnswer,
          ...problems('validation_failed', 'not_authenticated', 'symbol_unknown', 'rate_limited', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const { symbol, interval, limit, endTime, exchange, price } = request.query;
      const until = endTime === undefined ? {} : { endTimeMs: endTime };
      const found = await market.candles({
        exchange,
        symbol,
        interval,
        limit,
        price,
        userId: request.user.id,
        signal: signalOf(reply),
        ...until,
      });
      if (!found.ok) return sendProblem(reply, found.error);
      return klinesAnswer(symbol, interval, found.value, moment());
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
          200: MinutesAnswer,
          ...problems(
            ...bodyRefusals,
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
      const who = { userId: request.user.id, signal: signalOf(reply) };
      const found = await market.minutes({ exchange, symbol, opens, lengthMs, ...who });
      return found.ok ? minutesAnswer(symbol, found.value, moment()) : sendProblem(reply, found.error);
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
          200: FundingAnswer,
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
      return fundingAnswer(current.value, history.value.value, { ...rest, nowMs });
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
          200: ContractAnswer,
          ...problems('validation_failed', 'not_authenticated', 'symbol_unknown', 'rate_limited', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const { symbol, exchange } = request.query;
      const found = await market.contract({ symbol, exchange, userId: request.user.id });
      if (!found.ok) return sendProblem(reply, found.error);
      return { ...sourceOf(found.value, moment()), contract: found.value.value };
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
          200: IndicatorsAnswer,
          ...problems(...bodyRefusals, 'not_authenticated', 'symbol_unknown'),
          ...problems('too_few_candles', 'rate_limited', 'overloaded', ...upstream),
        },
      },
    },
    async (request, reply) => {
      const { market, nowMs } = moment();
      const now = (): number => nowMs;
      const found = await readIndicators({ ...deps, now }, request.user.id, request.body, signalOf(reply));
      return found.ok ? { ...found.value, market } : sendProblem(reply, found.error);
    },
  );
}
