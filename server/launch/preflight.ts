import { createServer } from 'node:net';
import { type EarlyServer, listenEarly } from '../src/platform/http/earlyServer.ts';
import { StartError } from './startError.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use; stop the other program or set PORT to a free one',
  EACCES: 'may not be used by this user; set PORT to 1024 or above',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST to one',
  ENOTFOUND: 'is not an address of this machine; set HOST to one',
};

const portError = (host: string, port: number, { code = '', message }: NodeJS.ErrnoException): StartError =>
  new StartError(`${host}:${port} ${reasons[code] ?? `cannot be listened on (${message})`}`);

/** Finds out before anything heavy is started. */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      fail(portError(host, port, error));
    });
    server.listen(port, host, () => server.close(() => done()));
  });
}

/** Binds the port before anything heavy starts, and responds that the server is starting. */
export async function takePort(host: string, port: number): Promise<EarlyServer> {
  try {
    return await listenEarly(host, port);
  } catch (error) {
    throw portError(host, port, error as NodeJS.ErrnoException);
  }
}
