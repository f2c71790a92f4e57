import type { ApiPath, CallArguments, CallResult, Method } from './calls.ts';
import { keyedCalls } from './keyedCalls.gen.ts';
import { queryOf, type RateLimit, request, type RequestConfig } from './request.ts';
import { openStream, type StreamEvent, type StreamOptions } from './stream.ts';

export interface ClientOptions {
  /** Address of the installation, e.g. `https://sextant.example`. */
  baseUrl: string;
  /** `sx_live_...`, or `sx_test_...` for the sandbox. Without one only public calls succeed. */
  key?: string | undefined;
  /** Longest time of one attempt, ms; 60,000 when absent. */
  timeoutMs?: number;
  /** Longest time that the retries of a call take, ms; 60,000 when absent, 0 for none. */
  retryWaitMsMax?: number;
  /** `fetch` of the platform when absent. */
  fetch?: typeof fetch;
}

type Caller<M extends Method> = <Path extends ApiPath<M>>(
  path: Path,
  ...options: CallArguments<Path, M>
) => Promise<CallResult<Path, M>>;

/** Calls of the API by method and path, e.g. `client.get('/api/price', { query: { symbol: 'BTCUSDT' } })`. */
export interface Client {
  get: Caller<'get'>;
  post: Caller<'post'>;
  put: Caller<'put'>;
  patch: Caller<'patch'>;
  delete: Caller<'delete'>;
  /** Signals, candles and prices as they arrive, over breaks of the connection. Ends when `signal` aborts. */
  stream: (options: StreamOptions) => AsyncGenerator<StreamEvent, void, undefined>;
  /** The key is a test key: every call goes to the sandbox. */
  readonly isTest: boolean;
  /** From the last response that stated it; null before. */
  readonly rateLimit: RateLimit | null;
}

const DEFAULT_MS = 60_000;

/**
 * Makes a client of one installation.
 * @throws {TypeError} when `baseUrl` is no http or https address, or the key is no key of Sextant
 */
export function createClient(options: ClientOptions): Client {
  const { key, timeoutMs = DEFAULT_MS, retryWaitMsMax = DEFAULT_MS } = options;
  if (key !== undefined && !/^sx_(live|test)_\w+$/.test(key))
    throw new TypeError('key: must look like sx_live_... or sx_test_...');
  let rateLimit: RateLimit | null = null;
  const config: RequestConfig = {
    baseUrl: addressOf(options.baseUrl),
    key,
    timeoutMs,
    retryWaitMsMax,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    onRateLimit: (limit) => {
      rateLimit = limit;
    },
  };
  const caller = <M extends Method>(method: M): Caller<M> =>
    ((path: string, sent?: SentOptions) => send(config, method, path, sent)) as Caller<M>;
  return {
    get: caller('get'),
    post: caller('post'),
    put: caller('put'),
    patch: caller('patch'),
    delete: caller('delete'),
    stream: (wanted) => openStream(config, wanted),
    isTest: key?.startsWith('sx_test_') === true,
    get rateLimit() {
      return rateLimit;
    },
  };
}

function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl: must be an http or https address, not ${baseUrl}`);
  return baseUrl.replace(/\/+$/, '');
}

/** Options of a call without their types. */
interface SentOptions {
  query?: Record<string, unknown>;
  path?: Record<string, string | number>;
  body?: unknown;
  signal?: AbortSignal;
  timeoutMs?: number;
  idempotencyKey?: string;
  isRepeatable?: boolean;
}

const keyed: ReadonlySet<string> = new Set(keyedCalls);
/** Methods that HTTP defines as idempotent. */
const idempotent = new Set(['get', 'put', 'delete']);

function send(config: RequestConfig, method: Method, route: string, sent: SentOptions = {}): Promise<unknown> {
  const takesKey = keyed.has(`${method} ${route}`);
  const headers: Record<string, string> = {};
  if (takesKey) headers['idempotency-key'] = sent.idempotencyKey ?? crypto.randomUUID();
  const isJson = sent.body !== undefined && !isRaw(sent.body);
  if (isJson) headers['content-type'] = 'application/json';
  return request(config, {
    method: method.toUpperCase(),
    path: filled(route, sent.path ?? {}) + queryOf(sent.query ?? {}),
    headers,
    body: isJson ? JSON.stringify(sent.body) : (sent.body as BodyInit | undefined),
    isRepeatable: sent.isRepeatable ?? (takesKey || idempotent.has(method)),
    signal: sent.signal,
    timeoutMs: sent.timeoutMs ?? config.timeoutMs,
  });
}

const isRaw = (body: unknown): boolean =>
  body instanceof FormData || body instanceof Uint8Array || body instanceof Blob;

/** @throws {TypeError} when a part of the path is missing */
const filled = (route: string, values: Record<string, string | number>): string =>
  route.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`path.${name}: is missing`);
    return encodeURIComponent(String(value));
  });
