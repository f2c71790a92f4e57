import { randomBytes } from 'node:crypto';
import {
  JOURNAL_NOTE_MAX,
  JOURNAL_PICTURE_SIDE_MAX,
  JOURNAL_PICTURES_BYTES_MAX,
  JOURNAL_TAGS_MAX,
} from '@sextant/workers/src/core/journal.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepDeletions } from '../../../src/features/account/deletion.ts';
import type { JournalEntryWire, JournalStatistics } from '../../../src/features/journal/contract.ts';
import { writeCloses } from '../../../src/features/positions/closePosition.ts';
import { insertPosition, type NewPosition } from '../../../src/features/positions/eventWriter.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { newPosition } from '../positions/support/positions.ts';

let test: TestApp;
let anna: TestUser;
let bert: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  [anna, bert] = [await test.signUp(), await test.signUp()];
});

const HOUR_MS = 3_600_000;
const atMs = (text: string): number => Date.parse(text);

/** Opens a position of 2 at 100 that risks 4.198, and closes it. The exit fee is 0.1, as the entry fee. */
async function closed(openedAt: number, price: number, more: Partial<NewPosition> = {}, user = anna): Promise<string> {
  return withSystem(test.deps.db, async (tx) => {
    const id = await insertPosition(tx, newPosition(user.id, { openedAtMs: openedAt, ...more }));
    const close = { id, atMs: openedAt + HOUR_MS, price, exitFee: 0.1, isAmbiguous: false };
    await writeCloses(tx, [{ ...close, reason: 'TP', by: 'tick' }]);
    return id;
  });
}

interface ResponseBody {
  entry: JournalEntryWire;
  code?: string;
  field?: string;
  detail?: string;
}

async function send(method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object | Buffer, user = anna) {
  const type = Buffer.isBuffer(payload) ? 'image/png' : 'application/json';
  const headers = payload === undefined ? user.bearer : { ...user.bearer, 'content-type': type };
  const response = await test.app.inject({ method, url: `/api/journal/${path}`, headers, payload: payload ?? '' });
  return { status: response.statusCode, ...response.json<ResponseBody>() };
}
const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();

describe('the journal of a position', () => {
  it('DESK-120 has a note and tags, stored in lower case and once', async () => {
    const id = await closed(atMs('2026-03-01T09:00:00Z'), 104);
    expect(await send('GET', id)).toEqual({
      status: 200,
      entry: { position_id: id, note: '', tags: [], revision: 0, updated_at: null, picture: null },
    });
    const note = 'Chased the breakout.\nWait for the retest. \u{1F4C9}';
    const written = await send('PUT', id, { note, tags: [' Break  Out', 'FOMO', 'fomo'], revision: 0 });
    expect(written.entry).toMatchObject({ note, tags: ['break out', 'fomo'], revision: 1 });
    expect((await send('GET', id)).entry).toEqual(written.entry);
    const emptied = await send('PUT', id, { note: '', tags: [], revision: 1 });
    expect(emptied.entry).toMatchObject({ note: '', tags: [], revision: 2 });
  });

  it('DESK-120 a change that another page overtook is rejected', async () => {
    const id = await closed(atMs('2026-03-01T09:00:00Z'), 104);
    const bodies = Array.from({ length: 6 }, (_, i) => ({ note: `page ${i}`, tags: [], revision: 0 }));
    const results = await Promise.all(bodies.map((body) => send('PUT', id, body)));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const first = results.find(({ status }) => status === 200);
    expect((await send('GET', id)).entry).toEqual(first?.entry);
    expect(results.find(({ status }) => status === 409)).toMatchObject({ code: 'conflict', field: 'revision' });
  });

  it('DESK-120 rejects what is too long with the field', async () => {
    const id = await closed(atMs('2026-03-01T09:00:00Z'), 104);
    const body = { note: '', tags: [] as string[], revision: 0 };
    const many = Array.from({ length: JOURNAL_TAGS_MAX + 1 }, (_, i) => `tag ${i}`);
    const cases = [
      [{ ...body, note: 'x'.repeat(JOURNAL_NOTE_MAX + 1) }, 'note'],
      [{ ...body, tags: many }, 'tags'],
      [{ ...body, tags: ['a,b'] }, 'tags.0'],
      [{ ...body, tags: ['fine', '  '] }, 'tags.1'],
      [{ ...body, tags: ['x'.repeat(31)] }, 'tags.0'],
      [{ ...body, note: 'a\0b' }, 'note'],
    ] as const;
    for (const [given, field] of cases)
      expect(await send('PUT', id, given), field).toMatchObject({ status: 400, code: 'validation_failed', field });
    expect((await send('GET', id)).entry.revision).toBe(0);
  });

  it('DESK-121 has a picture, encoded again and no larger than 1,600 pixels', async () => {
    const id = await closed(atMs('2026-03-01T09:00:00Z'), 104);
    const stored = await send('PUT', `${id}/picture`, await picture(2400, 1200));
    expect(stored).toMatchObject({ status: 200, entry: { picture: { width: JOURNAL_PICTURE_SIDE_MAX, height: 800 } } });
    const read = await test.app.inject({ url: `/api/journal/${id}/picture`, headers: anna.bearer });
    expect(read.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
    const { width, height, format } = await sharp(read.rawPayload).metadata();
    expect({ width, height, format }).toEqual({ width: 1600, height: 800, format: 'webp' });
    // A second one takes its place.
    expect((await send('PUT', `${id}/picture`, await picture(60, 30))).entry.picture).toMatchObject({ width: 60 });
    expect((await send('DELETE', `${id}/picture`)).entry.picture).toBeNull();
    expect((await send('GET', `${id}/picture`)).status).toBe(404);
  });

  it('DESK-121 rejects a picture that is none, too large as stored, or above the quota', async () => {
    const id = await closed(atMs('2026-03-01T09:00:00Z'), 104);
    expect(await send('PUT', `${id}/picture`, Buffer.from('not a picture'))).toMatchObject({ code: 'image_refused' });
    // Noise does not compress.
    const raw = { width: 1600, height: 1600, channels: 3 } as const;
    const noise = await sharp(randomBytes(1600 * 1600 * 3), { raw })
      .jpeg({ quality: 60 })
      .toBuffer();
    const tooLarge = await send('PUT', `${id}/picture`, noise);
    expect(tooLarge).toMatchObject({ status: 422, code: 'image_refused' });
    expect(tooLarge.detail).toMatch(/above 512 KiB/);
    const other = await closed(atMs('2026-03-02T09:00:00Z'), 104);
    // A full journal, without sending its pictures one by one.
    const each = 512 * 1024;
    const count = JOURNAL_PICTURES_BYTES_MAX / each;
    await withSystem(test.deps.db, async (tx) => {
      for (let i = 1; i < count; i += 1)
        await insertPosition(
          tx,
          newPosition(anna.id, { symbol: `X${i}USDT`, openedAtMs: atMs('2026-03-03T09:00:00Z') }),
        );
    });
    await test.database.asOwner(
      `insert into journal_pictures (position_id, user_id, picture, width, height)
       select id, $1, decode(repeat('00', ${each}), 'hex'), 1, 1 from positions where user_id = $1 and id <> $2`,
      [anna.id, id],
    );
    expect(await send('PUT', `${id}/picture`, await picture(60, 30))).toMatchObject({ code: 'quota_exceeded' });
    // One that replaces another counts only once.
    expect((await send('PUT', `${other}/picture`, await picture(60, 30))).status).toBe(200);
  });

  it('DESK-120 DESK-121 belongs to its owner, is in their export and goes with their account', async () => {
    const id = await closed(atMs('2026-03-01T09:00:00Z'), 104);
    await send('PUT', id, { note: 'mine alone', tags: ['secret'], revision: 0 });
    await send('PUT', `${id}/picture`, await picture(60, 30));
    for (const [method, path, body] of [
      ['GET', id],
      ['PUT', id, { note: 'theirs', tags: [], revision: 1 }],
      ['GET', `${id}/picture`],
      ['PUT', `${id}/picture`, await picture(9, 9)],
      ['DELETE', `${id}/picture`],
    ] as const)
      expect((await send(method, path, body, bert)).status, `${method} ${path}`).toBe(404);
    expect((await send('GET', id)).entry).toMatchObject({ note: 'mine alone', picture: { width: 60 } });
    const data = await test.app.inject({ url: '/api/account/export', headers: anna.bearer });
    expect(data.body).toContain('mine alone');
    expect(data.body).toContain('"journal_pictures"');

    await test.database.asOwner(
      `insert into deletion_requests (user_id, requested_at, erase_after) values ($1, now() - interval '9 days', now() - interval '1 day')`,
      [anna.id],
    );
    await sweepDeletions({ db: test.deps.db, files: test.deps.files, graceDays: 7, forgetSessions: () => undefined });
    for (const table of ['journal_entries', 'journal_pictures'])
      expect(await test.database.asOwner(`select from ${table} where user_id = $1`, [anna.id])).toEqual([]);
  });
});

async function statistics(zone?: string): Promise<JournalStatistics> {
  const query = zone === undefined ? '' : `?zone=${encodeURIComponent(zone)}`;
  const response = await test.app.inject({ url: `/api/journal/statistics${query}`, headers: anna.bearer });
  expect(response.statusCode, response.body.slice(0, 200)).toBe(200);
  return response.json<JournalStatistics>();
}

/** Midnight UTC some days ago: the calendar reaches back a year from now. */
const dayMs = (daysAgo: number): number => (Math.floor(Date.now() / 86_400_000) - daysAgo) * 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

describe('statistics of the journal', () => {
  it('DESK-123 days and hours follow the zone', async () => {
    const day = dayMs(20);
    // Opened at 22:30 UTC, closed at 23:30 UTC: in Kolkata the next day at 4:00.
    await closed(day + 22.5 * HOUR_MS, 104, { symbol: 'BTCUSDT' });
    await closed(day + 1 * HOUR_MS, 98, { symbol: 'ETHUSDT' });
    const utc = await statistics();
    // 4 x 2 - 0.2 is 7.8; -2 x 2 - 0.2 is -4.2.
    expect(utc.zone).toBe('UTC');
    expect(utc.days).toMatchObject([{ day: dayText(day), trades: 2, wins: 1, net_pnl: 3.6 }]);
    expect(utc.by_hour.map(({ name, net_pnl }) => [name, net_pnl])).toEqual([
      ['01', -4.2],
      ['22', 7.8],
    ]);
    const kolkata = await statistics('Asia/Kolkata');
    expect(kolkata.days.map(({ day: name, net_pnl }) => [name, net_pnl])).toEqual([
      [dayText(day), -4.2],
      [dayText(day + 24 * HOUR_MS), 7.8],
    ]);
    expect(kolkata.by_hour.map(({ name }) => name)).toEqual(['04', '06']);
  });

  it('DESK-123 the calendar ends a year ago, the rest counts every close', async () => {
    await closed(dayMs(400), 104, { symbol: 'BTCUSDT' });
    await closed(dayMs(300), 104, { symbol: 'ETHUSDT' });
    const all = await statistics();
    expect(all.days.map(({ day }) => day)).toEqual([dayText(dayMs(300))]);
    expect(all.by_symbol.map(({ name }) => name).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  });

  it('DESK-124 groups by tag and setup, each with its mean R', async () => {
    const start = dayMs(10);
    const tagged = await closed(start, 104, { symbol: 'BTCUSDT', openingRef: 'order:1' });
    const both = await closed(start + HOUR_MS, 98, { symbol: 'ETHUSDT', openingRef: 'scan:1:ETHUSDT', source: 'scan' });
    await closed(start + 2 * HOUR_MS, 102, { symbol: 'SOLUSDT', source: 'vision', openingRef: 'vision:1' });
    await send('PUT', tagged, { note: '', tags: ['trend'], revision: 0 });
    await send('PUT', both, { note: '', tags: ['trend', 'late'], revision: 0 });
    const { by_tag: tags, by_setup: setups } = await statistics();
    // Nets 7.8, -4.2 and 3.8, each over the risk of 4.198.
    expect(tags.map(({ name, trades, net_pnl }) => [name, trades, net_pnl])).toEqual([
      ['', 1, 3.8],
      ['trend', 2, 3.6],
      ['late', 1, -4.2],
    ]);
    expect(tags[1]?.mean_r).toBeCloseTo((7.8 - 4.2) / 4.198 / 2, 8);
    expect(setups.map(({ name, net_pnl }) => [name, net_pnl])).toEqual([
      ['order', 7.8],
      ['signal', 3.8],
      ['automatic', -4.2],
    ]);
  });

  it('DESK-123 rejects a zone that does not exist', async () => {
    const response = await test.app.inject({ url: '/api/journal/statistics?zone=Mars/Crater', headers: anna.bearer });
    expect(response.json<ResponseBody>()).toMatchObject({ code: 'validation_failed', field: 'zone' });
  });
});

describe('R multiples', () => {
  it('DESK-122 of history and analytics are the net result over the loss at the first stop', async () => {
    const start = dayMs(10);
    const id = await closed(start, 104);
    const url = `/api/positions/${id}`;
    const { position } = (await test.app.inject({ url, headers: anna.bearer })).json<{
      position: { r_multiple: number | null };
    }>();
    expect(position.r_multiple).toBeCloseTo(7.8 / 4.198, 10);
    const [open] = [
      await withSystem(test.deps.db, (tx) => insertPosition(tx, newPosition(anna.id, { symbol: 'XRPUSDT' }))),
    ];
    const other = await test.app.inject({ url: `/api/positions/${open}`, headers: anna.bearer });
    expect(other.json<{ position: object }>().position).toMatchObject({ r_multiple: null });
    await closed(start + HOUR_MS, 98, { symbol: 'ETHUSDT' });
    const analytics = await test.app.inject({ url: '/api/positions/analytics', headers: anna.bearer });
    const { all } = analytics.json<{ all: { mean_r: number } }>();
    expect(all.mean_r).toBeCloseTo((7.8 - 4.2) / 4.198 / 2, 8);
  });
});
