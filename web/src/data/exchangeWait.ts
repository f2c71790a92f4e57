import { proxy } from 'valtio';
import { exchangeName } from '../format/names.ts';
import { formatMoment } from '../format/time.ts';
import { ApiFailure, WordedError } from '../api/failure.ts';
import { serverClock } from '../api/serverClock.ts';
import { timeZoneState } from '../state/timeZone.ts';

/** Requests that wait for a rate-limit slot, at an exchange or at the server, and are repeated when it is free. */

/** The server reports any wait longer than this instead of holding the request (RFC 7240). */
export const patientHeaders = { prefer: 'wait=2' } as const;

/** Longest single wait, and longest wait of one request. */
const WAIT_MAX_S = 60;
const WAITED_MAX_MS = 180_000;

const rateCodes: ReadonlySet<string> = new Set(['rate_limited', 'upstream_rate_limited']);

interface Wait {
  /** Null: the server's own rate limit. */
  exchange: string | null;
  /** When the request is sent again, epoch ms of the server's clock. */
  untilMs: number;
}

export const exchangeWaits = proxy<{ waits: Wait[] }>({ waits: [] });

/** `Binance`, or `the server`. */
export const nameOfWait = (exchange: Wait['exchange']): string =>
  exchange === null ? 'the server' : exchangeName(exchange);

/** There was no slot for too long. Final: the text says when to try again. */
export class ExchangeBusy extends WordedError {}

function busy(exchange: Wait['exchange'], waitS: number): ExchangeBusy {
  const name = nameOfWait(exchange).replace(/^the/, 'The');
  const [at] = formatMoment(serverClock.now() + waitS * 1000, timeZoneState.current.zone, true);
  return new ExchangeBusy(`${name} is busy. Try again at ${at}.`);
}

/**
 * Sends a request again after each failure that `wait` accepts.
 * @param wait throws where waiting does not help; `isTooLong` adds up the waits and returns whether a limit is exceeded
 */
async function sendAgain<T>(
  send: () => Promise<T>,
  wait: (failure: ApiFailure, isTooLong: (waitS: number) => boolean) => Promise<void>,
): Promise<T> {
  let waitedMs = 0;
  const isTooLong = (waitS: number): boolean => {
    waitedMs += waitS * 1000;
    return waitS > WAIT_MAX_S || waitedMs > WAITED_MAX_MS;
  };
  for (;;) {
    try {
      return await send();
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure;
      await wait(failure, isTooLong);
    }
  }
}

/**
 * Sends a request, and repeats it after each wait for the exchange.
 * @throws what `send` throws; ExchangeBusy after three minutes or for a wait above one; AbortError when cancelled
 */
export const waitForExchange = <T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  sendAgain(send, async (failure, isTooLong) => {
    const { exchange, retryAfterS } = failure;
    if (exchange === undefined || retryAfterS === undefined) throw failure;
    if (isTooLong(retryAfterS)) throw busy(exchange, retryAfterS);
    await waitShown(exchange, retryAfterS, signal);
  });

/**
 * Sends a request, and repeats it after each rejection by the server's own rate limit: a long history needs more requests than a minute
 * allows, and several visitors of one network may open a shared link at once.
 * @throws what `send` throws; ExchangeBusy after three minutes or for a wait above one; AbortError when cancelled
 */
export const waitForRate = <T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  sendAgain(send, async (failure, isTooLong) => {
    const { code, retryAfterS } = failure;
    if (!rateCodes.has(code) || retryAfterS === undefined) throw failure;
    if (isTooLong(retryAfterS)) throw busy(null, retryAfterS);
    await waitShown(null, retryAfterS, signal);
  });

async function waitShown(exchange: Wait['exchange'], waitS: number, signal: AbortSignal | undefined): Promise<void> {
  const wait = { exchange, untilMs: serverClock.now() + waitS * 1000 };
  exchangeWaits.waits.push(wait);
  try {
    await pause(waitS * 1000, signal);
  } finally {
    const at = exchangeWaits.waits.findIndex((each) => each.untilMs === wait.untilMs && each.exchange === exchange);
    exchangeWaits.waits.splice(at, 1);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
