import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { sweepDeletions } from '../../../src/features/account/deletion.ts';
import type { ReceiptWire } from '../../../src/features/payments/contract.ts';
import { receiptPdf } from '../../../src/features/payments/receiptPdf.ts';
import { issueReceipts, toCsv } from '../../../src/features/payments/receipts.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { createPaymentsApp, type PaymentsApp } from './support/paymentsApp.ts';

let test: PaymentsApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createPaymentsApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

const seller = { name: 'Sextant, Ltd', address: 'Main Street 1\n1010 Vienna', taxId: 'X1' };
const get = (url: string, user = anna) => test.app.inject({ url, headers: user.bearer });
const receiptsOf = async (user: TestUser) =>
  (await get('/api/billing/receipts', user)).json<{ receipts: ReceiptWire[] }>().receipts;
const buyPaid = async (user: TestUser, amount: number): Promise<void> => {
  const payment = await test.buy(user, amount);
  await test.fake.coins.pay(payment.payment_id, 'full');
};

/** The text lines of an uncompressed PDF, in the order they are drawn, parsed as the format defines (ISO 32000-1, 9.4.3). */
function linesOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/\[((?:<[0-9a-f]*>|[-\d. ])*)\] TJ/g)].map(([, shown = '']) =>
    [...shown.matchAll(/<([0-9a-f]*)>/g)]
      .map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
      .join(''),
  );
}

const sample: ReceiptWire = {
  id: '00000000-0000-4000-8000-000000000001',
  number: '2026-000017',
  year: 2026,
  issued_at: '2026-11-23T09:05:59.123Z',
  order_id: '00000000-0000-4000-8000-000000000002',
  payment_id: '5077125051',
  method: 'usdt',
  method_name: 'USDT on TRON (TRC-20)',
  credits: 1234,
  amount_cents: 123_400,
  seller: { name: 'Sextant, Ltd', address: 'Main Street 1', tax_id: 'X1' },
};

it('PAY-003 the PDF of a receipt has the figures of the ledger, a right name and type, and the same bytes each time', async () => {
  await buyPaid(anna, 23);
  await issueReceipts(test.deps.db, seller);
  const [entry] = await test.database.asOwner<{ delta: number }>(
    `select delta_credits as delta from credit_ledger where user_id = $1 and reason = 'purchase'`,
    [anna.id],
  );
  const [receipt] = await receiptsOf(anna);
  const url = `/api/billing/receipts/${receipt!.id}/pdf`;
  const file = await get(url);
  expect(file.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="sextant-receipt-${receipt!.number}.pdf"`,
  });
  expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  const lines = linesOf(file.rawPayload);
  expect(lines).toContain(`Receipt ${receipt!.number}`);
  expect(lines).toContain('Main Street 1');
  expect(lines).toContain('1010 Vienna');
  const valueOf = (label: string) => lines[lines.indexOf(label) + 1];
  expect(valueOf('Order')).toBe(receipt!.order_id);
  expect(valueOf('Issued')).toBe(`${receipt!.issued_at.slice(0, 16).replace('T', ' ')} UTC`);
  expect(valueOf('Method')).toBe('USDT on TRON (TRC-20)');
  expect(lines.slice(-2)).toEqual([String(entry!.delta), `${entry!.delta}.00`]);
  expect((await get(url)).rawPayload.equals(file.rawPayload)).toBe(true);
  expect((await get(url, await test.signUp())).statusCode).toBe(404);
});

it('PAY-003 the PDF of a refund says so, with negative figures', async () => {
  const lines = linesOf(await receiptPdf({ ...sample, credits: -7, amount_cents: -700 }));
  expect(lines[0]).toBe('Refund receipt 2026-000017');
  expect(lines.slice(-3)).toEqual(['Credits returned', '-7', '-7.00']);
});

it('PAY-003 an issued receipt keeps its bytes: a new layout or library must apply to new receipts only', async () => {
  const bytes = await receiptPdf(sample);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '4ea67fc946702f71b8659efe452e30faa399f7c798f4ed4037a84e0e3a63a790',
  );
});

it('PAY-003 the PDF shows signs of its syntax as they are, breaks long names and marks signs its font does not have', async () => {
  const odd = String.raw`(a) \) <b> [c] TJ ET %PDF € Ünïon “x”`;
  const withOdd = linesOf(await receiptPdf({ ...sample, seller: { ...sample.seller, name: odd } }));
  expect(withOdd).toContain(odd);
  const word = 'W'.repeat(200);
  const long = linesOf(
    await receiptPdf({ ...sample, seller: { name: word, address: 'A\n'.repeat(250), tax_id: 'T'.repeat(50) } }),
  );
  expect(long.filter((line) => /^W+$/.test(line)).join('')).toBe(word);
  expect(Math.max(...long.filter((line) => /^W+$/.test(line)).map(({ length }) => length))).toBeLessThan(60);
  expect(long.filter((line) => line === 'A')).toHaveLength(250);
  expect(long.slice(-2)).toEqual(['1234', '1234.00']);
  const foreign = linesOf(await receiptPdf({ ...sample, seller: { ...sample.seller, name: 'Łódź 東京\u0000' } }));
  expect(foreign).toContain('?ód? ???');
});

it('a seller whose details a PDF cannot show is rejected at startup, naming variable and character', () => {
  const given = { RECEIPT_SELLER_NAME: 'Łódź', RECEIPT_SELLER_ADDRESS: 'x' };
  expect(() => readConfig(given)).toThrow('RECEIPT_SELLER_NAME: PDF receipts cannot show "Ł"; use Latin letters');
  expect(readConfig({ ...given, RECEIPT_SELLER_NAME: 'Grüße & Söhne €' }).receiptSeller?.name).toBe('Grüße & Söhne €');
});

it('PAY-003 a cell of the year as CSV is never a formula, and a refund keeps its minus sign', () => {
  const name = '=HYPERLINK("http://evil.example","x")';
  const csv = toCsv([
    { ...sample, payment_id: '@SUM(1)', credits: -7, amount_cents: -700, seller: { ...sample.seller, name } },
  ]);
  expect(csv.split('\r\n')[1]).toBe(
    `2026-000017,2026-11-23T09:05:59.123Z,${sample.order_id},'@SUM(1),usdt,-7,-7.00,"'=HYPERLINK(""http://evil.example"",""x"")"`,
  );
});

it('PAY-003 the receipts of a deleted account stay without the user: numbers have no gap and the year keeps its total', async () => {
  const bert = await test.signUp();
  for (const [user, amount] of [
    [anna, 21],
    [bert, 22],
    [anna, 23],
  ] as const) {
    await buyPaid(user, amount);
    await issueReceipts(test.deps.db, seller);
  }
  const of = await receiptsOf(anna);
  const total = async () =>
    (
      await test.database.asOwner<{ cents: number; credits: number; count: number; last: number }>(
        `select sum(amount_cents)::int as cents, sum(credits)::int as credits, count(*)::int, max(number) as last from receipts`,
      )
    )[0]!;
  const before = await total();
  expect(before.last).toBe(before.count);

  const exported = await get('/api/account/export');
  for (const { order_id: orderId } of of) expect(exported.body).toContain(orderId);
  const response = await test.app.inject({
    method: 'POST',
    url: '/api/account/deletion',
    headers: anna.bearer,
    payload: { email: anna.email },
  });
  expect(response.statusCode).toBe(200);
  await test.database.asOwner(`update deletion_requests set requested_at = now() - interval '8 days',
    erase_after = now() - interval '1 day' where user_id = '${anna.id}'`);
  await sweepDeletions(test.deps.deletion);

  expect(await total()).toEqual(before);
  const retained = await test.database.asOwner<Record<string, unknown>>(
    'select * from receipts where user_id is null order by number',
  );
  expect(
    retained.map(({ method, credits, amount_cents: cents, created_at: at }) => [method, credits, cents, at]),
  ).toEqual(of.toReversed().map((each) => [each.method, each.credits, each.amount_cents, new Date(each.issued_at)]));
  const text = JSON.stringify(retained);
  for (const trace of [anna.id, anna.email, ...of.flatMap((each) => [each.order_id, each.payment_id ?? '-'])])
    expect(text).not.toContain(trace);

  await buyPaid(bert, 24);
  await issueReceipts(test.deps.db, seller);
  expect(await total()).toMatchObject({ last: before.last + 1, count: before.count + 1 });
  expect((await receiptsOf(bert)).map(({ credits }) => credits)).toEqual([24, 22]);
  for (const change of [
    'update receipts set user_id = null',
    'update receipts set credits = 1',
    'delete from receipts',
  ])
    await expect(test.database.asOwner(change)).rejects.toMatchObject({ code: '23001' });
});
