import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { startEventStream, eventText } from '../../platform/events/eventStream.ts';
import type { App } from '../../platform/http/app.ts';

/** One open connection, independent of the transport. */
export interface Transport {
  /** `data` is JSON text. */
  send: (event: string, data: string, id?: string) => void;
  /** Bytes the client has not received yet. */
  waitingBytes: () => number;
  /** Sends a heartbeat. False when the client is gone. */
  beat: () => boolean;
  /** Ends after pending data is sent; disconnects a client that does not receive it. */
  end: () => void;
}

export interface TransportEvents {
  onOpen: (transport: Transport) => void;
  /** The client has received the buffered data. */
  onDrain: () => void;
  /** Called once, however it ends. */
  onClose: () => void;
}

/** A client that does not receive its last event is disconnected after this. */
const endMs = 30_000;

export function openSse(reply: FastifyReply, { onOpen, onDrain, onClose }: TransportEvents): void {
  const raw = startEventStream(reply, onClose);
  raw.on('drain', onDrain);
  const isOpen = (): boolean => !raw.destroyed && !raw.writableEnded;
  onOpen({
    send: (event, data, id) => {
      if (isOpen()) raw.write(eventText(event, data, id));
    },
    waitingBytes: () => raw.writableLength,
    beat: isOpen,
    end: () => {
      if (!isOpen()) return;
      raw.end();
      setTimeout(() => raw.destroy(), endMs).unref();
    },
  });
}

function socketTransport(socket: WebSocket, onDrain: () => void): Transport {
  let isAlive = true;
  socket.on('error', () => socket.terminate());
  socket.on('pong', () => (isAlive = true));
  return {
    send: (event, data, id) => {
      if (socket.readyState !== socket.OPEN) return;
      const before = id === undefined ? '' : `"id":"${id}",`;
      socket.send(`{${before}"event":"${event}","data":${data}}`, () => onDrain());
    },
    waitingBytes: () => socket.bufferedAmount,
    beat: () => {
      // No pong for the previous ping: the client is gone.
      if (!isAlive) socket.terminate();
      const wasAlive = isAlive;
      isAlive = false;
      if (wasAlive) socket.ping();
      return wasAlive;
    },
    end: () => {
      socket.close(1000);
      setTimeout(() => socket.terminate(), endMs).unref();
    },
  };
}

/** Messages per minute from a client. The protocol has none: this allows pings and a close. */
const incomingMax = { messages: 60, bytes: 16 * 1024, windowMs: 60_000 } as const;
const policyViolation = 1008;
const closeMs = 1000;

/** Closes a socket whose client sends more than `incomingMax`. Bytes count too: a message in a million empty fragments never ends. */
function boundIncoming(socket: WebSocket, raw: Duplex): void {
  let messages = 0;
  let bytes = 0;
  let endsMs = performance.now() + incomingMax.windowMs;
  let isClosing = false;
  function note(messageCount: number, byteCount: number): void {
    if (performance.now() > endsMs) {
      messages = 0;
      bytes = 0;
      endsMs = performance.now() + incomingMax.windowMs;
    }
    messages += messageCount;
    bytes += byteCount;
    if (isClosing || (messages <= incomingMax.messages && bytes <= incomingMax.bytes)) return;
    isClosing = true;
    socket.close(policyViolation, 'Too many messages. This stream is send-only.');
    // Stops reading: the close frame of the client may be behind everything else it sent.
    socket.pause();
    setTimeout(() => socket.terminate(), closeMs).unref();
  }
  for (const kind of ['message', 'ping', 'pong'] as const) socket.on(kind, () => note(1, 0));
  raw.on('data', (chunk: Buffer) => note(0, chunk.length));
}

interface Upgrade {
  socket: Duplex;
  head: Buffer;
  response: ServerResponse;
}

export interface Upgrades {
  isUpgrade: (request: FastifyRequest) => boolean;
  open: (request: FastifyRequest, reply: FastifyReply, events: TransportEvents) => void;
}

/**
 * Routes WebSocket requests through the same hooks and routes as all others, so that one place checks keys. A route that accepts the
 * upgrade opens the socket; any other sends its normal response, and the connection ends.
 */
export function routeUpgrades(app: App): Upgrades {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  // Clients only receive: their messages are not buffered.
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node removes its own listener on an upgrade; without one a reset is an uncaught exception.
    socket.on('error', () => socket.destroy());
    // Node emits an upgrade instead of a request: the timer for silent connections needs the event.
    app.server.emit('active', socket);
    const response = new ServerResponse(request);
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    response.once('finish', () => socket.end());
    upgrades.set(request, { socket, head, response });
    app.routing(request, response);
  };
  app.server.on('upgrade', onUpgrade);
  app.addHook('onClose', (_app, done) => {
    app.server.off('upgrade', onUpgrade);
    server.close();
    done();
  });
  return {
    isUpgrade: (request) => upgrades.has(request.raw) && request.headers.upgrade?.toLowerCase() === 'websocket',
    open(request, reply, { onOpen, onDrain, onClose }) {
      const upgrade = upgrades.get(request.raw);
      if (upgrade === undefined) throw new Error('no upgrade was requested');
      reply.hijack();
      const { socket, head, response } = upgrade;
      response.detachSocket(socket as Parameters<ServerResponse['detachSocket']>[0]);
      // On the connection itself: a failed handshake opens nothing and closes it.
      if (socket.destroyed) queueMicrotask(onClose);
      else socket.once('close', onClose);
      server.handleUpgrade(request.raw, socket, head, (opened) => {
        boundIncoming(opened, socket);
        onOpen(socketTransport(opened, onDrain));
      });
    },
  };
}
