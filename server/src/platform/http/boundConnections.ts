import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from '../limits/clientKey.ts';

export interface ConnectionRules {
  /** Connections of one network at once; undefined behind a proxy, from which all of them come. */
  perNetworkMax: number | undefined;
  /** How long a connection may stay open without a first request. */
  silentMs: number;
}

/**
 * Cuts connections that never ask for anything, and those of a network that has too many. Node's own timeouts begin with the first
 * byte of a request or end a minute later.
 */
export function boundConnections(server: Server, { perNetworkMax, silentMs }: ConnectionRules): void {
  const countOf = new Map<string, number>();
  const silent = new Map<Socket, NodeJS.Timeout>();
  const hear = (socket: Socket): void => {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    const key = clientKey(socket.remoteAddress ?? '');
    const count = (countOf.get(key) ?? 0) + 1;
    countOf.set(key, count);
    silent.set(
      socket,
      setTimeout(() => socket.destroy(), silentMs),
    );
    socket.once('close', () => {
      hear(socket);
      const left = (countOf.get(key) ?? 1) - 1;
      if (left === 0) countOf.delete(key);
      else countOf.set(key, left);
    });
    if (perNetworkMax !== undefined && count > perNetworkMax) socket.destroy();
  });
  server.on('request', (request) => hear(request.socket));
}
