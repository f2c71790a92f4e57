import { AsyncLocalStorage } from 'node:async_hooks';
import { type KlineLayout, cutKlineRows, type KlineRows } from '@sextant/workers/src/protocol/wire/klineRows.ts';
import type { VenueState } from '../../features/market/port.ts';
import type { BudgetUse, VenueLimits } from '../../features/market/gateway/wire.ts';
import { type ClockOffset, offsetOf } from '../../platform/clockOffset.ts';
import { createRecent } from '../../platform/recent.ts';
import { createHttpPool } from '../../platform/httpPool.ts';
import { createAdmission, TRIP_MS } from './admission.ts';
import type { Clock } from './clock.ts';
import { countedSpan } from './countedSpan.ts';
import { createGuard, type Guard } from './guard.ts';
import type { VenueRules } from './rules.ts';
import { cancelled, timedOut, tooLate, UpstreamError, type UpstreamFailure, regionRejection } from './upstreamError.ts';

/** One operation of one or more requests to an exchange. Passed through ccxt by AsyncLocalStorage. */
export interface Call {
  /** Epoch ms by the transport's clock. */
  deadlineMs: number;
  signal: AbortSignal | undefined;
  /** The exchange's clock at the earliest response of this call, from the Date header; undefined before the first response. */
  serverNowMs: number | undefined;
}

export interface Transport {
  /** The fetch function given to ccxt. */
  fetch: (url: string) => Promise<Response>;
  /** The parsed body of a valid response to a path with query. @throws UpstreamError */
  getJson: (pathAndQuery: string, headers?: Record<string, string>) => Promise<unknown>;
  /** A valid response to a candle request. @throws UpstreamError */
  getRows: (pathAndQuery: string, layout: KlineLayout) => Promise<Pick<HttpResponse, 'body' | 'rows'>>;
  /** Runs `work` as one call with a deadline; requests inside share it. @throws UpstreamError */
  call: <T>(signal: AbortSignal | undefined, work: (call: Call) => Promise<T>) => Promise<T>;
  state: () => VenueState;
  /** Difference to the exchange's clock, from the newest response; undefined before the first. */
  clockOffset: () => ClockOffset | undefined;
  /** Use of each limit of the exchange by this process. */
  budgets: () => BudgetUse[];
  limits: () => VenueLimits;
  /** Counts what another process at this address had used `ageMs` ago, and obeys its ban. */
  assume: (limits: VenueLimits, ageMs: number) => void;
  /** Bans apply to our IP address, so every other client of the exchange obeys them too. */
  guard: Guard;
  close: () => Promise<void>;
}

export interface TransportOptions {
  rules: VenueRules;
  /** Origin of every request; replaces the host that ccxt chooses. */
  baseUrl: string;
  clock: Clock;
  /** Longest single request. */
  requestTimeoutMs: number;
  /** Longest call, waits and retries included. */
  callDeadlineMs: number;
}

const repeatAfterMs = 250;
/** A reading of an exchange's clock says nothing about a later time: an exchange that is away must not keep a node degraded. */
const offsetLifeMs = 5 * 60_000;

/**
 * The only HTTP client of an exchange. Every request passes the ban and breaker guard, the weight budget and a deadline; every response
 * must be JSON in the exchange's envelope. ccxt receives valid responses only, because it reads an HTML page with status 200
 * as candles of nulls and stores the length of a ban in a field that overlapping calls overwrite.
 */
export function createTransport(options: TransportOptions): Transport {
  const { rules, clock, baseUrl } = options;
  const guard = createGuard(clock);
  const calls = new AsyncLocalStorage<Call>();
  const sender = createSender(options, guard);
  const newCall = (signal: AbortSignal | undefined): Call => ({
    deadlineMs: clock.now() + options.callDeadlineMs,
    signal,
    serverNowMs: undefined,
  });

  /** Retries a transient failure once: all requests here only read. */
  async function request(address: string, layout?: KlineLayout, headers?: SentHeaders): Promise<HttpResponse> {
    const { pathname, search } = new URL(address, baseUrl);
    const url = new URL(pathname + search, baseUrl);
    const call = calls.getStore() ?? newCall(undefined);
    try {
      return await sender.send(url, call, { layout, headers });
    } catch (error) {
      const isAccident =
        error instanceof UpstreamError && error.failure === 'unavailable' && error.retryAfterMs === undefined;
      if (!isAccident || clock.now() + repeatAfterMs >= call.deadlineMs) throw error;
      await clock.sleep(repeatAfterMs, call.signal).catch(() => {
        throw cancelled(rules.name);
      });
      return sender.send(url, call, { layout, headers });
    }
  }

  return {
    fetch: async (address) => {
      const { status, headers, bytes } = await request(address);
      // The body is decoded here: the original length and encoding would be wrong.
      headers.delete('content-encoding');
      headers.delete('content-length');
      return new Response(bytes, { status, headers });
    },
    getJson: async (pathAndQuery, headers) => (await request(pathAndQuery, undefined, headers)).body,
    getRows: (pathAndQuery, layout) => request(pathAndQuery, layout),
    call(signal, work) {
      const call = newCall(signal);
      return calls.run(call, () => work(call));
    },
    state: () => guard.state(),
    clockOffset: sender.clockOffset,
    budgets: sender.budgets,
    limits() {
      const leftMs = guard.banLeftMs();
      return { budgets: sender.limits(), ban: leftMs > 0 ? { leftMs, why: guard.banReason() } : null };
    },
    assume({ budgets, ban }, ageMs) {
      sender.assume(budgets, ageMs);
      if (ban !== null) guard.ban(clock.now() + ban.leftMs - ageMs, ban.why);
    },
    guard,
    close: () => sender.close(),
  };
}

/** Sends one request through admission and reports the outcome to the guard. */
function createSender({ rules, clock, requestTimeoutMs }: TransportOptions, guard: Guard) {
  const admission = createAdmission(rules, guard, clock);
  const http = createHttpClient(rules, requestTimeoutMs);
  const offset = createRecent<ClockOffset>(offsetLifeMs);

  async function exchange(url: URL, call: Call, form: RequestForm): Promise<HttpResponse> {
    const timeoutMs = Math.min(requestTimeoutMs, call.deadlineMs - clock.now());
    if (timeoutMs <= 0) throw tooLate(rules.name);
    const sentAtMs = clock.now();
    const response = await http.get(url, timeoutMs, call, form).catch((error: unknown) => {
      // A healthy exchange does not respond within a moment either.
      const isTimeout = error instanceof UpstreamError && error.failure === 'timedOut';
      throw isTimeout && timeoutMs < Math.min(TRIP_MS, requestTimeoutMs) ? tooLate(rules.name) : error;
    });
    const receivedAtMs = clock.now();
    const stamp = Date.parse(response.headers.get('date') ?? '');
    if (Number.isFinite(stamp)) {
      call.serverNowMs = Math.min(call.serverNowMs ?? Infinity, stamp);
      // The header has whole seconds, cut off.
      offset.set(offsetOf({ sentAtMs, receivedAtMs, theirsMs: stamp + 500, errorMs: 500 }));
    }
    admission.learn(response, url, countedSpan({ sentAtMs, receivedAtMs }, offset.get()));
    checkResponse(rules, guard, clock, response, url);
    return response;
  }

  return {
    close: http.close,
    clockOffset: offset.get,
    budgets: admission.budgets,
    limits: admission.limits,
    assume: admission.assume,
    async send(url: URL, call: Call, form: RequestForm): Promise<HttpResponse> {
      await admission.admit(url, call);
      try {
        const response = await exchange(url, call, form);
        guard.succeeded();
        return response;
      } catch (error) {
        if (error instanceof UpstreamError) report(guard, error.failure);
        throw error;
      }
    },
  };
}

function report(guard: Guard, failure: UpstreamFailure): void {
  switch (failure) {
    case 'unavailable':
    case 'timedOut':
      guard.failed();
      return;
    case 'cancelled':
    case 'tooLate':
      guard.abandoned();
      return;
    case 'symbolUnknown':
    case 'refused':
      guard.succeeded();
      return;
    case 'tooManyHeld':
    case 'budgetUsed':
    case 'rateLimited':
      // The ban covers it.
      return;
  }
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  bytes: Buffer<ArrayBuffer>;
  /** Undefined when the text is no JSON. Without the rows where there are `rows`. */
  body: unknown;
  /** Candle rows extracted from the response when requested and well-formed. */
  rows: KlineRows | undefined;
}

type SentHeaders = Record<string, string>;

/** How the response is read, and extra headers. */
interface RequestForm {
  layout: KlineLayout | undefined;
  headers: SentHeaders | undefined;
}

interface HttpClient {
  /** One GET. @throws UpstreamError without a complete response within `timeoutMs` */
  get: (url: URL, timeoutMs: number, call: Call, form: RequestForm) => Promise<HttpResponse>;
  close: () => Promise<void>;
}

const largestBody = 24 * 1024 * 1024;

function createHttpClient({ exchange, name }: VenueRules, connectTimeoutMs: number): HttpClient {
  const connect = { timeout: connectTimeoutMs };
  const pool = createHttpPool(exchange, { connect, keepAliveTimeout: 20_000, connections: 16 });
  return {
    async get(url, timeoutMs, call, { layout, headers }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
      try {
        const response = await pool.request(url, {
          method: 'GET',
          signal,
          headers: { accept: 'application/json', 'user-agent': 'sextant', ...headers },
        });
        const bytes = await readBytes(name, response.body);
        const rows = layout === undefined ? undefined : cutKlineRows(bytes, layout);
        const body = parse(rows?.rest ?? bytes.toString('utf8'));
        return { status: response.statusCode, headers: headersOf(response.headers), bytes, body, rows };
      } catch (error) {
        if (call.signal?.aborted === true) throw cancelled(name);
        if (timeout.aborted) throw timedOut(name);
        if (error instanceof UpstreamError) throw error;
        throw new UpstreamError('unavailable', `${name} could not be reached.`);
      }
    },
    close: pool.close,
  };
}

function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) if (value !== undefined) headers.set(name, String(value));
  return headers;
}

async function readBytes(name: string, body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestBody) throw new UpstreamError('unavailable', `${name} sent too large a response.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const longestBanMs = 3 * 86_400_000;
/** A region block does not expire; further requests would look like an attempt to get around it. */
export const REGION_QUIET_MS = 600_000;

/** Passes valid responses and throws a typed error for all others; a rate limit starts a ban. @throws UpstreamError */
function checkResponse(
  rules: VenueRules,
  guard: Guard,
  clock: Pick<Clock, 'now'>,
  response: HttpResponse,
  url: URL,
): void {
  const { status, headers, body } = response;
  if (isRegionBlock(rules, response)) {
    guard.ban(clock.now() + REGION_QUIET_MS, 'region');
    throw regionRejection(rules.name, REGION_QUIET_MS);
  }
  const verdict = rules.judge(status, body, url.pathname, url.searchParams);
  if (status === 429 || status === 418 || status === 403 || verdict.kind === 'rateLimited') {
    const quietMs = retryAfterMs(headers, clock.now()) ?? bannedForMs(response, clock.now()) ?? rules.quietMs(status);
    guard.ban(clock.now() + quietMs);
    throw new UpstreamError('rateLimited', `${rules.name} limits our requests (HTTP ${status}).`, quietMs);
  }
  switch (verdict.kind) {
    case 'good':
      return;
    case 'symbolUnknown':
      throw new UpstreamError('symbolUnknown', `${rules.name} does not trade this symbol.`);
    case 'refused':
      throw new UpstreamError('refused', `${rules.name} rejected the request: ${verdict.detail}.`);
    case 'broken':
      throw new UpstreamError('unavailable', `${rules.name} sent a faulty response (${verdict.detail}).`);
  }
}

/**
 * How exchanges block a country: Binance with 451 and a message, Bybit's CloudFront with 403 and a page (both seen in public reports of
 * 2026), Bybit itself with 10024, "Compliance rules triggered" (ccxt 4.5.84, `exceptions` in js/src/bybit.js), and 10009. A 403 of Bybit
 * is a region block unless it says that requests were too frequent; a 403 of another exchange is a rate limit unless it has such words.
 */
const regionWords = /block access from your country|restricted (location|region|jurisdiction)/i;
const bybitRegionCodes: readonly unknown[] = [10009, 10024];
const tooOften = /too frequent|too many|rate limit/i;

function isRegionBlock(rules: VenueRules, { status, body, bytes }: HttpResponse): boolean {
  if (status === 451) return true;
  const isBybit = rules.exchange === 'bybit';
  if (isBybit && typeof body === 'object' && body !== null && 'retCode' in body) {
    if (bybitRegionCodes.includes(body.retCode)) return true;
  }
  if (status !== 403) return false;
  const text = bytes.subarray(0, explanationBytesMax).toString('utf8');
  return regionWords.test(text) || (isBybit && !tooOften.test(text));
}

const explanationBytesMax = 4096;

/** Binance states the end of a ban only in the message: `IP(1.2.3.4) banned until 1774784983833.` in epoch ms. */
function bannedForMs({ body }: HttpResponse, nowMs: number): number | undefined {
  const message = typeof body === 'object' && body !== null && 'msg' in body ? String(body.msg) : '';
  const until = /banned until (\d{13})\b/.exec(message)?.[1];
  if (until === undefined) return undefined;
  return Math.min(longestBanMs, Math.max(1000, Number(until) - nowMs));
}

/** Retry-After as seconds or as a date, limited to between one second and three days, the longest documented ban. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after');
  if (value === null || value.trim() === '') return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.min(longestBanMs, Math.max(1000, ms)) : undefined;
}
