import type { Result } from '@sextant/workers/src/core/result.ts';

/** A response with any status. */
export interface PostResponse {
  status: number;
  retryAfterS: number | undefined;
}
/** Why a POST got no response. `blocked`: the address is not allowed, and nothing was sent. */
export interface PostFailure {
  kind: 'unreachable' | 'blocked';
  message: string;
}

/** Posts to URLs entered by users, and only to the public internet. */
export interface WebhookPoster {
  /** Why a URL cannot be a target, continuing `The URL ...`; undefined when it can. */
  rejectionOf: (url: string) => string | undefined;
  post: (url: string, headers: Record<string, string>, body: string) => Promise<Result<PostResponse, PostFailure>>;
  close: () => Promise<void>;
}

/** Why a call to the bot's API failed. `gone`: the chat no longer accepts messages. */
export type TelegramFailure =
  | { kind: 'busy'; status: number; message: string; retryAfterS: number }
  | { kind: 'gone'; status: number; message: string }
  | { kind: 'moved'; status: number; message: string; chatId: string }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unreachable'; status: null; message: string };
export type TelegramResult<T> = Result<T, TelegramFailure>;

/** A message of a user to the bot. */
export interface TelegramUpdate {
  updateId: number;
  chatId: string;
  /** Display name of the chat. */
  chatName: string;
  text: string;
}

export interface TelegramBot {
  /** Link that opens the bot with a code: `https://t.me/name?start=code`. */
  linkOf: (code: string) => Promise<TelegramResult<string>>;
  /** Whether Telegram responds and knows the bot. */
  check: () => Promise<TelegramResult<undefined>>;
  /** Plain text, 1 to 4096 characters. */
  send: (chatId: string, text: string) => Promise<TelegramResult<undefined>>;
  /** Messages since `offset`, and the next offset; Telegram deletes updates below it. */
  updates: (offset: number) => Promise<TelegramResult<{ messages: TelegramUpdate[]; nextOffset: number }>>;
  close: () => Promise<void>;
}

/** P-256 keys of this installation, raw, base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** A browser that receives pushes. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Sends Web Push messages, only to the public internet. */
export interface PushSender {
  /** Why an endpoint cannot be a target, continuing `The URL ...`; undefined when it can. */
  rejectionOf: (url: string) => string | undefined;
  /** Whether it is an address of the push service of a browser, which serves all users. */
  isOfBrowsers: (url: string) => boolean;
  send: (target: PushTarget, keys: PushKeys, text: string) => Promise<Result<PostResponse, PostFailure>>;
  close: () => Promise<void>;
}
