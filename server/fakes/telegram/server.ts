import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readJson } from '../readJson.ts';

export const fakeBot = { token: '1000000001:AAEpractice-bot-of-this-machine-000000', name: 'sextant_practice_bot' };

export interface SentMessage {
  chatId: string;
  text: string;
}

/**
 * `rateLimited`: 429 with retry_after. `blocked`: 403, the user stopped the bot. `migrated`: the group has another id now. `slow`: takes
 * the message, and responds 300 ms later.
 */
export type TelegramScenario = 'rateLimited' | 'blocked' | 'migrated' | 'serverError' | 'hang' | 'html' | 'slow';

export interface TelegramFake {
  /** Base URL of the API, and of the links that open the bot. */
  url: string;
  messages: SentMessage[];
  /** Response to the next `times` calls of sendMessage. */
  play: (scenario: TelegramScenario, times?: number) => void;
  /** A user opens the bot's link and presses Start. Returns the id of their chat. */
  pressStart: (code: string, name?: string) => string;
  /** A user writes something else. */
  write: (chatId: string, text: string) => void;
  close: () => Promise<void>;
}

interface Update {
  update_id: number;
  message: object;
}

const cachedMax = 2000;
const shownMax = 200;
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Telegram's Bot API on loopback: getMe, getUpdates (short polling), sendMessage. Source: core.telegram.org/bots/api. Also `GET
 * /<bot>?start=<code>`, which stands for a click on a t.me link and on Start, and shows the bot's messages.
 */
export async function startTelegram(port = 0): Promise<TelegramFake> {
  const messages: SentMessage[] = [];
  let updates: Update[] = [];
  let lastUpdate = 700_000_000;
  let lastChat = 5000;
  const state: { scenario: TelegramScenario | undefined; left: number } = { scenario: undefined, left: 0 };

  const write = (chatId: string, text: string, name = 'ada'): void => {
    const chat = { id: Number(chatId), type: 'private', username: name, first_name: name };
    const date = Math.floor(Date.now() / 1000);
    updates.push({
      update_id: ++lastUpdate,
      message: { message_id: lastUpdate, date, chat, from: { ...chat, is_bot: false }, text },
    });
  };
  const pressStart = (code: string, name = 'ada'): string => {
    const chatId = String(++lastChat);
    write(chatId, `/start ${code}`, name);
    return chatId;
  };

  const keep = (chatId: string, text: string): void => {
    messages.push({ chatId, text });
    if (messages.length > cachedMax) messages.shift();
  };
  const sent = (response: ServerResponse, text: string): void =>
    respond(response, { message_id: messages.length, date: Math.floor(Date.now() / 1000), text });

  function sendMessage(body: Record<string, unknown>, response: ServerResponse): void {
    const { chat_id: chatId, text } = body;
    if (typeof text !== 'string' || text === '') {
      reject(response, 400, 'Bad Request: message text is empty');
      return;
    }
    if (text.length > 4096) {
      reject(response, 400, 'Bad Request: message is too long');
      return;
    }
    if (!/^-?\d+$/.test(String(chatId))) {
      reject(response, 400, 'Bad Request: chat not found');
      return;
    }
    switch (state.left-- > 0 ? state.scenario : undefined) {
      case 'rateLimited': {
        reject(response, 429, 'Too Many Requests: retry after 35', { retry_after: 35 });
        return;
      }
      case 'blocked': {
        reject(response, 403, 'Forbidden: bot was blocked by the user');
        return;
      }
      case 'migrated': {
        reject(response, 400, 'Bad Request: group chat was upgraded to a supergroup chat', {
          migrate_to_chat_id: -1_001_234_567_890,
        });
        return;
      }
      case 'serverError': {
        reject(response, 500, 'Internal Server Error');
        return;
      }
      case 'html':
        response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>');
        return;
      case 'hang':
        return;
      case 'slow':
        keep(String(chatId), text);
        setTimeout(() => sent(response, text), 300);
        return;
      case undefined:
        keep(String(chatId), text);
        sent(response, text);
    }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET') {
      showChat(request, response, url);
      return;
    }
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(url.pathname) ?? [];
    if (token !== fakeBot.token) {
      reject(response, 401, 'Unauthorized');
      return;
    }
    const body = await readJson(request);
    switch (method) {
      case 'getMe': {
        respond(response, { id: 1_000_000_001, is_bot: true, first_name: 'Sextant', username: fakeBot.name });
        return;
      }
      case 'getUpdates': {
        const offset = Number(body['offset'] ?? 0);
        updates = updates.filter((each) => each.update_id >= offset);
        respond(response, updates.slice(0, 100));
        return;
      }
      case 'sendMessage': {
        sendMessage(body, response);
        return;
      }
      default: {
        reject(response, 404, 'Not Found');
        return;
      }
    }
  }

  function showChat(request: IncomingMessage, response: ServerResponse, url: URL): void {
    if (!/^127\.0\.0\.1:\d+$/.test(request.headers.host ?? '') || url.pathname !== `/${fakeBot.name}`) {
      response.writeHead(404).end();
      return;
    }
    const code = url.searchParams.get('start');
    if (code !== null) pressStart(code);
    const lines = messages
      .slice(-shownMax)
      .toReversed()
      .map(({ text }) => `<li><pre>${escaped(text)}</pre></li>`);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html lang="en"><title>Practice chat</title><h1>Practice chat</h1>
<p>This stands in for Telegram on this machine. ${code === null ? '' : 'Start was pressed: go back to Sextant.'}</p>
<p><a href="/${fakeBot.name}">Look again</a></p><ul>${lines.join('')}</ul></html>`,
    );
  }

  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.writeHead(599).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    play: (scenario, times = Infinity) => Object.assign(state, { scenario, left: times }),
    pressStart,
    write,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, result: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }));
}

function reject(response: ServerResponse, code: number, description: string, parameters?: object): void {
  const body = { ok: false, error_code: code, description, ...withoutUndefined({ parameters }) };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
