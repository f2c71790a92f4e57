import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { onResponseHookHandler } from 'fastify';
import type { z } from 'zod';
import type { MarketMode } from '../../../config.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import type { App } from '../../../platform/http/app.ts';
import { problems } from '../../../platform/http/problem.ts';
import { createSharedResponse } from '../../../platform/sharedResponse.ts';
import { readRatings } from '../../help/chat.ts';
import { countsOf } from '../../market/responses.ts';
import type { Market } from '../../market/port.ts';
import { MeasuredResponse } from './contract.ts';
import { countMinutes, readFirstCheck } from './healthCheckRepository.ts';
import { type LatencyWindow, windowMinutes } from './latencyWindow.ts';

export interface MeasuredDeps {
  db: Db;
  market: Market;
  latency: LatencyWindow;
  /** Loads of the product in browsers (health/browserReports.ts). */
  pageLoads: LatencyWindow;
  config: { market: MarketMode };
  /** Epoch ms; the database's clock when absent. */
  now?: () => number;
}

/** Cache time of a response: the route is public, and no figure changes faster. */
const freshMs = 10_000;
/** The symbol list is nearly always in memory; a page does not wait for a slow exchange. */
const symbolsDeadlineMs = 2000;
/** Below this count a p95 is the slowest request. */
const latencyCountMin = 20;

/** Measures response times of market data. Errors are excluded: they are fast and would distort the figure. */
export function watchLatency(latency: LatencyWindow): onResponseHookHandler {
  return (request, reply, done) => {
    const isMarketData = request.routeOptions.schema?.tags?.includes('Market') === true;
    if (isMarketData && reply.statusCode === 200) latency.record(reply.elapsedTime);
    done();
  };
}

/** The measured figures of the public pages. */
export function measuredRoutes(app: App, deps: MeasuredDeps): void {
  const shared = createSharedResponse(freshMs, () => readMeasured(deps), deps.now ?? (() => performance.now()));
  app.get(
    '/api/measured',
    {
      schema: {
        access: 'public',
        sandbox: 'same',
        tags: ['Service'],
        summary: 'Read measured symbols, response times and uptime',
        response: { 200: MeasuredResponse, ...problems('database_unavailable') },
      },
    },
    () => shared(),
  );
}

async function readMeasured(deps: MeasuredDeps): Promise<z.infer<typeof MeasuredResponse>> {
  // The database's clock stamps the minutes that are counted.
  const nowMs = deps.now?.() ?? (await withSystem(deps.db, databaseNowMs));
  const [symbols, uptime, ratings] = await Promise.all([
    readSymbols(deps.market),
    readUptime(deps.db, nowMs),
    withSystem(deps.db, readRatings),
  ]);
  return {
    timestamp: new Date(nowMs).toISOString(),
    market: deps.config.market,
    symbols,
    latency: quantilesOf(deps.latency),
    pageLoads: quantilesOf(deps.pageLoads),
    helpRatings: {
      count: ratings.count,
      countMin: ratings.count_min,
      helpfulFraction: ratings.helpful_fraction,
    },
    uptime: uptime && {
      fraction: uptime.fraction,
      upMinutes: uptime.upMinutes,
      minutes: uptime.minutes,
      from: new Date(uptime.fromMs).toISOString(),
    },
  };
}

function quantilesOf(window: LatencyWindow): z.infer<typeof MeasuredResponse>['latency'] {
  const { count, p50Ms, p95Ms } = window.read();
  const isEnough = count >= latencyCountMin;
  const tenths = (ms: number | null): number | null => (ms === null || !isEnough ? null : Math.ceil(ms * 10) / 10);
  return { windowMinutes, count, countMin: latencyCountMin, p50Ms: tenths(p50Ms), p95Ms: tenths(p95Ms) };
}

async function readSymbols(market: Market): Promise<z.infer<typeof MeasuredResponse>['symbols']> {
  const outcome = await market.symbols({ signal: AbortSignal.timeout(symbolsDeadlineMs) });
  if (!outcome.ok) return null;
  const { exchange, fetchedAtMs } = outcome.value;
  return { count: countsOf(outcome.value).trading, exchange, at: new Date(fetchedAtMs).toISOString() };
}

/** Spans of an uptime, longest first. */
const windowDays = [30, 7, 1] as const;

interface Uptime {
  /** Fraction of successful minutes. */
  fraction: number;
  upMinutes: number;
  /** Minutes of the window. */
  minutes: number;
  fromMs: number;
}

/**
 * Uptime over the longest fully measured span; null before the first day is over. Minutes without a row, because nothing ran or
 * nothing could be stored, count as down when there are two or more in a row; a single one is a missed check.
 */
async function readUptime(db: Db, nowMs: number): Promise<Uptime | null> {
  const minuteNow = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const before = new Date(minuteNow);
  return withSystem(db, async (tx) => {
    const first = await readFirstCheck(tx);
    const days = first === null ? undefined : windowDays.find((each) => first.getTime() <= minuteNow - each * DAY_MS);
    if (days === undefined) return null;
    const since = new Date(minuteNow - days * DAY_MS);
    const { upMinutes, minutes } = await countMinutes(tx, { since, before });
    return minutes === 0 ? null : { fraction: upMinutes / minutes, upMinutes, minutes, fromMs: since.getTime() };
  });
}
