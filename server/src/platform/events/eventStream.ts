import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

export interface EventStream {
  /** Writes one event. A reader cannot resume from an event without an id. */
  send: (event: string, data: unknown, id?: string) => void;
  /** Writes a comment line, which readers ignore, to keep the connection alive. */
  beat: () => void;
  /** Bytes that are buffered because the reader has not received them yet. */
  waitingBytes: () => number;
  end: () => void;
}

/** A reader this far behind is disconnected to bound our memory; it reconnects and resumes. */
export const waitingMax = 256 * 1024;

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** One event as text. `data` is JSON, which contains no line breaks, so one data line holds it. */
export const eventText = (event: string, data: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;

/**
 * Sends the response head of a stream of server-sent events. Write events to the returned response.
 * @param onClose called once, however the stream ends
 */
export function startEventStream(reply: FastifyReply, onClose: () => void): ServerResponse {
  const { raw } = reply;
  reply.hijack();
  // The reader may have disconnected during authentication: then `close` fires no more.
  if (raw.closed) queueMicrotask(onClose);
  else raw.once('close', onClose);
  raw.on('error', () => undefined);
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    'content-type': eventStreamType,
    'cache-control': 'no-store',
    // A connection whose stream has ended is useless, and a stopping server would wait for it.
    connection: 'close',
    // Proxies buffer small chunks by default.
    'x-accel-buffering': 'no',
  });
  return raw;
}

/**
 * Turns a response into a stream of server-sent events.
 * @param onClose called once, however the stream ends
 */
export function openEventStream(reply: FastifyReply, onClose: () => void): EventStream {
  const raw = startEventStream(reply, onClose);
  const write = (text: string): void => {
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(text);
    if (raw.writableLength > waitingMax) raw.destroy();
  };
  let waitedAtBeat = 0;
  return {
    send: (event, data, id) => write(eventText(event, JSON.stringify(data), id)),
    beat: () => {
      // Nothing was read since the last heartbeat: close the stream of a stalled reader, which can reconnect.
      const waiting = raw.writableLength;
      if (waitedAtBeat > 0 && waiting >= waitedAtBeat) return void raw.destroy();
      waitedAtBeat = waiting;
      write(': beat\n\n');
    },
    waitingBytes: () => raw.writableLength,
    end: () => {
      if (!raw.writableEnded) raw.end();
    },
  };
}
