import type { Agent, Dispatcher, request } from 'undici';
import { observe } from './observe.ts';
import { once } from './once.ts';

type RequestOptions = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>;

/** Requests to an external service over persistent connections. Redirects are not followed. */
export interface HttpPool {
  request: (url: string | URL, options: RequestOptions) => Promise<Dispatcher.ResponseData<unknown>>;
  /** Resolves when the running requests have ended. */
  close: () => Promise<void>;
  /** Aborts the running requests. */
  destroy: () => Promise<void>;
}

/** A response that says that the service, not the request, has a problem. */
const isFailure = ({ statusCode }: Dispatcher.ResponseData<unknown>): boolean =>
  statusCode >= 500 || statusCode === 429 || statusCode === 418;

/** The client is loaded at the first request to keep the start short. @param service its name in metrics and traces */
export function createHttpPool(service: string, options: Agent.Options): HttpPool {
  const open = once(async () => {
    const undici = await import('undici');
    return { agent: new undici.Agent(options), request: undici.request };
  });
  let isOpen = false;
  return {
    request: async (url, requestOptions) => {
      isOpen = true;
      const { agent, request } = await open();
      return observe({ kind: 'outside', name: service, isFailure }, () =>
        request(url, { ...requestOptions, dispatcher: agent }),
      );
    },
    close: async () => {
      if (isOpen) await (await open()).agent.close();
    },
    destroy: async () => {
      if (isOpen) await (await open()).agent.destroy();
    },
  };
}
