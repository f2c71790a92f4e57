import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { webhookEvents, webhookPausesS } from '@sextant/workers/src/core/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { readHelp } from '../../../src/features/help/articles.ts';
import type { NotificationKind } from '../../../src/features/notifications/kinds.ts';
import { bodyOf, secretText, signedHeaders } from '../../../src/features/notifications/message.ts';
import { exampleOf } from '../../../src/features/notifications/webhooks/examples.ts';

const run = promisify(execFile);

interface Vector {
  secret: string;
  id: string;
  timestamp: string;
  body: string;
  signature: string;
}

let webhooks: string;
let events: string;
let signatures: string;
beforeAll(async () => {
  const { articles } = await readHelp();
  const textOf = (slug: string): string => articles.find((each) => each.slug === slug)?.contentMd ?? '';
  [webhooks, events, signatures] = [textOf('webhooks'), textOf('webhook-events'), textOf('webhook-signatures')];
});

/** The code blocks of a language. */
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)]
    .filter(([, each]) => each === language)
    .map(([, , code]) => code!);
const vectorsOf = (): Vector[] => JSON.parse(blocksOf(signatures, 'json')[0] ?? '[]') as Vector[];

describe('the article about webhooks', () => {
  it('shows the body of every event as it is sent', () => {
    const shown = blocksOf(events, 'json').map((block) => JSON.parse(block) as { type: string });
    const sent = webhookEvents.map((event) => {
      const kind = event.replace('.', '_') as NotificationKind;
      const payload = exampleOf(event).data as never;
      const createdAt = new Date('2026-01-01T12:00:00.000Z');
      return JSON.parse(bodyOf({ kind, payload, createdAt }, 1)) as object;
    });
    expect(shown).toEqual(sent);
    for (const event of webhookEvents) expect(events).toContain(`| \`${event}\` `);
  });

  it('states the pauses between attempts', () => {
    const words = webhookPausesS.map((pauseS) =>
      pauseS < 60 ? `${pauseS} s` : pauseS < 3600 ? `${pauseS / 60} min` : `${pauseS / 3600} h`,
    );
    expect(webhooks).toContain(`after ${words.slice(0, -1).join(', ')} and ${String(words.at(-1))},`);
  });
});

describe('the published vectors', () => {
  it('match the signatures of the Standard Webhooks package and of this server', () => {
    const vectors = vectorsOf();
    expect(vectors).toHaveLength(2);
    for (const { secret, id, timestamp, body, signature } of vectors) {
      const atMs = Number(timestamp) * 1000;
      expect(new Webhook(secret).sign(id, new Date(atMs), body)).toBe(signature);
      expect(signedHeaders([secret], id, atMs, body)['webhook-signature']).toBe(signature);
    }
  });

  it('match the signatures computed with openssl', async () => {
    for (const { secret, id, timestamp, body, signature } of vectorsOf()) {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
      const given = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'];
      const computing = run('openssl', given, { encoding: 'buffer' });
      computing.child.stdin?.end(`${id}.${timestamp}.${body}`);
      expect(`v1,${(await computing).stdout.toString('base64')}`).toBe(signature);
    }
  });

  it('carry two signatures while a secret is replaced', () => {
    const [{ secret, id, timestamp, body, signature }] = vectorsOf() as [Vector];
    const [, next = '', fresh = ''] = /`(whsec_[^`]+)`: `(v1,[^`]+)`/.exec(signatures) ?? [];
    expect(signedHeaders([next, secret], id, Number(timestamp) * 1000, body)['webhook-signature']).toBe(
      `${fresh} ${signature}`,
    );
    expect(new Webhook(next).sign(id, new Date(Number(timestamp) * 1000), body)).toBe(fresh);
  });
});

describe('the documented program', () => {
  const secret = secretText(Buffer.from('a secret of this test, 32 bytes.'));
  const body = '{"type":"credits.low","data":{"note":"Zürich, 東京"}}';
  const environmentOf = (changed: Record<string, string> = {}, secrets = [secret], atMs = Date.now()) => {
    const headers = signedHeaders(secrets, 'msg_1', atMs, body);
    return {
      PATH: process.env.PATH ?? '',
      WEBHOOK_SECRET: secret,
      WEBHOOK_ID: headers['webhook-id'] ?? '',
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'] ?? '',
      WEBHOOK_SIGNATURE: headers['webhook-signature'] ?? '',
      WEBHOOK_BODY: body,
      ...changed,
    };
  };
  const programs = [
    ['ts', process.execPath, ['--input-type=module-typescript', '-e']],
    ['python', 'python3', ['-c']],
    ['sh', 'bash', ['-c']],
  ] as const;

  it.for(programs)(
    'in %s verifies a message, and rejects a changed one',
    async ([language, command, args], context) => {
      const here = await run(command, ['--version']).catch(() => undefined);
      if (here === undefined && language === 'python') return context.skip('python3 is not installed');
      const [program = ''] = blocksOf(signatures, language);
      const check = (env: Record<string, string>) => run(command, [...args, program], { env });
      expect((await check(environmentOf())).stdout).toMatch(/^verified/);
      // Both secrets sign while one is replaced.
      const next = secretText(Buffer.from('the next secret of this test, 32'));
      expect((await check(environmentOf({}, [next, secret]))).stdout).toMatch(/^verified/);
      const changes = [
        { WEBHOOK_BODY: body.replace('low', 'LOW') },
        { WEBHOOK_ID: 'msg_2' },
        { WEBHOOK_SIGNATURE: 'v1,AAAA' },
        { WEBHOOK_SECRET: next },
      ];
      for (const changed of changes)
        await expect(check(environmentOf(changed)), JSON.stringify(changed)).rejects.toThrow();
    },
  );

  it.for(programs.slice(0, 2))(
    'in %s rejects a message of six minutes ago',
    async ([language, command, args], context) => {
      const here = await run(command, ['--version']).catch(() => undefined);
      if (here === undefined && language === 'python') return context.skip('python3 is not installed');
      const [program = ''] = blocksOf(signatures, language);
      const env = environmentOf({}, [secret], Date.now() - 360_000);
      await expect(run(command, [...args, program], { env })).rejects.toThrow(/the message is old/);
    },
  );
});
