import { AsyncLocalStorage } from 'node:async_hooks';

const calls = new AsyncLocalStorage<{ cause: unknown }>();

/** Captures the log of the library: it returns the same error for every internal failure and only logs the cause. */
export function noteFailure(_level: string, _message: string, ...details: unknown[]): void {
  const call = calls.getStore();
  if (call !== undefined) call.cause ??= details.find((detail) => detail instanceof Error);
}

/** Runs a library call. Rejects with the internal cause of a failure, so that database outages stay recognisable. */
export async function withCause<T>(call: () => Promise<T>): Promise<T> {
  const noted: { cause: unknown } = { cause: undefined };
  try {
    return await calls.run(noted, call);
  } catch (error) {
    throw noted.cause ?? error;
  }
}
