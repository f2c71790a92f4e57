import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeBot, startTelegram, type TelegramFake } from '../../../fakes/telegram/server.ts';
import { createTelegramBot } from '../../../src/adapters/telegram/createTelegramBot.ts';
import type { TelegramBot } from '../../../src/features/notifications/port.ts';

let fake: TelegramFake;
let bot: TelegramBot;
const botOf = (timeoutMs: number): TelegramBot =>
  createTelegramBot({ token: fakeBot.token, apiUrl: fake.url, linkUrl: 'https://t.me', timeoutMs });
beforeAll(async () => {
  fake = await startTelegram();
  bot = botOf(30_000);
});
afterEach(() => fake.play('hang', 0));
afterAll(async () => {
  await bot.close();
  await fake.close();
});

describe('the bot', () => {
  it('returns a link with its own name', async () =>
    expect(await bot.linkOf('abc')).toEqual({ ok: true, value: `https://t.me/${fakeBot.name}?start=abc` }));

  it("sends plain text with special characters, and at most Telegram's maximum length", async () => {
    await bot.send('5001', '<b>*not bold*</b> & _so_');
    await bot.send('5001', 'x'.repeat(5000));
    expect(fake.messages.map(({ text }) => text)).toEqual(['<b>*not bold*</b> & _so_', 'x'.repeat(4096)]);
  });

  it('reads each user message once, and continues after it', async () => {
    const chat = fake.pressStart('code-1', 'ada');
    const first = await bot.updates(0);
    if (!first.ok) throw new Error('no updates');
    expect(first.value.messages).toMatchObject([{ chatId: chat, chatName: '@ada', text: '/start code-1' }]);
    expect(await bot.updates(first.value.nextOffset)).toMatchObject({ ok: true, value: { messages: [] } });
  });

  it.each([
    ['rateLimited', { kind: 'busy', retryAfterS: 35 }],
    ['blocked', { kind: 'gone', status: 403 }],
    ['migrated', { kind: 'moved', chatId: '-1001234567890' }],
    ['serverError', { kind: 'refused', status: 500 }],
    ['html', { kind: 'unreachable' }],
    ['hang', { kind: 'unreachable' }],
  ] as const)('%s is a distinct kind of failure', async (scenario, expected) => {
    fake.play(scenario, 1);
    // Short only when no response will come; a valid response may take its time on a busy machine.
    const requested = botOf(scenario === 'hang' ? 500 : 30_000);
    expect(await requested.send('5001', 'hello')).toMatchObject({ ok: false, error: expected });
    await requested.close();
  });

  it('does not reveal its token when Telegram rejects it or is unreachable', async () => {
    const token = '1234567890:a-token-nobody-may-read-in-a-message';
    const rejected = createTelegramBot({ token, apiUrl: fake.url, linkUrl: 'https://t.me' });
    const away = createTelegramBot({ token, apiUrl: 'http://127.0.0.1:1', linkUrl: 'https://t.me' });
    const responses = [await rejected.send('1', 'x'), await away.send('1', 'x'), await away.linkOf('c')];
    expect(responses.every(({ ok }) => !ok)).toBe(true);
    expect(JSON.stringify(responses)).not.toContain('nobody-may-read');
    await Promise.all([rejected.close(), away.close()]);
  });
});
