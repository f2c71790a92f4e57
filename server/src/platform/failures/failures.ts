/** How long the service reports itself as degraded after an unexpected error. */
export const RECENT_MS = 10 * 60_000;

/** Uncaught errors of this process. */
export interface Failures {
  /** Counts and logs one error. Never throws: no handler would catch it. */
  record: (error: unknown, origin: string) => void;
  /** Number since the process started. */
  count: () => number;
  /** True for ten minutes after the last error. */
  isRecent: () => boolean;
}

export interface FailuresOptions {
  /** Logs an error; may throw. */
  log: (error: unknown, origin: string) => void;
  /** A monotonic clock in milliseconds. */
  nowMs?: () => number;
}

export function createFailures({ log, nowMs = () => performance.now() }: FailuresOptions): Failures {
  let count = 0;
  let lastAtMs = -Infinity;
  return {
    record: (error, origin) => {
      count += 1;
      lastAtMs = nowMs();
      try {
        log(error, origin);
      } catch {
        // A log that cannot be written must not end the process either; the count still shows the failure.
      }
    },
    count: () => count,
    isRecent: () => nowMs() - lastAtMs < RECENT_MS,
  };
}

/** The terminal or pipe behind stdout was closed: reporting that would fail the same way. */
const isClosedOutput = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EPIPE' &&
  'syscall' in error &&
  error.syscall === 'write';

/**
 * Keeps the process alive after an error in a timer, an event handler or a callback, and after an unhandled rejection. Why this
 * is safe: docs/adr/0013-an-error-never-ends-the-process.md.
 * @returns removes the handlers
 */
export function guardProcess(failures: Pick<Failures, 'record'>): () => void {
  const onException = (error: unknown, origin: string): void => {
    if (!isClosedOutput(error)) failures.record(error, origin);
  };
  const onRejection = (reason: unknown): void => {
    if (!isClosedOutput(reason)) failures.record(reason, 'unhandledRejection');
  };
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}
