import { Agent, get } from 'node:http';

export interface EventReader {
  /** Time of the next event of this name, `performance.now()`; one that came since the last call counts. */
  next: (name: string) => Promise<number>;
  close: () => void;
}

/** Reads a stream of server-sent events as a page does; resolves once it is open. */
export function readEvents(url: string, token: string): Promise<EventReader> {
  const agent = new Agent({ keepAlive: false });
  const came = new Map<string, number>();
  const waiting = new Map<string, (atMs: number) => void>();
  const take = (name: string): void => {
    const atMs = performance.now();
    const resolve = waiting.get(name);
    if (resolve === undefined) {
      came.set(name, atMs);
      return;
    }
    waiting.delete(name);
    resolve(atMs);
  };
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const sent = get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`the stream got status ${response.statusCode}`));
        return;
      }
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('event: ')) take(line.slice('event: '.length));
      });
      resolve({
        next: (name) => {
          const atMs = came.get(name);
          came.delete(name);
          return atMs === undefined ? new Promise((report) => waiting.set(name, report)) : Promise.resolve(atMs);
        },
        close: () => {
          response.destroy();
          agent.destroy();
        },
      });
    });
    sent.on('error', reject);
  });
}
