import { AsyncLocalStorage } from 'node:async_hooks';

const calls = new AsyncLocalStorage<{ cause: unknown }>();

/** What the library would log. It answers every failure inside with the same words; the reason is only told here. */
export function noteFailure(_level: string, _message: string, ...details: unknown[]): void {
  const call = calls.getStore();
  if (call !== undefined) call.cause ??= details.find((detail) => detail instanceof Error);
}

/** Runs a call of the library. When it fails because something inside did, rejects with that: a database that is away stays one. */
export async function withCause<T>(call: () => Promise<T>): Promise<T> {
  const noted: { cause: unknown } = { cause: undefined };
  try {
    return await calls.run(noted, call);
  } catch (error) {
    throw noted.cause ?? error;
  }
}
