import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { faultNames, FaultRule, type FaultSwitch, venueNames } from './faults.ts';
import type { ListingChange } from './market/listingChanges.ts';
import type { MovableMarket } from './market/moved.ts';
import type { RequestLog } from './requestLog.ts';
import { StreamFaultRule, streamFaults } from './streams/streamFaults.ts';
import type { StreamsFake } from './streams/streamServer.ts';

interface Controlled {
  faults: FaultSwitch;
  requests: RequestLog;
  streams: StreamsFake;
  market: MovableMarket;
  changeListing: (change: ListingChange) => void;
  now: () => number;
}

const Move = z.strictObject({
  symbol: z.string().min(1).max(40),
  factor: z.number().min(0.01).max(100),
  venue: z.enum(venueNames).optional(),
});

const Change = z.strictObject({
  symbol: z.string().min(1).max(40),
  venue: z.enum(venueNames).optional(),
  state: z.enum(['trading', 'halted', 'ended', 'gone']).optional(),
  tick: z
    .string()
    .regex(/^[0-9.]+$/)
    .optional(),
  step: z
    .string()
    .regex(/^[0-9.]+$/)
    .optional(),
});

/**
 * Switches faults from outside:
 * `GET /__control/faults` lists what is on and what there is, `POST` adds a rule, `DELETE` removes all;
 * the same under `/__control/stream-faults` for the websockets;
 * `POST /__control/price` moves a symbol's price by a factor from now on: `{"symbol": "BTCUSDT", "factor": 1.01}`, on one venue
 * with `"venue": "okx"`;
 * `POST /__control/listing` changes what is listed: `{"symbol": "SOLUSDT", "state": "gone"}`, or another tick or step;
 * `GET /__control/requests` shows the last requests, `DELETE` forgets them.
 */
export async function handleControl(
  { faults, requests, streams, market, changeListing, now }: Controlled,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const rejected = foreignCaller(request);
  if (rejected !== undefined) {
    json(response, 403, { error: rejected });
    return;
  }
  const call = `${request.method ?? 'GET'} ${path}`;
  switch (call) {
    case 'GET /__control/faults':
      json(response, 200, { active: faults.list(), known: faultNames });
      return;
    case 'POST /__control/faults':
      await addFault(faults, FaultRule, request, response);
      return;
    case 'DELETE /__control/faults':
      faults.clear();
      json(response, 200, { active: [] });
      return;
    case 'GET /__control/stream-faults':
      json(response, 200, { active: streams.faults.list(), known: streamFaults });
      return;
    case 'POST /__control/stream-faults':
      await addFault(streams.faults, StreamFaultRule, request, response);
      return;
    case 'DELETE /__control/stream-faults':
      streams.faults.clear();
      json(response, 200, { active: [] });
      return;
    case 'POST /__control/price':
      await take(Move, request, response, (move) => {
        market.move(move, now());
        return { moved: move };
      });
      return;
    case 'POST /__control/listing':
      await take(Change, request, response, (change) => {
        changeListing(change);
        return { changed: change };
      });
      return;
    case 'GET /__control/requests':
      json(response, 200, { requests: requests.all() });
      return;
    case 'DELETE /__control/requests':
      requests.clear();
      json(response, 200, { requests: [] });
      return;
    default:
      json(response, 404, { error: `there is no ${call}` });
  }
}

/**
 * Any web page open in a browser of this machine can send requests here. A page's request says where it comes from, one under
 * a name that was pointed at loopback says that name, and a form cannot send JSON.
 */
export function foreignCaller({ headers, method, socket }: IncomingMessage): string | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'not for web pages';
  const port = String(socket.localPort);
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return 'host is not this machine';
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  return method === 'POST' && !isJson ? 'content-type must be application/json' : undefined;
}

const addFault = <T>(
  faults: { add: (rule: T) => void; list: () => T[] },
  Rule: z.ZodType<T>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> =>
  take(Rule, request, response, (rule) => {
    faults.add(rule);
    return { active: faults.list() };
  });

async function take<T>(
  Body: z.ZodType<T>,
  request: IncomingMessage,
  response: ServerResponse,
  respond: (body: T) => unknown,
): Promise<void> {
  const parsed = Body.safeParse(await readJson(request));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    json(response, 400, { error: `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'is not valid'}` });
    return;
  }
  json(response, 200, respond(parsed.data));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 10_000) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
