import { proxy } from 'valtio';
import { ApiFailure } from '../../api/failure.ts';

/** Requests that are repeated when the rate limit of the account or of the exchange allows it. */

const RETRIES_MAX = 8;
/** Whose requests are too many: this account's, or all of ours at the exchange. */
const waitedFor: readonly string[] = ['rate_limited', 'upstream_rate_limited'];
/** An exchange that bans us for longer is told, not waited for. */
const WAIT_MAX_S = 60;

/** When each waiting request is sent again, epoch ms. */
export const exchangeWaits = proxy<{ untilMs: number[] }>({ untilMs: [] });

/** Asks, and waits as long as the server says when that is too much for one minute. @throws what `ask` throws, AbortError when cancelled */
export async function askPatiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (failure) {
      const isWaited = failure instanceof ApiFailure && waitedFor.includes(failure.code);
      const waitS = isWaited ? failure.retryAfterS : undefined;
      if (waitS === undefined || waitS > WAIT_MAX_S || tries >= RETRIES_MAX) throw failure;
      const untilMs = Date.now() + waitS * 1000;
      exchangeWaits.untilMs.push(untilMs);
      try {
        await pause(waitS * 1000, signal);
      } finally {
        exchangeWaits.untilMs.splice(exchangeWaits.untilMs.indexOf(untilMs), 1);
      }
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
