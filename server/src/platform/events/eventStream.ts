import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

export interface EventStream {
  /** Writes one event. Without an id it is not one a reader can resume from. */
  send: (event: string, data: unknown, id?: string) => void;
  /** A line readers ignore: it keeps the connection in use. */
  beat: () => void;
  /** Bytes the reader has not taken yet. */
  waitingBytes: () => number;
  end: () => void;
}

/** A reader that is this far behind is cut: it comes back and resumes, and our memory stays ours. */
export const waitingMax = 256 * 1024;

/** One event as text. `data` is JSON, which has no line breaks of its own: one data line holds it. */
export const eventText = (event: string, data: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;

/**
 * Sends the head of a stream of server-sent events. What follows is written to the connection that is returned.
 * @param onClose called once, however the stream ends
 */
export function beginEventStream(reply: FastifyReply, onClose: () => void): ServerResponse {
  const { raw } = reply;
  reply.hijack();
  // The reader may have gone while we looked who it is: then nothing closes any more.
  if (raw.closed) queueMicrotask(onClose);
  else raw.once('close', onClose);
  raw.on('error', () => undefined);
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // A connection whose stream has ended is of no more use, and a server that stops would wait for it.
    connection: 'close',
    // Proxies collect small pieces unless they are told not to.
    'x-accel-buffering': 'no',
  });
  return raw;
}

/**
 * Turns an answer into a stream of server-sent events.
 * @param onClose called once, however the stream ends
 */
export function openEventStream(reply: FastifyReply, onClose: () => void): EventStream {
  const raw = beginEventStream(reply, onClose);
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
