import { fakeNowPayments, signNotice } from '@sextant/server/fakes/payments/nowPayments.ts';
import { histogramOf, openLoop, percentilesOf } from '../api/openLoop.ts';
import { type Product, startProduct } from '../api/product.ts';
import { type EventReader, readEvents } from '../api/readEvents.ts';
import { type ResultLine, rounded } from '../results.ts';

/** Payments of each case; a p99 of 300 is the third longest. */
const PAYMENTS = 300;
const WARM_UP = 20;
const AMOUNT = 20;
/** The new balance has to be on the page within this time. */
const P99_MAX_MS = 500;
/** Reads a second beside the payments in the second case. */
const READS_PER_S = 40;
/** Longer than the case takes; the load is ended when the payments are through. */
const LOAD_MS = 600_000;

const envOf = (paymentsUrl: string): Record<string, string> => ({
  NOWPAYMENTS_API_KEY: fakeNowPayments.apiKey,
  NOWPAYMENTS_IPN_SECRET: fakeNowPayments.ipnSecret,
  NOWPAYMENTS_URL: `${paymentsUrl}/v1`,
});

interface Invoice {
  payment_id: string;
  order_id: string;
  pay_amount: string;
  pay_currency: string;
}

/** The provider's report of an invoice that was paid in full. */
const finishedNotice = ({ payment_id: id, order_id, pay_amount, pay_currency }: Invoice): object => ({
  payment_id: Number(id),
  parent_payment_id: null,
  order_id,
  payment_status: 'finished',
  price_amount: AMOUNT,
  price_currency: 'usd',
  pay_amount: Number(pay_amount),
  pay_currency,
  actually_paid: Number(pay_amount),
  fee: { currency: pay_currency, depositFee: 0.1, withdrawalFee: 0, serviceFee: 0 },
});

async function notify(url: string, notice: object): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signNotice(notice) };
  const response = await fetch(`${url}/api/billing/now/ipn`, { method: 'POST', headers, body: JSON.stringify(notice) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the notification got status ${response.status}`);
}

interface Side {
  product: Product;
  url: string;
  events: EventReader;
}

const readBalance = async ({ product, url }: Side): Promise<number> =>
  (JSON.parse(await product.call(`${url}/api/credits`)) as { balance: number }).balance;

interface Figures {
  /** From the first byte of the notification to the response, ms. */
  respondedMs: number;
  /** To the event on the stream, ms. */
  eventMs: number;
  /** Time until the page has refetched the new balance, ms. */
  shownMs: number;
  balance: number;
}

/** One purchase: the invoice is made before the clock starts. */
async function payOnce(side: Side): Promise<Figures> {
  const { product, url, events } = side;
  const body = { amount: AMOUNT, currency: 'usdt' };
  const invoice = JSON.parse(await product.call(`${url}/api/billing/now/create-payment`, body)) as Invoice;
  const reported = events.next('credits');
  const startMs = performance.now();
  const responded = notify(url, finishedNotice(invoice)).then(() => performance.now() - startMs);
  const reportedMs = (await reported) - startMs;
  const balance = await readBalance(side);
  const shownMs = performance.now() - startMs;
  return { respondedMs: await responded, eventMs: reportedMs, shownMs, balance };
}

/** @returns figures of each payment, and what went wrong */
async function payAll(side: Side, count: number): Promise<{ all: Figures[]; mismatch: string | undefined }> {
  const all: Figures[] = [];
  const before = await readBalance(side);
  let wrong = 0;
  for (let index = 1; index <= count; index++) {
    const figures = await payOnce(side);
    if (figures.balance !== before + index * AMOUNT) wrong++;
    all.push(figures);
  }
  const mismatch = wrong === 0 ? undefined : `${wrong} of ${count} balances were not those after the payment`;
  return { all, mismatch };
}

/** The same payments while other pages read: their requests start as a Poisson process until the payments are through. */
async function payBesideReads(side: Side): Promise<Awaited<ReturnType<typeof payAll>> & { reads: number }> {
  const { product, url } = side;
  const stop = new AbortController();
  const send = () => product.call(`${url}/api/billing/payments?limit=50`);
  const load = openLoop({ ratePerS: READS_PER_S, durationMs: LOAD_MS, seed: 15, send, signal: stop.signal });
  const paid = await payAll(side, PAYMENTS);
  stop.abort();
  const { latenciesMs, failures } = await load;
  if (failures.length > 0) throw new Error(`${failures.length} reads failed: ${failures[0]}`);
  return { ...paid, reads: latenciesMs.length };
}

/** From the notification of a finished payment to the event on the stream of its owner, and to the balance the page reads then. */
export async function measurePayments(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const lines: ResultLine[] = [];
  const notes = [
    `Goal: the new balance within ${P99_MAX_MS} ms at p99. The clock starts before the first byte of the notification is sent, and ends when the page that its stream notified has read the balance; a page paints it in its next frame.`,
    'Bench, server, database and stand-ins are processes of one machine; invoices are made before the clock starts.',
  ];
  const add = (line: ResultLine): void => {
    lines.push(line);
    report(line);
  };
  const product = await startProduct(envOf);
  try {
    const { url } = await product.ask({ ask: 'state' });
    const side = { product, url, events: await readEvents(`${url}/api/events`, product.token) };
    await payAll(side, WARM_UP);
    addFigures('alone', await payAll(side, PAYMENTS), add, notes);
    const beside = await payBesideReads(side);
    addFigures(`beside ${READS_PER_S} reads/s`, beside, add, notes);
    notes.push(`reads beside the payments: ${beside.reads}, none failed`);
    side.events.close();
  } finally {
    await product.close();
  }
  return { lines, notes };
}

function addFigures(
  name: string,
  { all, mismatch }: Awaited<ReturnType<typeof payAll>>,
  add: (line: ResultLine) => void,
  notes: string[],
): void {
  const parts = [
    ['new balance read', all.map(({ shownMs }) => shownMs)],
    ['event on the stream', all.map(({ eventMs }) => eventMs)],
    ['notification response', all.map(({ respondedMs }) => respondedMs)],
  ] as const;
  for (const [part, latenciesMs] of parts) {
    const { p50, p99 } = percentilesOf(latenciesMs);
    add({ suite: 'payments', case: `${name}, ${part} p50`, figure: rounded(p50), unit: 'ms' });
    add({ suite: 'payments', case: `${name}, ${part} p99`, figure: rounded(p99), unit: 'ms' });
  }
  if (mismatch !== undefined) add({ suite: 'payments', case: name, mismatch });
  notes.push(`${name}: ${histogramOf(all.map(({ shownMs }) => shownMs))}`);
}
