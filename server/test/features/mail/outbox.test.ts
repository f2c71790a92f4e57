import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeMail, startMail } from '../../../fakes/mail/server.ts';
import { createSmtpMailer } from '../../../src/adapters/mail/smtpMailer.ts';
import { createOutbox, type OutboxOptions } from '../../../src/features/mail/outbox.ts';
import type { Mailer } from '../../../src/features/mail/port.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createSeal } from '../../../src/platform/seal.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

const seal = createSeal('a secret that seals the mails of this test', 'mail');
const from = 'Sextant <no-reply@sextant.example>';
const message = {
  to: 'ada@example.com',
  subject: 'Grüße <an> Ada',
  paragraphs: ['Zeile mit “Anführung” & <b>Zeichen</b>.', 'Ende.'],
  link: { label: 'Öffnen', url: 'http://localhost:3000/reset-password#0123456789012345678901234567890123456789012' },
};

let database: TestDatabase;
let mail: FakeMail;
let mailer: Mailer;
const failures: Parameters<OutboxOptions['onFailure']>[0][] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  mail = await startMail();
  mailer = createSmtpMailer({ url: mail.smtpUrl, from });
});
afterAll(async () => {
  mailer.close();
  await mail.close();
  await database.drop();
});
beforeEach(async () => {
  mail.setFault(undefined);
  failures.length = 0;
  await database.asOwner('delete from mails');
});

const createBox = (used: Mailer | undefined = mailer) =>
  createOutbox({ db: database.db, mailer: used, seal, onFailure: (failure) => failures.push(failure) });
const add = (box: ReturnType<typeof createBox>, to = message.to) =>
  withSystem(database.db, (tx) => box.add(tx, { ...message, to }));
const waiting = () => database.asOwner<{ attempt_count: number }>('select attempt_count from mails');
const makeDue = () => database.asOwner('update mails set next_attempt_at = now()');
const arrived = (to: string) => mail.mails().filter((each) => each.to === to);

describe('an email', () => {
  it('arrives as text and as equivalent HTML, with its characters, and is then deleted from the database', async () => {
    const box = createBox();
    await add(box);
    await box.sendDue();
    const [received] = arrived('ada@example.com');
    expect(received).toMatchObject({ from, subject: message.subject });
    expect(received?.text).toContain('Zeile mit “Anführung” & <b>Zeichen</b>.');
    expect(received?.text).toContain(message.link.url);
    expect(received?.html).toContain('&#38; &#60;b&#62;Zeichen');
    expect(received?.html).toContain(`href="${message.link.url}"`);
    expect(received?.html).not.toMatch(/<img|<script|src=/);
    expect(await waiting()).toEqual([]);
  });

  it('is stored encrypted, and only when the transaction that queued it commits', async () => {
    const box = createBox();
    await add(box);
    const [row] = await database.asOwner<{ sealed: string }>('select sealed from mails');
    expect(Buffer.from(row?.sealed ?? '', 'base64url').toString('latin1')).not.toContain('ada@example.com');
    const rolledBack = withSystem(database.db, async (tx) => {
      await box.add(tx, { ...message, to: 'never@example.com' });
      throw new Error('the rest failed');
    });
    await expect(rolledBack).rejects.toThrow('the rest failed');
    await box.sendDue();
    expect(arrived('never@example.com')).toEqual([]);
  });

  it('is retried after growing pauses while the SMTP server is busy', async () => {
    const box = createBox();
    await add(box, 'later@example.com');
    mail.setFault('later');
    const nowMs = async () =>
      (await database.asOwner<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms'))[0]!
        .ms;
    for (const waitS of [5, 10, 20, 40]) {
      await makeDue();
      const fromMs = await nowMs();
      await box.sendDue();
      const toMs = await nowMs();
      const [row] = await database.asOwner<{ ms: number }>(
        'select extract(epoch from next_attempt_at)::float8 * 1000 as ms from mails',
      );
      // The pause starts at some moment during the attempt, however long the attempt took.
      expect(row!.ms - waitS * 1000, `${waitS} s`).toBeGreaterThanOrEqual(fromMs - 1);
      expect(row!.ms - waitS * 1000, `${waitS} s`).toBeLessThanOrEqual(toMs + 1);
    }
    expect(failures.every(({ kind, isGivenUp }) => kind === 'refused' && !isGivenUp)).toBe(true);
    mail.setFault(undefined);
    await makeDue();
    await box.sendDue();
    expect(arrived('later@example.com')).toHaveLength(1);
  });

  it('that no mailbox accepts is given up at once and reported', async () => {
    const box = createBox();
    await add(box, 'nobody@example.com');
    mail.setFault('never');
    await box.sendDue();
    expect(await waiting()).toEqual([]);
    expect(failures).toMatchObject([{ kind: 'refused', isFinal: true, isGivenUp: true }]);
  });

  it('waits while the SMTP server is down', async () => {
    const gone = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from });
    const box = createBox(gone);
    await add(box, 'away@example.com');
    await box.sendDue();
    expect(failures).toMatchObject([{ kind: 'unreachable', isGivenUp: false }]);
    expect(await waiting()).toMatchObject([{ attempt_count: 1 }]);
    gone.close();
  });

  it('is given up once it has expired', async () => {
    const box = createBox();
    await add(box, 'old@example.com');
    mail.setFault('later');
    await database.asOwner(`update mails set expires_at = now() - interval '1 second'`);
    await box.sendDue();
    expect(await waiting()).toEqual([]);
  });

  it('is sent again by another node when the sending node dies, under the same Message-ID', async () => {
    const sent: string[] = [];
    // Sends the email and never returns: the state a kill -9 leaves between the response of the SMTP server and the commit.
    const dying: Mailer = {
      send: async (letter, id) => {
        await mailer.send(letter, id);
        sent.push(id);
        return new Promise(() => undefined);
      },
      check: () => Promise.resolve(undefined),
      close: () => undefined,
    };
    const dead = createBox(dying);
    await add(dead, 'twice@example.com');
    void dead.sendDue();
    await expect.poll(() => sent.length).toBe(1);
    const other = createBox();
    await other.sendDue();
    expect(arrived('twice@example.com'), 'while the first may still be at it').toHaveLength(1);
    await makeDue();
    await other.sendDue();
    const both = arrived('twice@example.com').map(({ messageId }) => messageId);
    expect(both).toEqual([`<${sent[0] ?? ''}@sextant.example>`, `<${sent[0] ?? ''}@sextant.example>`]);
    expect(await waiting()).toEqual([]);
  });

  it('is sent once when many nodes poll at the same moment', async () => {
    const boxes = Array.from({ length: 4 }, () => createBox());
    for (let index = 0; index < 12; index += 1) await add(boxes[0]!, `many${index}@example.com`);
    await Promise.all(boxes.map((box) => box.sendDue()));
    expect(mail.mails().filter(({ to }) => to.startsWith('many'))).toHaveLength(12);
  });
});

describe('a loop', () => {
  it('sends what was added once it is woken, and stops', async () => {
    const box = createBox(createSmtpMailer({ url: mail.smtpUrl, from }));
    box.start();
    await add(box, 'woken@example.com');
    box.wake();
    await expect.poll(() => arrived('woken@example.com').length).toBe(1);
    await box.stop();
  });
});

describe('a chore', () => {
  it('runs once, in the transaction that removes it, and may add emails', async () => {
    const box = createBox();
    box.onChore('greet', (tx, to) => box.add(tx, { ...message, to }));
    await withSystem(database.db, (tx) => box.addChore(tx, 'greet', 'chore@example.com'));
    await box.sendDue();
    expect(arrived('chore@example.com')).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });
});

it('without an SMTP server nothing is stored', async () => {
  const box = createOutbox({ db: database.db, mailer: undefined, seal, onFailure: () => undefined });
  expect(box.isOn).toBe(false);
  await add(box);
  expect(await waiting()).toEqual([]);
});
