import { randomBytes } from 'node:crypto';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { Bus } from './port.ts';
import { decode, encode } from './wire.ts';

/** `timedOut`: no response by the deadline; `aborted`: the caller left. */
export type RequestFailure = 'timedOut' | 'aborted';

export type RequestResult = Result<unknown, RequestFailure>;

export interface BusRequests {
  /** One response to a request, which is sent again by `repeat`: use it for reads only. */
  send: (body: unknown, options: { deadlineMs: number; signal?: AbortSignal | undefined }) => Promise<RequestResult>;
  /** Sends the open requests again, e.g. when another node responds from now on. */
  repeat: () => void;
  close: () => void;
}

interface Envelope {
  id: number;
  inbox: string;
  body: unknown;
}

/** Requests of this node to the node that responds to a subject. */
export function createBusRequests(bus: Bus, subject: string): BusRequests {
  const inbox = `inbox.${randomBytes(6).toString('hex')}`;
  const open = new Map<number, { text: string; settle: (result: RequestResult) => void }>();
  let lastId = 0;
  const repeat = (): void => bus.publish([...open.values()].map(({ text }) => ({ subject, body: text })));
  const stop = bus.subscribe(inbox, {
    onMessage({ body }) {
      const { id, body: value } = decode(body) as Pick<Envelope, 'id' | 'body'>;
      open.get(id)?.settle(ok(value));
    },
    onGap: repeat,
  });
  return {
    send(body, { deadlineMs, signal }) {
      const id = ++lastId;
      const text = encode({ id, inbox, body } satisfies Envelope);
      return new Promise((resolve) => {
        const settle = (result: RequestResult): void => {
          open.delete(id);
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          resolve(result);
        };
        const onAbort = (): void => settle(failWith('aborted'));
        const timer = setTimeout(() => settle(failWith('timedOut')), deadlineMs);
        open.set(id, { text, settle });
        if (signal?.aborted === true) {
          onAbort();
          return;
        }
        signal?.addEventListener('abort', onAbort, { once: true });
        bus.publish([{ subject, body: text }]);
      });
    },
    repeat,
    close() {
      stop();
      for (const { settle } of open.values()) settle(failWith('aborted'));
    },
  };
}

/** Responds to requests until the result is called. A request that throws gets no response. */
export function respondOnBus(
  bus: Bus,
  subject: string,
  handle: (body: unknown) => Promise<unknown>,
  onError: (error: unknown) => void,
): () => void {
  let isStopped = false;
  const stop = bus.subscribe(subject, {
    onMessage({ body: text }) {
      const { id, inbox, body } = decode(text) as Envelope;
      handle(body)
        .then((value) => {
          if (!isStopped) bus.publish([{ subject: inbox, body: encode({ id, body: value }) }]);
        })
        .catch(onError);
    },
  });
  return () => {
    isStopped = true;
    stop();
  };
}
