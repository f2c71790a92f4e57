import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type { App } from './http/app.ts';

/** Called with the work that is done and the whole of it, in the same unit. */
export type OnProgress = (done: number, total: number) => void;

const listeners = new AsyncLocalStorage<OnProgress>();
const byRequest = new WeakMap<FastifyRequest, OnProgress>();

/** Makes a call inside this process; long work of its route reports progress to the listener. */
export const listenToProgress = <T>(listener: OnProgress | undefined, call: () => T): T =>
  listener === undefined ? call() : listeners.run(listener, call);

/** Notes the listener of each request. Call before the first hook that reads a database: its callbacks lose the context of the call. */
export function addCallProgress(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const listener = listeners.getStore();
    if (listener !== undefined) byRequest.set(request, listener);
    done();
  });
}

/** The listener of a request that was made inside this process. */
export const progressListener = (request: FastifyRequest): OnProgress | undefined => byRequest.get(request);
