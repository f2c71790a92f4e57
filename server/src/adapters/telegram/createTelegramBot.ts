import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { z } from 'zod';
import { createHttpPool } from '../../platform/httpPool.ts';
import type {
  TelegramBot,
  TelegramFailure,
  TelegramResult,
  TelegramUpdate,
} from '../../features/notifications/port.ts';

export interface TelegramOptions {
  token: string;
  /** `https://api.telegram.org`, or the stand-in of a demo. */
  apiUrl: string;
  /** Origin of links to the bot: `https://t.me`. */
  linkUrl: string;
  timeoutMs?: number;
}

const responseBytesMax = 1024 * 1024;

const Chat = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  title: z.string().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
});
const Update = z.object({
  update_id: z.number(),
  message: z.object({ chat: Chat, text: z.string().optional() }).optional().catch(undefined),
});
const ResponseBody = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.union([z.number(), z.string()]).optional() })
    .optional(),
});

/** Telegram's Bot API. The token is part of each path, so URLs must never reach a log or a message. */
export function createTelegramBot({ token, apiUrl, linkUrl, timeoutMs = 8000 }: TelegramOptions): TelegramBot {
  const pool = createHttpPool('telegram', { connect: { timeout: 5000 }, keepAliveTimeout: 10_000, connections: 4 });
  let userName: string | undefined;

  async function call(method: string, body: object): Promise<TelegramResult<unknown>> {
    try {
      const response = await pool.request(`${apiUrl}/bot${token}/${method}`, {
        method: 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      let text = '';
      for await (const chunk of response.body) {
        text += String(chunk);
        if (text.length > responseBytesMax) throw new RangeError('too long');
      }
      const result = ResponseBody.parse(JSON.parse(text));
      if (result.ok) return ok(result.result);
      return failWith(failureOf(result, response.statusCode));
    } catch {
      // The error may contain the URL and with it the token: do not pass it on.
      return failWith(unreachable);
    }
  }

  return {
    async linkOf(code) {
      if (userName === undefined) {
        const me = await call('getMe', {});
        if (!me.ok) return me;
        const known = z.object({ username: z.string() }).safeParse(me.value);
        if (!known.success) return failWith(unreachable);
        userName = known.data.username;
      }
      return ok(`${linkUrl}/${userName}?start=${code}`);
    },
    async check() {
      const me = await call('getMe', {});
      return me.ok ? ok(undefined) : me;
    },
    async send(chatId, text) {
      // No parse_mode: user text must not change the formatting.
      const sent = await call('sendMessage', { chat_id: chatId, text: text.slice(0, 4096) });
      return sent.ok ? ok(undefined) : sent;
    },
    async updates(offset) {
      const response = await call('getUpdates', { offset, timeout: 0, limit: 100, allowed_updates: ['message'] });
      if (!response.ok) return response;
      const updates = z.array(Update).safeParse(response.value);
      if (!updates.success) return failWith(unreachable);
      const nextOffset = updates.data.reduce((next, { update_id: id }) => Math.max(next, id + 1), offset);
      return ok({ messages: updates.data.flatMap(messageOf), nextOffset });
    },
    close: pool.destroy,
  };
}

const unreachable: TelegramFailure = { kind: 'unreachable', status: null, message: 'Telegram timed out.' };

function messageOf({ update_id: updateId, message }: z.output<typeof Update>): TelegramUpdate[] {
  if (message?.text === undefined) return [];
  const { id, title, username, first_name: firstName } = message.chat;
  const chatName = (title ?? (username === undefined ? firstName : `@${username}`) ?? 'Telegram').slice(0, 100);
  return [{ updateId, chatId: id, chatName, text: message.text }];
}

function failureOf(response: z.output<typeof ResponseBody>, httpStatus: number): TelegramFailure {
  const status = response.error_code ?? httpStatus;
  const message = `Telegram: ${response.description ?? 'rejected'}`.slice(0, 300);
  const { retry_after: retryAfterS = 30, migrate_to_chat_id: movedTo } = response.parameters ?? {};
  if (movedTo !== undefined) return { kind: 'moved', status, message, chatId: String(movedTo) };
  if (status === 429) return { kind: 'busy', status, message, retryAfterS };
  const isGone = status === 403 || /chat not found|user is deactivated/i.test(response.description ?? '');
  return { kind: isGone ? 'gone' : 'refused', status, message };
}
