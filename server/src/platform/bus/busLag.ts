import { randomBytes } from 'node:crypto';
import type { Bus } from './port.ts';

export interface BusLag {
  /** Milliseconds from sending a ping to receiving it; of one under way, at least those it has taken. Undefined while the bus is down. */
  lagMs: () => number | undefined;
  close: () => void;
}

const pingMsUsual = 20_000;

/** Measures how late messages are, by pings that this node sends to itself on the way of all messages. */
export function createBusLag(bus: Pick<Bus, 'publish' | 'subscribe' | 'isUp'>, pingMs = pingMsUsual): BusLag {
  const subject = `lag.${randomBytes(6).toString('hex')}`;
  let index = 0;
  let sentMs: number | undefined;
  let lastMs: number | undefined;
  const unsubscribe = bus.subscribe(subject, {
    onMessage({ body }) {
      if (sentMs === undefined || body !== String(index)) return;
      lastMs = performance.now() - sentMs;
      sentMs = undefined;
    },
    // A ping that was lost in the gap says nothing.
    onGap() {
      sentMs = undefined;
    },
  });
  const ping = (): void => {
    if (!bus.isUp()) return;
    if (sentMs === undefined) {
      index += 1;
      sentMs = performance.now();
    }
    bus.publish([{ subject, body: String(index) }]);
  };
  const timer = setInterval(ping, pingMs).unref();
  // The bus may not be up yet.
  const first = setTimeout(ping, 1000).unref();
  return {
    lagMs() {
      if (!bus.isUp()) return undefined;
      return sentMs === undefined ? lastMs : Math.max(lastMs ?? 0, performance.now() - sentMs);
    },
    close() {
      clearInterval(timer);
      clearTimeout(first);
      unsubscribe();
    },
  };
}
