// Long because three exchanges and the control of their faults share one server.
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { binanceRoutes, binanceUnknownPath } from './binance/rest.ts';
import { bybitRoutes, bybitUnknownPath } from './bybit/rest.ts';
import { handleControl } from './control.ts';
import { corrupt, corruptText } from './corrupt.ts';
import {
  type ResponseFault,
  responseFaults,
  createFaultSwitch,
  type EndpointName,
  type FaultRule,
  type FaultSwitch,
  type FaultName,
} from './faults.ts';
import { BINANCE_WEIGHT_PER_MINUTE, createLimits, type Limits } from './limits.ts';
import { instruments } from './market/instruments.ts';
import { keepingCandles } from './market/cachedCandles.ts';
import { createListingChanges, type ListingChange, type Listings } from './market/listingChanges.ts';
import { createMovableMarket, type MovableMarket } from './market/moved.ts';
import { readRecordings } from './market/recording.ts';
import { type Pin, pinnedMarket } from './market/pinned.ts';
import { createReplayMarket, nameReplay } from './market/replay.ts';
import { createSeededMarket } from './market/seededMarket.ts';
import { type Listing, listingOf, type VenueId } from './market/venues.ts';
import { okxRoutes, okxUnknownPath } from './okx/rest.ts';
import { createStreams, type StreamsFake } from './streams/streamServer.ts';
import { createRequestLog, type RequestLog } from './requestLog.ts';
import { type ResponseBody, barsFor, intervalMs, type Query, type Route, type Wire } from './wire.ts';

export interface ExchangesOptions {
  /** By default EXCHANGES_SEED, else always the same. */
  seed?: number;
  /** By default the day of EXCHANGES_START for a clock that runs; without one the market shows the time of the clock. */
  pin?: Pin;
  /** 0 takes any free port. */
  port?: number;
  /** Weight of requests that Binance takes in a minute: by default EXCHANGES_WEIGHT, else as published. */
  weightPerMinute?: number;
  /** Epoch ms. Tests give a clock that stands still. */
  now?: () => number;
  /** Folder of recorded candles to replay, see market/recording.ts. */
  replayDir?: string;
  /** Symbols whose recorded volume is in USDT. */
  quoteVolumeSymbols?: readonly string[];
  /** When the replay started, epoch ms: one that continues after a crash does not move. `now` when absent. */
  replayAtMs?: number;
}

export interface ExchangesFake {
  /** One base URL for the three venues: their paths do not overlap. */
  url: string;
  /** Name of the replayed world; null: none is replayed. */
  replayWorld: string | null;
  faults: FaultSwitch;
  requests: RequestLog;
  limits: Limits;
  streams: StreamsFake;
  market: MovableMarket;
  listings: Record<VenueId, ReadonlyMap<string, Listing>>;
  /** A contract ends, is halted, or gets another tick or step. */
  changeListing: (change: ListingChange) => void;
  /** Computes every symbol's past and its newest candles in small steps, so that the first request does not wait for them. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies for handling one request. */
interface Context {
  market: MovableMarket;
  listings: Record<VenueId, ReadonlyMap<string, Listing>>;
  changeListing: (change: ListingChange) => void;
  faults: FaultSwitch;
  requests: RequestLog;
  limits: Limits;
  weightPerMinute: number;
  streams: StreamsFake;
  now: () => number;
}

const venueOfPath = (path: string): VenueId => {
  if (path.startsWith('/fapi/') || path.startsWith('/futures/data/')) return 'binance';
  return path.startsWith('/v5/') ? 'bybit' : 'okx';
};
const routes: Record<VenueId, Record<string, Route>> = { binance: binanceRoutes, bybit: bybitRoutes, okx: okxRoutes };
const unknownPath: Record<VenueId, ResponseBody> = {
  binance: binanceUnknownPath,
  bybit: bybitUnknownPath,
  okx: okxUnknownPath,
};

const textOfEnv = (name: string): string | undefined => (process.env[name] === '' ? undefined : process.env[name]);
const seedOfEnv = (): number => Number(textOfEnv('EXCHANGES_SEED') ?? 20_220_101);
const weightOfEnv = (): number => Number(textOfEnv('EXCHANGES_WEIGHT') ?? BINANCE_WEIGHT_PER_MINUTE);

/** EXCHANGES_STARTED_AT is set for a market that restarts after a crash, so that it continues where it was. */
function pinOfEnv(): Pin | undefined {
  const day = textOfEnv('EXCHANGES_START');
  if (day === undefined) return undefined;
  return { marketMs: Date.parse(day), startedAtMs: Number(textOfEnv('EXCHANGES_STARTED_AT') ?? Date.now()) };
}

/** More than a scan or a chart reads. */
const warmBars = 600;

/** Starts one loopback server that speaks the public REST and stream formats of Binance USD-M, Bybit linear and OKX swap. */
export async function startExchanges(options: ExchangesOptions = {}): Promise<ExchangesFake> {
  const now = options.now ?? Date.now;
  const seed = options.seed ?? seedOfEnv();
  const whole = createSeededMarket(seed);
  const pin = options.pin ?? (options.now === undefined ? pinOfEnv() : undefined);
  const seeded = pin === undefined ? whole : pinnedMarket(whole, pin);
  const recordings =
    options.replayDir === undefined ? [] : readRecordings(options.replayDir, options.quoteVolumeSymbols);
  const replayAtMs = options.replayAtMs ?? now();
  const isReplayed = recordings.length > 0;
  const replayed = isReplayed ? createReplayMarket(seeded, recordings, replayAtMs) : seeded;
  const replayWorld = isReplayed ? nameReplay(JSON.stringify([seed, pin]), recordings, replayAtMs) : null;
  const market = createMovableMarket(keepingCandles(replayed));
  const listings = listAll();
  const weightPerMinute = options.weightPerMinute ?? weightOfEnv();
  const context: Context = {
    market,
    listings,
    changeListing: createListingChanges(listings),
    streams: createStreams({ market, listings, now }),
    faults: createFaultSwitch(),
    requests: createRequestLog(),
    limits: createLimits(weightPerMinute),
    weightPerMinute,
    now,
  };
  const server = createServer((request, response) => {
    handle(context, request, response).catch((error: unknown) => {
      // A bug of this fake must look like one, not like an exchange.
      response.writeHead(599).end(String(error));
    });
  });
  server.on('upgrade', (request, socket, head) => context.streams.upgrade(request, socket, head));
  server.keepAliveTimeout = 30_000;
  await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replayWorld,
    faults: context.faults,
    requests: context.requests,
    limits: context.limits,
    streams: context.streams,
    market: context.market,
    listings: context.listings,
    changeListing: context.changeListing,
    async warmUp() {
      for (const listing of context.listings.binance.values()) {
        context.market.quote(listing, now());
        for (const interval of signalIntervals) {
          barsFor({ market, listings: listings.binance, nowMs: now() }, listing, interval, { limit: warmBars });
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    },
    close: () => {
      context.streams.close();
      return close(server);
    },
  };
}

function listAll(): Listings {
  const of = (venue: VenueId): Map<string, Listing> => {
    const matches = instruments.map((instrument) => listingOf(venue, instrument)).filter((each) => each !== undefined);
    return new Map(matches.map((listing) => [listing.id, listing]));
  };
  return { binance: of('binance'), bybit: of('bybit'), okx: of('okx') };
}

async function handle(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://loopback');
  if (url.pathname.startsWith('/__control')) {
    await handleControl(context, request, response, url.pathname);
    return;
  }
  const venue = venueOfPath(url.pathname);
  const requested: ServedRequest = {
    venue,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    apiKey: request.headers['x-mbx-apikey']?.toString(),
    route: routes[venue][url.pathname],
  };
  const fault = context.faults.take(venue, endpointOf(requested.route, requested.query));
  const nowMs = context.now() - (fault?.fault === 'staleClock' ? 3_600_000 : 0);
  response.setHeader('date', new Date(nowMs).toUTCString());
  response.setHeader('content-type', 'application/json;charset=UTF-8');
  if (!countAndLog(context, requested, fault, response)) return;
  if (fault !== undefined && isResponseFault(fault.fault) && (await breakResponse(fault, { venue, nowMs }, response)))
    return;
  const result = responseOf(context, requested, nowMs, fault);
  if (fault?.fault === 'halfJson') {
    sendHalf(response, result);
    return;
  }
  response.writeHead(result.status ?? 200).end(textOf(result));
}

function textOf(response: ResponseBody): string {
  if (response.text !== undefined) return response.text;
  return typeof response.body === 'string' ? response.body : corruptText(response.body);
}

/** One request as this server sees it; no route when the path is not known. */
interface ServedRequest {
  venue: VenueId;
  path: string;
  query: Query;
  apiKey: string | undefined;
  route: Route | undefined;
}

/** Returns false when the request was over the venue's limit; the response is then already sent. */
function countAndLog(
  context: Context,
  requested: ServedRequest,
  fault: FaultRule | undefined,
  response: ServerResponse,
): boolean {
  const { venue, path, query, route } = requested;
  const weight = route?.weight?.(query) ?? 1;
  const atMs = context.now();
  const { headers, overuse } = context.limits.count(venue, path, weight, atMs);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const entry = {
    atMs,
    venue,
    endpoint: endpointOf(route, query),
    path,
    query,
    weight,
    status: overuse?.status ?? 200,
  };
  context.requests.add(fault === undefined ? entry : { ...entry, fault: fault.fault });
  if (overuse === undefined) return true;
  send(response, overuse.status, overuse.body, overuse.headers);
  return false;
}

function endpointOf(route: Route | undefined, query: Query): EndpointName {
  if (route === undefined) return 'other';
  return typeof route.endpoint === 'function' ? route.endpoint(query) : route.endpoint;
}

function responseOf(
  context: Context,
  { venue, route, query, apiKey }: ServedRequest,
  nowMs: number,
  fault: FaultRule | undefined,
): ResponseBody {
  if (route === undefined) return unknownPath[venue];
  const wire: Wire = {
    weightPerMinute: context.weightPerMinute,
    market: context.market,
    listings: context.listings[venue],
    nowMs,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  const isForeign = fault?.fault === 'wrongSymbol' && endpointOf(route, query) === 'klines';
  const response = route.answer(wire, isForeign ? otherSymbol(wire, query) : query);
  if (fault === undefined || isResponseFault(fault.fault) || route.rows === undefined) return response;
  const rows = route.rows.read(response.body) as Parameters<typeof corrupt>[1];
  const body = route.rows.write(response.body, corrupt(fault.fault, rows, spanOf(query), nowMs));
  return response.status === undefined ? { body } : { status: response.status, body };
}

/** Candles of a symbol that was not requested: most venues do not name the symbol beside them. */
function otherSymbol(wire: Wire, query: Query): Query {
  const name = query['instId'] === undefined ? 'symbol' : 'instId';
  const other = [...wire.listings.keys()].find((id) => id !== query[name]);
  return { ...query, [name]: other };
}

function spanOf(query: Query): number {
  const bybit: Record<string, string> = { 1: '1m', 5: '5m', 15: '15m', 60: '1h', 240: '4h', D: '1d' };
  const name = (query['bar'] ?? query['interval'] ?? '').replace('Dutc', 'd').replace('H', 'h');
  return intervalMs[bybit[name] ?? name] ?? 0;
}

const isResponseFault = (fault: FaultName): fault is ResponseFault =>
  (responseFaults as readonly string[]).includes(fault);

const html =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>';

const countryPage =
  '<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY>' +
  'The Amazon CloudFront distribution is configured to block access from your country.</BODY></HTML>';

function rejectRegion(
  { region = 'page' }: FaultRule,
  { venue, nowMs }: { venue: VenueId; nowMs: number },
  response: ServerResponse,
): void {
  if (venue !== 'bybit') {
    send(response, 451, { code: 0, msg: 'Service unavailable from a restricted location.' }, {});
  } else if (region === 'code') {
    send(response, 200, { retCode: 10009, retMsg: 'IP has been banned.', result: {}, time: nowMs }, {});
  } else {
    // CloudFront in front of Bybit responds with an HTML page.
    response.setHeader('content-type', 'text/html');
    const bare = '<html><head><title>403 Forbidden</title></head></html>';
    response.writeHead(403).end(region === 'bare' ? bare : countryPage);
  }
}

/** Sends the fault's response. Returns false when the fault leads to the normal response. */
async function breakResponse(
  fault: FaultRule,
  { venue, nowMs }: { venue: VenueId; nowMs: number },
  response: ServerResponse,
): Promise<boolean> {
  const retryAfter = { 'retry-after': String(fault.retryAfterS) };
  switch (fault.fault) {
    case 'rateLimited':
      send(response, 429, tooMany[venue], retryAfter);
      return true;
    case 'banned':
      send(response, 418, { code: -1003, msg: 'Way too many requests; IP banned.' }, retryAfter);
      return true;
    case 'bannedUntil': {
      // Without the header: the end stands in the message alone, in epoch ms.
      const untilMs = nowMs + fault.retryAfterS * 1000;
      send(response, 418, { code: -1003, msg: `Way too many requests; IP(192.0.2.1) banned until ${untilMs}.` }, {});
      return true;
    }
    case 'forbidden':
      send(response, 403, 'access too frequent', {});
      return true;
    case 'regionRefused':
      rejectRegion(fault, { venue, nowMs }, response);
      return true;
    case 'serverError':
      send(response, 500, { code: -1000, msg: 'An unknown error occurred while processing the request.' }, {});
      return true;
    case 'htmlWithOk':
      response.setHeader('content-type', 'text/html; charset=UTF-8');
      response.writeHead(200).end(html);
      return true;
    case 'emptyBody':
      response.writeHead(200).end();
      return true;
    case 'nullBody':
      response.writeHead(200).end('null');
      return true;
    case 'reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'hang':
      return true;
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
      return response.destroyed;
    default:
      return false;
  }
}

const tooMany: Record<VenueId, unknown> = {
  binance: { code: -1003, msg: 'Too many requests.' },
  bybit: { retCode: 10006, retMsg: 'Too many visits!', result: {}, retExtInfo: {}, time: 0 },
  okx: { code: '50011', msg: 'Too Many Requests', data: [] },
};

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string>): void {
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}

function sendHalf(response: ServerResponse, result: ResponseBody): void {
  const text = JSON.stringify(result.body);
  response.writeHead(200).end(text.slice(0, Math.floor(text.length / 2)));
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    // Loopback only: the control endpoint has no other protection, and needs none.
    server.listen(port, '127.0.0.1', resolve);
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
