import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { type LlmFake, startLlm } from '../../../fakes/llm/server.ts';
import { fakeBot, startTelegram, type TelegramFake } from '../../../fakes/telegram/server.ts';
import { startWebhookReceiver, type WebhookFake } from '../../../fakes/webhook/server.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { grant } from '../../../src/features/credits/ledger.ts';
import { secretText } from '../../../src/features/notifications/message.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createSeal } from '../../../src/platform/seal.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { testSecret } from '../../support/globalDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';

/** AWAY_KILLS=120 for the long run: thirty of each instant. */
const killCount = Number(process.env['AWAY_KILLS'] ?? 4);
const credits = 10;

let database: TestDatabase;
let exchanges: ExchangesFake;
let llm: LlmFake;
let telegram: TelegramFake;
let webhooks: WebhookFake;
let node: KillableNode;
beforeAll(async () => {
  database = await createTestDatabase();
  [exchanges, llm, telegram, webhooks] = await Promise.all([
    startExchanges(),
    startLlm(),
    startTelegram(),
    startWebhookReceiver(),
  ]);
  // Each outside service delays its response after taking a call, so that the node can be killed in between.
  llm.play('verdict', { delayMs: 150 });
  telegram.play('slow');
  webhooks.play({ status: 204, delayMs: 300 });
  node = await createKillableNode({
    DATABASE_URL: database.serverUrl,
    EXCHANGES_URL: exchanges.url,
    OPENAI_API_KEY: 'k',
    OPENAI_MODEL: 'm-1',
    OPENAI_BASE_URL: llm.url,
    AI_DAILY_USD: '1000',
    TELEGRAM_BOT_TOKEN: fakeBot.token,
    TELEGRAM_API_URL: telegram.url,
    TELEGRAM_LINK_URL: telegram.url,
    WEBHOOK_RECEIVER_URL: webhooks.origin,
  });
});
afterAll(async () => {
  await node.close();
  await Promise.all([exchanges.close(), llm.close(), telegram.close(), webhooks.close()]);
  await database.drop();
});

/** A user who is away, with a chat and a webhook. Their first scan is due at once. */
async function addAwayUser(index: number): Promise<string> {
  const userId = await database.addUser();
  await withSystem(database.db, (tx) => grant(tx, { userId, credits, reason: 'purchase', key: 'enough' }));
  await database.asOwner(
    `update preferences set max_symbols = 4, min_auto_conf_pct = 0, ai_soft_approval = true, auto_open_enabled = true,
      interval_opts = '{"15m": false, "1h": true, "4h": true}', keep_scanning = true where user_id = $1`,
    [userId],
  );
  const sealed = createSeal(testSecret, 'notifications').seal(secretText(randomBytes(32)), userId);
  await database.asOwner(`insert into webhook_keys (user_id, sealed) values ($1, $2)`, [userId, sealed]);
  await database.asOwner(
    `insert into notification_targets (user_id, channel, address) values ($1, 'telegram', $2), ($1, 'webhook', $3)`,
    [userId, String(6000 + index), `${webhooks.origin}/hook`],
  );
  await database.asOwner(
    `with made as (insert into webhooks (user_id, url, events, secret_hint)
       values ($1, $3, '{signal.created,position.opened}', 'test') returning id)
     insert into webhook_secrets (webhook_id, user_id, sealed) select id, $1, $2 from made`,
    [userId, sealed, `${webhooks.origin}/hook`],
  );
  return userId;
}

const instants = ['any', 'question', 'webhook', 'chat'] as const;
/** Waits until the node reaches the step it is killed in, then a little; at most as long as all of the work takes. */
async function waitFor(instant: (typeof instants)[number]): Promise<void> {
  if (instant === 'any') {
    await delay(Math.random() * 4000);
    return;
  }
  const count = { question: llm.requests, webhook: webhooks.received, chat: telegram.messages }[instant];
  const [before, untilMs] = [count.length, Date.now() + 8000];
  while (count.length === before && Date.now() < untilMs) await delay(2);
  await delay(Math.random() * (instant === 'question' ? 160 : 320));
}

const count = async (text: string): Promise<number> =>
  (await database.asOwner<{ count: number }>(`select count(*)::int as count ${text}`))[0]?.count ?? -1;
/** Open work, by kind. */
const open = async () => ({
  scans: await count(`from scans where status in ('queued', 'running')`),
  messages: await count(`from notifications where dispatched_at is null`),
  deliveries: await count(`from notification_deliveries where state = 'waiting'`),
  questions: await count(`from scan_ai_checks where state = 'asking'`),
  jobs: await count(`from jobs.job where name in ('scan', 'scan_checks', 'notification') and state < 'completed'`),
});
const nothing = { scans: 0, messages: 0, deliveries: 0, questions: 0, jobs: 0 };

/** Backdates what a dead node left open, instead of waiting for its timeout. */
async function age(): Promise<void> {
  await database.asOwner(`update scan_ai_checks set asked_at = asked_at - interval '1 minute' where state = 'asking'`);
  await database.asOwner(
    `update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
  );
}

/** The user and the input of each model request. */
const subjects = () =>
  llm.requests.map((request) => `${String(request['safety_identifier'])} ${String(request['input'])}`);

describe('a node that is killed while it works for users who are away', () => {
  it(
    `loses and doubles no credit, no message and no paid question (K1, X3; ${killCount} kills)`,
    async () => {
      const users: string[] = [];
      for (let round = 0; round < killCount; round++) {
        users.push(await addAwayUser(users.length));
        // Users of three rounds ago are back: a long run is not about their next slot.
        await database.asOwner('update preferences set keep_scanning = false where user_id = $1', [
          users.at(-4) ?? null,
        ]);
        // The whole node, or a worker node without pages and API.
        await node.start({ ROLE: Math.floor(round / instants.length) % 2 === 0 ? 'all' : 'worker' });
        await waitFor(instants[round % instants.length] ?? 'any');
        await node.kill();
        // The test killed the process: without this, repeated deaths would set the job aside.
        await database.asOwner('delete from job_runs');
      }
      await database.asOwner('update preferences set keep_scanning = false');
      await age();
      await node.start();
      await expect.poll(open, { timeout: 200_000, interval: 500 }).toEqual(nothing);
      await node.kill();

      const { done, held } = (
        await database.asOwner<{ done: number; held: number }>(
          `select (select count(*)::int from scans where status = 'done') as done,
            (select count(*)::int from credit_ledger h where kind = 'hold'
              and not exists (select from credit_ledger s where s.hold_id = h.id)) as held`,
        )
      )[0]!;
      expect(held).toBe(0);
      expect(done).toBeGreaterThan(0);
      const wrong = await database.asOwner(
        `select b.user_id from balances b where credits <> $1 -
          (select count(*) from scans s where s.user_id = b.user_id and s.status = 'done')
        union all select user_id from away_scans group by user_id, slot_at having count(*) > 1`,
        [credits + 10],
      );
      expect(wrong).toEqual([]);
      expect(await findViolations(database.db)).toEqual([]);

      // Each finished scan has one notification per channel, delivered at least once under one id.
      const deliveries = await database.asOwner<{ id: string; channel: string; state: string; kind: string }>(
        `select d.id, d.channel, d.state, n.kind from notification_deliveries d
          join notifications n on n.id = d.notification_id`,
      );
      expect(deliveries.filter(({ state }) => state !== 'sent')).toEqual([]);
      const finished = deliveries.filter(({ kind }) => kind === 'scan_finished');
      expect(finished.filter(({ channel }) => channel === 'webhook')).toHaveLength(done);
      expect(finished.filter(({ channel }) => channel === 'telegram')).toHaveLength(done);
      const ids = webhooks.received.map(({ headers }) => String(headers['webhook-id']));
      const bodies = new Map(webhooks.received.map(({ headers, body }) => [String(headers['webhook-id']), body]));
      expect(new Set(ids)).toEqual(
        new Set(deliveries.filter(({ channel }) => channel !== 'telegram').map(({ id }) => `msg_${id}`)),
      );
      expect(webhooks.received.every(({ headers, body }) => bodies.get(String(headers['webhook-id'])) === body)).toBe(
        true,
      );
      // An API webhook receives every signal, and its messages are numbered without a gap.
      expect(deliveries.filter(({ channel }) => channel === 'endpoint').length).toBeGreaterThan(0);
      const gaps = await count(
        `from (select from notification_deliveries where webhook_id is not null group by webhook_id
           having max(sequence) <> count(*) or count(distinct sequence) <> count(*)) as wrong`,
      );
      expect(gaps).toBe(0);
      const chats = await count(`from notification_deliveries where channel = 'telegram'`);
      expect(telegram.messages.length).toBeGreaterThanOrEqual(chats);

      // A model call is paid at most once, and none is left open.
      expect(llm.billedCount()).toBe(llm.requests.length);
      expect(new Set(subjects()).size).toBe(subjects().length);
      const checks = await database.asOwner<{ state: string; reason: string | null; count: number }>(
        `select state, reason, count(*)::int as count from scan_ai_checks group by 1, 2 order by 1, 2`,
      );
      process.stdout.write(
        `scans while away killed ${JSON.stringify({
          kills: killCount,
          users: users.length,
          done,
          deliveries: deliveries.length,
          posts: ids.length,
          chats: telegram.messages.length,
          questions: llm.requests.length,
          checks,
        })}\n`,
      );
    },
    300_000 + killCount * 15_000,
  );
});
