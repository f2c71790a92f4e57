import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { beginEventStream, eventText } from '../../platform/events/eventStream.ts';
import type { App } from '../../platform/http/app.ts';

/** One open connection, whatever carries it. */
export interface Transport {
  /** `data` is JSON text. */
  send: (event: string, data: string, id?: string) => void;
  /** Bytes the reader has not taken yet. */
  waitingBytes: () => number;
  /** Keeps the connection in use. False when the other side is gone. */
  beat: () => boolean;
  /** Ends after what was sent; cuts a reader that does not take it. */
  end: () => void;
}

export interface TransportEvents {
  onOpen: (transport: Transport) => void;
  /** The reader has taken what waited. */
  onDrain: () => void;
  /** Once, however it ends. */
  onClose: () => void;
}

/** A reader that does not take its last event is cut after this. */
const endMs = 30_000;

export function openSse(reply: FastifyReply, { onOpen, onDrain, onClose }: TransportEvents): void {
  const raw = beginEventStream(reply, onClose);
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
      // No answer to the ping before: nothing is there any more.
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

/** What a reader may send in a minute. It has nothing to say: this leaves room for its pings and for a close. */
const incomingMax = { messages: 60, bytes: 16 * 1024, windowMs: 60_000 } as const;
const policyViolation = 1008;
const closeMs = 1000;

/** Closes a socket whose reader sends more than `incomingMax`. Bytes count too: a message in a million empty parts never ends. */
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
    socket.close(policyViolation, 'Too many messages. This stream only sends.');
    // Nothing more is read: an answer to the close may lie behind all that was sent.
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
 * Lets requests for a WebSocket pass through the same hooks and routes as all others, so that one place judges keys. A route that
 * takes the upgrade opens the socket; any other answers as it does without one, and the connection ends.
 */
export function routeUpgrades(app: App): Upgrades {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  // Readers only read: a message of theirs is not kept.
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node takes its own listener away with the upgrade; without one a reset is an uncaught exception.
    socket.on('error', () => socket.destroy());
    // Node tells of an upgrade instead of a request: the clock of silent connections has to hear it.
    app.server.emit('heard', socket);
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
      if (upgrade === undefined) throw new Error('no upgrade was asked for');
      reply.hijack();
      const { socket, head, response } = upgrade;
      response.detachSocket(socket as Parameters<ServerResponse['detachSocket']>[0]);
      // Of the connection itself: a handshake that fails opens nothing and closes it.
      if (socket.destroyed) queueMicrotask(onClose);
      else socket.once('close', onClose);
      server.handleUpgrade(request.raw, socket, head, (opened) => {
        boundIncoming(opened, socket);
        onOpen(socketTransport(opened, onDrain));
      });
    },
  };
}
