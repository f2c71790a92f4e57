/** How long after an unexpected error the service calls itself degraded. */
export const RECENT_MS = 10 * 60_000;

/** Errors that no handler caught, of this process. */
export interface Failures {
  /** Counts and logs one. Never throws: it runs where nothing else would catch it. */
  record: (error: unknown, origin: string) => void;
  /** Since the process started. */
  count: () => number;
  /** True for ten minutes after the last one. */
  isRecent: () => boolean;
}

export interface FailuresOptions {
  /** Where each one is logged; may fail. */
  log: (error: unknown, origin: string) => void;
  /** A clock in milliseconds that does not go back. */
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

/** The terminal or pipe behind stdout was closed: reporting that would fail in the same way. */
const isClosedOutput = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EPIPE' &&
  'syscall' in error &&
  error.syscall === 'write';

/**
 * Keeps the process alive after an error in a timer, an event handler or a callback, and after an unhandled rejection. Why going
 * on is safe here: docs/adr/0013-an-error-never-ends-the-process.md.
 * @returns stops it
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
