import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readJson } from '../readJson.ts';
import { createCardBook, fakeMoonPay, isWidgetSigned, type MoonPayBook } from './moonPay.ts';
import {
  createBook,
  type CreateScenario,
  fakeNowPayments,
  type FakePayment,
  type NowPaymentsBook,
  payWays,
  type PayWay,
  rateOf,
} from './nowPayments.ts';

export interface PaymentsFake {
  /** Origin: the API of the coin provider is below `/v1`, the widget at `/widget`. */
  url: string;
  coins: NowPaymentsBook;
  cards: MoonPayBook;
  /** Response to the next `times` creations. */
  play: (scenario: CreateScenario, times?: number) => void;
  /** How often a payment was asked to be created. */
  creations: () => number;
  close: () => Promise<void>;
}

export interface PaymentsFakeOptions {
  port?: number;
  /** Where webhooks of the card provider go; the coin provider is told with each payment. */
  cardNotifyUrl?: string;
  /** Pause between two notifications of one payment. */
  stepMs?: number;
}

const minimumUsd = 15;
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (statusCode: number, code: string, message: string) => ({ status: false, statusCode, code, message });
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const wayTexts: Record<PayWay, string> = {
  full: 'Pay in full',
  half: 'Pay half',
  twice: 'Pay twice',
  over: 'Pay one and a half times',
  late: 'Pay late, after the invoice has expired',
  wrong: 'Send the wrong coin',
  refund: 'Return the money (refund)',
};

/** The two payment providers on loopback, with a practice wallet that pays their invoices. */
export async function startPayments(options: PaymentsFakeOptions = {}): Promise<PaymentsFake> {
  const coins = createBook(options.stepMs === undefined ? {} : { stepMs: options.stepMs });
  const cards = createCardBook(() => options.cardNotifyUrl ?? 'http://127.0.0.1:9/');
  const state: { scenario: CreateScenario | undefined; left: number; creations: number } = {
    scenario: undefined,
    left: 0,
    creations: 0,
  };
  let origin = '';

  function answerCreated(response: ServerResponse, payment: FakePayment): void {
    const { payment_id: id, ...rest } = payment;
    const body = { payment_id: String(id), ...rest, purchase_id: String(id), invoice_url: `${origin}/wallet/${id}` };
    json(response, 201, body);
  }

  async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    state.creations++;
    const scenario = state.left-- > 0 ? state.scenario : undefined;
    const refusals: Partial<Record<CreateScenario, [number, string, string]>> = {
      belowMinimum: [400, 'BAD_REQUEST', 'amountTo is too small, the minimal amount is 24.5'],
      unauthorized: [401, 'UNAUTHORIZED', 'Unauthorized'],
      forbidden: [403, 'INVALID_API_KEY', 'Invalid api key'],
      rateLimited: [429, 'TOO_MANY_REQUESTS', 'Too many requests'],
      serverError: [500, 'INTERNAL_ERROR', 'Internal server error'],
    };
    const refused = scenario === undefined ? undefined : refusals[scenario];
    if (refused !== undefined)
      return json(response, refused[0], refusal(...refused), refused[0] === 429 ? { 'retry-after': '7' } : {});
    if (scenario === 'html')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>');
    if (scenario === 'hang') return;
    if (Number(body['price_amount']) < minimumUsd) {
      return json(
        response,
        400,
        refusal(400, 'BAD_REQUEST', `amountTo is too small, the minimal amount is ${minimumUsd}`),
      );
    }
    const payment = coins.create(body);
    if (scenario === 'lost') return;
    if (scenario === 'halfJson')
      return void response.writeHead(201, { 'content-type': 'application/json' }).end('{"payment_id":"5');
    if (scenario === 'notifyFirst') await coins.notify(payment);
    if (scenario === 'slow') await new Promise((resolve) => setTimeout(resolve, 1000));
    answerCreated(response, payment);
  }

  async function api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const path = url.pathname.slice('/v1/'.length);
    if (path === 'status') return json(response, 200, { message: 'OK' });
    if (path.startsWith('transactions')) return cardApi(request, response, url);
    if (path === 'auth') {
      const { email, password } = await readJson(request);
      const { login } = fakeNowPayments;
      if (email !== login.email || password !== login.password)
        return json(response, 403, refusal(403, 'AUTH_REQUIRED', 'Wrong login'));
      return json(response, 200, { token: 'practice.token' });
    }
    if (request.headers['x-api-key'] !== fakeNowPayments.apiKey)
      return json(response, 403, refusal(403, 'INVALID_API_KEY', 'Invalid api key'));
    if (path === 'payment' && request.method === 'POST') return create(request, response);
    if (path === 'payment/') {
      if (request.headers.authorization !== 'Bearer practice.token')
        return json(response, 401, refusal(401, 'AUTH_REQUIRED', 'Sign in'));
      const since = Date.parse(url.searchParams.get('dateFrom') ?? '1970-01-01');
      const limit = Number(url.searchParams.get('limit') ?? 10);
      const page = Number(url.searchParams.get('page') ?? 0);
      const data = [...coins.payments.values()].filter((each) => Date.parse(each.created_at) >= since).reverse();
      return json(response, 200, {
        data: data.slice(page * limit, (page + 1) * limit),
        limit,
        page,
        total: data.length,
      });
    }
    const coin = url.searchParams.get('currency_to') ?? '';
    if (path === 'estimate') {
      const amount = Number(url.searchParams.get('amount'));
      return json(response, 200, {
        currency_from: 'usd',
        amount_from: amount,
        currency_to: coin,
        estimated_amount: (amount / rateOf(coin)).toFixed(8),
      });
    }
    if (path === 'min-amount') {
      return json(response, 200, {
        currency_from: coin,
        currency_to: coin,
        min_amount: minimumUsd / rateOf(coin),
        fiat_equivalent: minimumUsd,
      });
    }
    const payment = coins.payments.get(Number(path.slice('payment/'.length)));
    if (payment === undefined) return json(response, 404, refusal(404, 'NOT_FOUND', 'Payment not found'));
    json(response, 200, payment);
  }

  function cardApi(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const id = url.pathname.slice('/v1/transactions/'.length);
    if (id === '') {
      if (request.headers.authorization !== `Api-Key ${fakeMoonPay.secretKey}`)
        return json(response, 401, { message: 'Unauthorized' });
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name) ?? 0)) as [
        number,
        number,
      ];
      return json(response, 200, [...cards.transactions.values()].slice(offset, offset + limit));
    }
    const found = cards.transactions.get(id);
    json(response, found === undefined ? 404 : 200, found ?? { message: 'Not found' });
  }

  const page = (response: ServerResponse, title: string, content: string): void =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui;max-width:34rem;margin:2rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;margin:.25rem 0;width:100%}
code{overflow-wrap:anywhere}</style><h1>${title}</h1><p><strong>Practice: no real money.</strong> This page stands in for an outside service on this machine.</p>
${content}</html>`,
    );

  function wallet(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const payment = coins.payments.get(Number(url.pathname.split('/')[2]));
    if (payment === undefined) return void response.writeHead(404).end('There is no such invoice.');
    const way = payWays.find((each) => each === url.searchParams.get('way'));
    if (request.method === 'POST' && way !== undefined) {
      void coins.pay(payment.payment_id, way);
      return void response.writeHead(303, { location: `/wallet/${payment.payment_id}?done=${way}` }).end();
    }
    const done = payWays.find((each) => each === url.searchParams.get('done'));
    const buttons = payWays.map(
      (each) =>
        `<form method="post" action="/wallet/${payment.payment_id}?way=${each}"><button>${wayTexts[each]}</button></form>`,
    );
    const told = done === undefined ? '' : `<p role="status">Done: ${wayTexts[done]}. Go back to Sextant.</p>`;
    page(
      response,
      'Practice wallet',
      `<p>Invoice: ${payment.pay_amount} ${escaped(payment.pay_currency)} to <code>${escaped(payment.pay_address)}</code></p>${told}${buttons.join('')}`,
    );
  }

  async function widget(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const parameter = (name: string): string => url.searchParams.get(name) ?? '';
    if (!isWidgetSigned(url.search))
      return page(response, 'Practice card', '<p>The address of this widget is not signed correctly.</p>');
    const amount = Number(parameter('baseCurrencyAmount'));
    if (request.method === 'POST') {
      const bought = await cards.buy({
        orderId: parameter('externalTransactionId'),
        amount,
        walletAddress: parameter('walletAddress'),
      });
      const back = new URL(parameter('redirectURL'));
      back.searchParams.set('transactionId', bought.id);
      back.searchParams.set('transactionStatus', 'pending');
      return page(
        response,
        'Practice card',
        `<p role="status">Paid ${amount} USD.</p><p><a target="_top" href="${escaped(back.href)}">Back to Sextant</a></p>`,
      );
    }
    page(
      response,
      'Practice card',
      `<form method="post" action="${escaped(`/widget${url.search}`)}"><button>Pay ${amount} USD by practice card</button></form>`,
    );
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname.startsWith('/v1/')) return api(request, response, url);
    // Another site that resolves its name to this machine must not use the pages.
    if (!/^127\.0\.0\.1:\d+$/.test(request.headers.host ?? '')) return void response.writeHead(403).end();
    if (url.pathname.startsWith('/wallet/')) return wallet(request, response, url);
    if (url.pathname === '/widget') return widget(request, response, url);
    response.writeHead(404).end();
  }

  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.writeHead(599).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    coins,
    cards,
    play: (scenario, times = Infinity) => Object.assign(state, { scenario, left: times }),
    creations: () => state.creations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
