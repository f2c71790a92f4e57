import { cutKlineRows, type KlineLayout, type KlineRows } from '@sextant/workers/src/wire/klineRows.ts';
import { Agent, request } from 'undici';
import { type Call, cancelled, timedOut } from './call.ts';
import { UpstreamError } from './upstreamError.ts';

export interface HttpAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer<ArrayBuffer>;
  /** Undefined when the text is no JSON. Without the rows where there are `rows`. */
  body: unknown;
  /** Rows of candles that were cut out of the answer, when they were asked for and look as they should. */
  rows: KlineRows | undefined;
}

export interface HttpClient {
  /** One GET. @throws UpstreamError when there is no complete answer within `timeoutMs` */
  get: (url: URL, timeoutMs: number, call: Call, layout?: KlineLayout) => Promise<HttpAnswer>;
  close: () => Promise<void>;
}

const largestBody = 24 * 1024 * 1024;

/** `name` is the exchange as its failures call it. */
export function createHttpClient(name: string, connectTimeoutMs: number): HttpClient {
  const agent = new Agent({ connect: { timeout: connectTimeoutMs }, keepAliveTimeout: 20_000, connections: 16 });
  return {
    async get(url, timeoutMs, call, layout) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
      try {
        const response = await request(url, {
          dispatcher: agent,
          signal,
          headers: { accept: 'application/json', 'user-agent': 'sextant' },
        });
        const bytes = await readBytes(name, response.body);
        const rows = layout === undefined ? undefined : cutKlineRows(bytes, layout);
        const body = parse(rows?.rest ?? bytes.toString('utf8'));
        return { status: response.statusCode, headers: headersOf(response.headers), bytes, body, rows };
      } catch (error) {
        if (call.signal?.aborted === true) throw cancelled(name);
        if (timeout.aborted) throw timedOut(name);
        if (error instanceof UpstreamError) throw error;
        throw new UpstreamError('unavailable', `${name} could not be reached.`);
      }
    },
    close: () => agent.close(),
  };
}

function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) if (value !== undefined) headers.set(name, String(value));
  return headers;
}

async function readBytes(name: string, body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestBody) throw new UpstreamError('unavailable', `${name} sent an answer that is too large.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
