import type { Agent, Dispatcher, request } from 'undici';
import { once } from './once.ts';

type RequestOptions = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>;

/** Calls to an outside service over connections that are kept. No redirect is followed. */
export interface HttpPool {
  request: (url: string | URL, options: RequestOptions) => Promise<Dispatcher.ResponseData<unknown>>;
  /** Ends when the calls under way have ended. */
  close: () => Promise<void>;
  /** Ends the calls under way. */
  destroy: () => Promise<void>;
}

/** The client is loaded with the first call: a start does without it. */
export function createHttpPool(options: Agent.Options): HttpPool {
  const open = once(async () => {
    const undici = await import('undici');
    return { agent: new undici.Agent(options), request: undici.request };
  });
  let isOpen = false;
  return {
    request: async (url, requestOptions) => {
      isOpen = true;
      const { agent, request } = await open();
      return request(url, { ...requestOptions, dispatcher: agent });
    },
    close: async () => {
      if (isOpen) await (await open()).agent.close();
    },
    destroy: async () => {
      if (isOpen) await (await open()).agent.destroy();
    },
  };
}
