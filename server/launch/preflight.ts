import { createServer } from 'node:net';
import { StartError } from './startError.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use; stop the other program or set PORT to a free one',
  EACCES: 'may not be used by this user; set PORT to 1024 or above',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST to one',
  ENOTFOUND: 'is not an address of this machine; set HOST to one',
};

/** Finds out before anything heavy is started. */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      fail(
        new StartError(`${host}:${port} ${reasons[error.code ?? ''] ?? `cannot be listened on (${error.message})`}`),
      );
    });
    server.listen(port, host, () => server.close(() => done()));
  });
}
