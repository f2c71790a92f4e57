import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { z } from 'zod';
import type { SocialFailure, SocialPost, SocialSource } from '../../features/news/port.ts';
import { createHttpPool } from '../../platform/httpPool.ts';
import { plainText } from '../feeds/plainText.ts';

export interface XSearchOptions {
  /** App-only Bearer token. */
  token: string;
  /** `https://api.x.com`, or the URL of a stand-in. */
  apiUrl: string;
  /** Search text in the syntax of the X API. */
  query: string;
  /** 10 s unless given. */
  timeoutMs?: number;
}

const TEXT_MAX = 600;
const COUNT = 50;
const RESPONSE_BYTES_MAX = 1024 * 1024;

const ResponseBody = z.object({
  data: z
    .array(
      z.object({
        id: z.string().regex(/^\d{1,25}$/),
        text: z.string(),
        created_at: z.iso.datetime({ offset: true }).optional(),
        author_id: z.string().optional(),
      }),
    )
    .default([]),
  includes: z.object({ users: z.array(z.object({ id: z.string(), username: z.string() })).default([]) }).optional(),
  meta: z.object({ newest_id: z.string().optional(), result_count: z.number() }),
});

/** Recent search of the X API v2. */
export function createXSearch({ token, apiUrl, query, timeoutMs = 10_000 }: XSearchOptions): SocialSource {
  const pool = createHttpPool('x', { connect: { timeout: timeoutMs } });
  return {
    name: 'X',
    async recent(sinceId) {
      const url = new URL('/2/tweets/search/recent', apiUrl);
      url.searchParams.set('query', query);
      url.searchParams.set('max_results', String(COUNT));
      url.searchParams.set('tweet.fields', 'created_at,public_metrics,lang,author_id');
      url.searchParams.set('expansions', 'author_id');
      if (sinceId !== null) url.searchParams.set('since_id', sinceId);
      try {
        const response = await pool.request(url, {
          method: 'GET',
          signal: AbortSignal.timeout(timeoutMs),
          headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'Sextant-News/1' },
        });
        if (response.statusCode !== 200) {
          await response.body.dump({ limit: 16_384 }).catch(() => undefined);
          return rejectionOf(response.statusCode, response.headers['x-rate-limit-reset']);
        }
        const parsed = ResponseBody.safeParse(await readJson(response.body));
        if (!parsed.success) return failed('X sent an unexpected response.');
        return ok({ posts: postsOf(parsed.data), newestId: parsed.data.meta.newest_id ?? null });
      } catch {
        return failed('X did not respond.');
      }
    },
    close: pool.close,
  };
}

/** Undefined when the response is larger than 50 posts can be, or is not JSON. */
async function readJson(body: AsyncIterable<Buffer> & { destroy: () => unknown }): Promise<unknown> {
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString('latin1');
    if (text.length <= RESPONSE_BYTES_MAX) continue;
    body.destroy();
    return undefined;
  }
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function postsOf({ data, includes }: z.infer<typeof ResponseBody>): SocialPost[] {
  const names = new Map((includes?.users ?? []).map(({ id, username }) => [id, username]));
  return data.flatMap(({ id, text, created_at, author_id }) => {
    const plain = plainText(text, TEXT_MAX);
    if (plain === '' || created_at === undefined) return [];
    return [
      {
        id,
        text: plain,
        link: `https://x.com/i/web/status/${id}`,
        author: (author_id === undefined ? undefined : names.get(author_id)) ?? null,
        postedAtMs: Date.parse(created_at),
      },
    ];
  });
}

const failed = (message: string, retryAtMs?: number): Result<never, SocialFailure> => failWith({ message, retryAtMs });

function rejectionOf(status: number, reset: string | string[] | undefined): Result<never, SocialFailure> {
  if (status === 401 || status === 403) return failed('X rejected the token of this installation.');
  // `x-rate-limit-reset` is the end of the window in Unix seconds.
  const retryAtMs = typeof reset === 'string' && /^\d{1,12}$/.test(reset) ? Number(reset) * 1000 : undefined;
  if (status === 429) return failed('X limits our requests.', retryAtMs);
  return failed('X returned an error.');
}
