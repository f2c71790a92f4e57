import { AsyncLocalStorage } from 'node:async_hooks';
import type { KlineLayout } from '@sextant/workers/src/wire/klineRows.ts';
import type { VenueState } from '../../features/market/port.ts';
import { createAdmission } from './admission.ts';
import { type Call, cancelled, timedOut } from './call.ts';
import type { Clock } from './clock.ts';
import { createGuard, type Guard } from './guard.ts';
import { createHttpClient, type HttpAnswer } from './httpClient.ts';
import type { VenueRules } from './rules.ts';
import { UpstreamError, type UpstreamFailure } from './upstreamError.ts';
import { checkAnswer } from './verdict.ts';

export interface Transport {
  /** The fetch function given to ccxt. */
  fetch: (url: string) => Promise<Response>;
  /** The parsed body of a good answer to a path with query. @throws UpstreamError */
  getJson: (pathAndQuery: string) => Promise<unknown>;
  /** A good answer to a question for candles. @throws UpstreamError */
  getRows: (pathAndQuery: string, layout: KlineLayout) => Promise<Pick<HttpAnswer, 'body' | 'rows'>>;
  /** Runs `work` as one call with a deadline; requests inside share it. @throws UpstreamError */
  call: <T>(signal: AbortSignal | undefined, work: (call: Call) => Promise<T>) => Promise<T>;
  state: () => VenueState;
  /** Bans apply to our address, so every other client of the exchange obeys them too. */
  guard: Guard;
  close: () => Promise<void>;
}

export interface TransportOptions {
  rules: VenueRules;
  /** Origin of every request, whatever host ccxt has in mind. */
  baseUrl: string;
  clock: Clock;
  /** Longest single request. */
  requestTimeoutMs: number;
  /** Longest call, waiting and repeats included. */
  callDeadlineMs: number;
}

const repeatAfterMs = 250;

/**
 * The only way out to an exchange. Every request passes the ban and breaker guard, the weight budget and a deadline; every answer
 * must be JSON in the exchange's envelope. What ccxt gets to see is a good answer, because it reads an HTML page with status 200
 * as candles made of nulls and keeps the length of a ban in a field that overlapping calls overwrite.
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

  /** One repeat of what failed by accident: all questions here only read. */
  async function ask(address: string, layout?: KlineLayout): Promise<HttpAnswer> {
    const { pathname, search } = new URL(address, baseUrl);
    const url = new URL(pathname + search, baseUrl);
    const call = calls.getStore() ?? newCall(undefined);
    try {
      return await sender.send(url, call, layout);
    } catch (error) {
      const isAccident =
        error instanceof UpstreamError && error.failure === 'unavailable' && error.retryAfterMs === undefined;
      if (!isAccident || clock.now() + repeatAfterMs >= call.deadlineMs) throw error;
      await clock.sleep(repeatAfterMs, call.signal).catch(() => {
        throw cancelled(rules.name);
      });
      return sender.send(url, call, layout);
    }
  }

  return {
    fetch: async (address) => {
      const { status, headers, bytes } = await ask(address);
      // The body is plain text by now: the length and encoding of the original would be wrong for it.
      headers.delete('content-encoding');
      headers.delete('content-length');
      return new Response(bytes, { status, headers });
    },
    getJson: async (pathAndQuery) => (await ask(pathAndQuery)).body,
    getRows: ask,
    call(signal, work) {
      const call = newCall(signal);
      return calls.run(call, () => work(call));
    },
    state: () => guard.state(),
    guard,
    close: () => sender.close(),
  };
}

/** Sends one request through the door and tells the guard how it went. */
function createSender({ rules, clock, requestTimeoutMs }: TransportOptions, guard: Guard) {
  const admission = createAdmission(rules, guard, clock);
  const http = createHttpClient(rules.name, requestTimeoutMs);

  async function exchange(url: URL, call: Call, layout: KlineLayout | undefined): Promise<HttpAnswer> {
    const timeoutMs = Math.min(requestTimeoutMs, call.deadlineMs - clock.now());
    if (timeoutMs <= 0) throw timedOut(rules.name);
    const answer = await http.get(url, timeoutMs, call, layout);
    admission.learn(answer.headers);
    const stamp = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isFinite(stamp)) call.serverNowMs = Math.min(call.serverNowMs ?? Infinity, stamp);
    checkAnswer(rules, guard, clock, answer, url);
    return answer;
  }

  return {
    close: http.close,
    async send(url: URL, call: Call, layout: KlineLayout | undefined): Promise<HttpAnswer> {
      await admission.admit(url, call);
      try {
        const answer = await exchange(url, call, layout);
        guard.succeeded();
        return answer;
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
      guard.abandoned();
      return;
    case 'symbolUnknown':
    case 'refused':
      guard.succeeded();
      return;
    case 'rateLimited':
      // The ban says it all.
      return;
  }
}
