import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { FeedFailure, FeedRead, FeedReader, FeedValidators } from '../../features/news/port.ts';
import { createGuardedClient, failureText, type GuardOptions, NotPublic } from '../outgoing/guardedClient.ts';
import { retryAfterOf } from '../outgoing/retryAfter.ts';
import { urlRejection } from '../outgoing/publicUrl.ts';
import { FEED_BYTES_MAX } from './feedBytes.ts';

const totalMs = 10_000;
const HEADER_MAX = 512;

export interface FeedReaderOptions extends GuardOptions {
  totalTimeoutMs?: number;
  now?: () => number;
}

const failed = (kind: FeedFailure['kind'], message: string, retryAfterS?: number): Result<never, FeedFailure> =>
  failWith({ kind, message, retryAfterS });

/** Reads feeds through the guarded client: one request, one redirect on the same site, 10 s and 2 MiB in total. */
export function createFeedReader(options: FeedReaderOptions = {}): FeedReader {
  const { exceptOrigin, totalTimeoutMs = totalMs, now = Date.now } = options;
  const client = createGuardedClient('feeds', options);

  async function readOnce(
    url: string,
    validators: FeedValidators,
    signal: AbortSignal,
    mayRedirect: boolean,
  ): Promise<Result<FeedRead | null, FeedFailure>> {
    const rejection = urlRejection(url, exceptOrigin);
    if (rejection !== undefined) return failed('blocked', `The address of the feed ${rejection}.`);
    const { statusCode, headers, body } = await client.request(url, {
      method: 'GET',
      signal,
      headers: requestHeaders(validators),
    });
    const stop = (): Promise<unknown> => body.dump({ limit: 1024, signal }).catch(() => undefined);
    if (statusCode === 304) {
      await stop();
      return ok(null);
    }
    if (statusCode >= 300 && statusCode < 400) {
      await stop();
      const target = mayRedirect ? sameSiteTarget(url, headers.location) : undefined;
      if (target === undefined) return failed('redirect', 'The feed redirects to another site, or more than once.');
      return readOnce(target, validators, signal, false);
    }
    if (statusCode !== 200) {
      await stop();
      return failed('status', statusText(statusCode), retryAfterOf(headers['retry-after']));
    }
    const bytes = await readBody(body, headers);
    if (bytes === undefined) return failed('too_large', 'The feed is larger than 2 MiB.');
    // Loaded lazily: the parser has more than a hundred modules and is not needed at start.
    const { parseFeed } = await import('./parseFeed.ts');
    const parsed = parseFeed(decodeText(bytes, textOf(headers['content-type'])), now());
    if (!parsed.ok) return failed(parsed.error.kind, parsed.error.message);
    return ok({ ...parsed.value, validators: validatorsOf(headers) });
  }

  return {
    async read(url, validators) {
      const signal = AbortSignal.timeout(totalTimeoutMs);
      try {
        return await readOnce(url, validators, signal, true);
      } catch (error) {
        if (signal.aborted) return failed('timeout', 'The feed took more than 10 seconds.');
        if (error instanceof NotPublic) return failed('blocked', 'The feed leads to a private address.');
        return failed('unreachable', failureText(error));
      }
    },
    close: client.close,
  };
}

function requestHeaders({ etag, lastModified }: FeedValidators): Record<string, string> {
  return {
    accept: 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'Sextant-News/1',
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** The redirect target if it stays on the host or switches between a host and its `www.` or another subdomain. */
function sameSiteTarget(from: string, location: string | string[] | undefined): string | undefined {
  if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
  const [source, target] = [new URL(from), new URL(location, from)];
  if (target.href === source.href) return undefined;
  const [a, b] = [source.hostname, target.hostname];
  if (source.port !== target.port || source.protocol !== target.protocol) return undefined;
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`) ? target.href : undefined;
}

function statusText(status: number): string {
  if (status === 403 || status === 401) return 'The feed denies access.';
  if (status === 404 || status === 410) return 'The feed is gone.';
  if (status === 429) return 'The feed limits our requests.';
  return status >= 500 ? 'The feed has a server error.' : 'The feed sent an unexpected response.';
}

/** Undefined when the body exceeds the size limit, before or after decompression. */
async function readBody(
  body: AsyncIterable<Buffer> & { destroy: () => unknown },
  headers: IncomingHttpHeaders,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > FEED_BYTES_MAX) {
      body.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return decompressed(Buffer.concat(chunks), headers['content-encoding']);
}

const decoders: Partial<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

function decompressed(bytes: Buffer, encoding: string | undefined): Buffer | undefined {
  const decode = decoders[encoding?.trim().toLowerCase() ?? ''];
  if (decode === undefined) return bytes;
  try {
    return decode(bytes, { maxOutputLength: FEED_BYTES_MAX });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    // Undecodable bytes are not a feed: parsing will fail.
    return bytes;
  }
}

/** Decodes by byte order mark, then header, then XML declaration; UTF-8 otherwise. Invalid bytes become U+FFFD. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const named =
    charsetOf(/charset\s*=\s*["']?([\w-]{1,40})/i, contentType) ??
    charsetOf(/^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]{1,40})/i, bytes.subarray(0, 300).toString('latin1'));
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
  try {
    return new TextDecoder(mark ?? named ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}

const charsetOf = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[1];
const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');

const shortHeader = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= HEADER_MAX ? value : null;
const validatorsOf = (headers: IncomingHttpHeaders): FeedValidators => ({
  etag: shortHeader(headers.etag),
  lastModified: shortHeader(headers['last-modified']),
});
