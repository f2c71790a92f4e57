import { Worker } from 'node:worker_threads';
import { setTimeout as pause } from 'node:timers/promises';
import type { WatchFigures } from './features/status/metrics/watchFigures.ts';
import type { Failures } from './platform/failures/failures.ts';
import type { WatchThreadData, WatchThreadMessage } from './watchThread.ts';

export interface WatchThreadOptions {
  data: WatchThreadData;
  failures: Pick<Failures, 'record'>;
  warn: (text: string, error: unknown) => void;
  /** Called with the figures of the thread every few seconds. */
  onFigures: (figures: WatchFigures) => void;
}

export interface WatchThread {
  /** Resolves when the first claim has completed, successful or not. */
  attempted: Promise<undefined>;
  /** Ends the term, releases the lease and ends the thread. */
  close: () => Promise<void>;
}

const restartMs = 1000;
/** Time for the watch to write its decisions before it ends. */
const closeMs = 8000;

/** Runs the position watch in a thread of this process. Restarts the thread when it exits unexpectedly. */
export function startWatchThread({ data, failures, warn, onFigures }: WatchThreadOptions): WatchThread {
  const requested = Promise.withResolvers<undefined>();
  let isClosing = false;
  let worker: Worker | undefined;
  let ended: Promise<void> = Promise.resolve();
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    const started = new Worker(new URL('./watchThread.ts', import.meta.url), { workerData: data });
    worker = started;
    started.on('message', (message: WatchThreadMessage) => {
      if (message.kind === 'claimed') requested.resolve(undefined);
      else if (message.kind === 'figures') onFigures(message.figures);
      else if (message.kind === 'warning') warn(message.text, message.error);
      else failures.record(message.error, `watch thread, ${message.origin}`);
    });
    started.on('error', (error) => failures.record(error, 'watch thread'));
    ended = new Promise((resolve) => {
      started.once('exit', () => {
        resolve();
        // The server starts even if the watch cannot run: health reports that no node leads.
        requested.resolve(undefined);
        if (isClosing) return;
        restart = setTimeout(start, restartMs);
      });
    });
  }

  start();
  return {
    attempted: requested.promise,
    async close() {
      isClosing = true;
      clearTimeout(restart);
      worker?.postMessage('close');
      await Promise.race([ended, pause(closeMs, undefined, { ref: false })]);
      await worker?.terminate();
    },
  };
}
