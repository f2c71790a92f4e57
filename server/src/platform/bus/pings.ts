import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/** A ping is a notice on the channel that only its sender reads. */
const mark = 'ping ';

export interface Pings {
  /** Pings now and regularly, on a connection that listens. @returns stops it */
  start: (client: pg.Client, onFailure: (error: unknown) => void) => () => void;
  /** Whether the notice is a ping, of any node. */
  take: (payload: string) => boolean;
  /** Milliseconds from sending a ping to receiving it; of one under way, at least those it has taken. Undefined before the first. */
  lagMs: () => number | undefined;
}

/**
 * Pings of a listening connection. A network that drops packets closes no connection: only a response proves that the other side is alive.
 * They travel the way of the notices, behind those that were sent before, so they measure how late these are.
 */
export function createPings(channel: string, pingMs: number): Pings {
  const own = `${mark}${randomBytes(6).toString('hex')} `;
  let index = 0;
  let sentMs: number | undefined;
  let lastMs: number | undefined;
  return {
    start(client, onFailure) {
      const send = (): void => {
        // One that is under way is sent again under its number: its lag grows until it arrives.
        if (sentMs === undefined) {
          index += 1;
          sentMs = performance.now();
        }
        client.query('select pg_notify($1, $2)', [channel, `${own}${index}`]).catch(onFailure);
      };
      const timer = setInterval(send, pingMs);
      send();
      return () => {
        clearInterval(timer);
        sentMs = undefined;
        lastMs = undefined;
      };
    },
    take(payload) {
      if (!payload.startsWith(mark)) return false;
      if (sentMs !== undefined && payload === `${own}${index}`) {
        lastMs = performance.now() - sentMs;
        sentMs = undefined;
      }
      return true;
    },
    lagMs: () => (sentMs === undefined ? lastMs : Math.max(lastMs ?? 0, performance.now() - sentMs)),
  };
}
