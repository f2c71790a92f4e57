import type { AddressInfo } from 'node:net';
import type { App } from '../../src/platform/http/app.ts';

export interface ReadEvent {
  id?: string;
  event: string;
  data: Record<string, unknown>;
}

export interface EventReader {
  status: number;
  headers: Headers;
  /** All events received so far. */
  events: ReadEvent[];
  /** Names of the events so far, without prices. */
  names: () => string[];
  lastId: () => string | undefined;
  isEnded: () => boolean;
  /** Disconnects, as a closed page does. */
  close: () => void;
}

export async function listenOn(app: App): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

function parse(block: string): ReadEvent | undefined {
  const fields = Object.fromEntries(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  ) as Record<string, string>;
  if (fields['event'] === undefined) return undefined;
  return {
    event: fields['event'],
    data: JSON.parse(fields['data'] ?? '{}') as Record<string, unknown>,
    ...(fields['id'] === undefined ? {} : { id: fields['id'] }),
  };
}

/** Reads a stream of server-sent events with an independent, minimal parser. */
export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const events: ReadEvent[] = [];
  let isEnded = response.body === null;
  async function read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parse(block);
        if (event !== undefined) events.push(event);
      }
    }
  }
  if (response.status === 200 && response.body !== null) {
    read(response.body)
      .catch(() => undefined)
      .finally(() => (isEnded = true));
  }
  return {
    status: response.status,
    headers: response.headers,
    events,
    names: () => events.map(({ event }) => event).filter((event) => event !== 'prices'),
    lastId: () => events.findLast(({ id }) => id !== undefined)?.id,
    isEnded: () => isEnded,
    close: () => leaving.abort(),
  };
}
