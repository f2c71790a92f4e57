import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readJson } from '../readJson.ts';
import { createCardBook, fakeMoonPay, isWidgetSigned, type MoonPayBook } from './moonPay.ts';
import {
  createBook,
  type CreateScenario,
  fakeNowPayments,
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
  /** Number of requests to create a payment. */
  creations: () => number;
  close: () => Promise<void>;
}

export interface PaymentsFakeOptions {
  port?: number;
  /** Where webhooks of the card provider go; the coin provider gets the URL with each payment. */
  cardNotifyUrl?: string;
  /** Pause between two notifications of one payment. */
  stepMs?: number;
}

const minimumUsd = 15;

/** Response to a request. Null: never responds. */
type ResponseBody = { status: number; body: string; headers: Record<string, string> } | null;
const json = (status: number, body: unknown, headers: Record<string, string> = {}): ResponseBody => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});
const rejection = (
  statusCode: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): ResponseBody => json(statusCode, { status: false, statusCode, code, message }, headers);
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (title: string, content: string): ResponseBody => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui;max-width:34rem;margin:2rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;margin:.25rem 0;width:100%}
code{overflow-wrap:anywhere}</style><h1>${title}</h1><p><strong>Practice: no real money.</strong> This page stands in for an outside service on this machine.</p>
${content}</html>`,
});
const nothing: ResponseBody = { status: 404, body: 'Not found.', headers: {} };

const wayTexts: Record<PayWay, string> = {
  full: 'Pay in full',
  half: 'Pay half',
  twice: 'Pay twice',
  over: 'Pay one and a half times',
  late: 'Pay late, after the invoice has expired',
  wrong: 'Send the wrong coin',
  refund: 'Return the money (refund)',
  expire: 'Let the invoice expire',
};

const rejections: Partial<Record<CreateScenario, ResponseBody>> = {
  belowMinimum: rejection(400, 'BAD_REQUEST', 'amountTo is too small, the minimal amount is 24.5'),
  unauthorized: rejection(401, 'UNAUTHORIZED', 'Unauthorized'),
  forbidden: rejection(403, 'INVALID_API_KEY', 'Invalid api key'),
  rateLimited: rejection(429, 'TOO_MANY_REQUESTS', 'Too many requests', { 'retry-after': '7' }),
  serverError: rejection(500, 'INTERNAL_ERROR', 'Internal server error'),
  html: { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>bad gateway</html>' },
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

  async function create(body: Record<string, unknown>): Promise<ResponseBody> {
    state.creations++;
    const scenario = state.left-- > 0 ? state.scenario : undefined;
    const rejected = scenario === undefined ? undefined : rejections[scenario];
    if (rejected !== undefined) return rejected;
    if (scenario === 'hang') return null;
    if (Number(body['price_amount']) < minimumUsd) {
      return rejection(400, 'BAD_REQUEST', `amountTo is too small, the minimal amount is ${minimumUsd}`);
    }
    const payment = coins.create(body);
    if (scenario === 'lost') return null;
    if (scenario === 'halfJson')
      return { status: 201, headers: { 'content-type': 'application/json' }, body: '{"payment_id":"5' };
    if (scenario === 'notifyFirst') await coins.notify(payment);
    if (scenario === 'slow') await new Promise((resolve) => setTimeout(resolve, 1000));
    const id = String(payment.payment_id);
    return json(201, { ...payment, payment_id: id, purchase_id: id, invoice_url: `${origin}/wallet/${id}` });
  }

  async function signIn(request: IncomingMessage): Promise<ResponseBody> {
    const { email, password } = await readJson(request);
    const { login } = fakeNowPayments;
    const isRight = email === login.email && password === login.password;
    return isRight ? json(200, { token: 'practice.token' }) : rejection(403, 'AUTH_REQUIRED', 'Wrong login');
  }

  function list(request: IncomingMessage, query: URLSearchParams): ResponseBody {
    if (request.headers.authorization !== 'Bearer practice.token') return rejection(401, 'AUTH_REQUIRED', 'Sign in');
    const since = Date.parse(query.get('dateFrom') ?? '1970-01-01');
    const limit = Number(query.get('limit') ?? 10);
    const at = Number(query.get('page') ?? 0);
    const data = [...coins.payments.values()].filter((each) => Date.parse(each.created_at) >= since).reverse();
    return json(200, { data: data.slice(at * limit, (at + 1) * limit), limit, page: at, total: data.length });
  }

  async function coinApi(request: IncomingMessage, path: string, query: URLSearchParams): Promise<ResponseBody> {
    if (request.headers['x-api-key'] !== fakeNowPayments.apiKey)
      return rejection(403, 'INVALID_API_KEY', 'Invalid api key');
    const coin = query.get('currency_to') ?? '';
    if (path === 'payment' && request.method === 'POST') return create(await readJson(request));
    if (path === 'payment/') return list(request, query);
    if (path === 'estimate') {
      const amount = Number(query.get('amount'));
      const estimated = (amount / rateOf(coin)).toFixed(8);
      return json(200, { currency_from: 'usd', amount_from: amount, currency_to: coin, estimated_amount: estimated });
    }
    if (path === 'min-amount') {
      const least = minimumUsd / rateOf(coin);
      return json(200, { currency_from: coin, currency_to: coin, min_amount: least, fiat_equivalent: minimumUsd });
    }
    const payment = coins.payments.get(Number(path.slice('payment/'.length)));
    return payment === undefined ? rejection(404, 'NOT_FOUND', 'Payment not found') : json(200, payment);
  }

  function cardApi(request: IncomingMessage, id: string, query: URLSearchParams): ResponseBody {
    if (id !== '') {
      const match = cards.transactions.get(id);
      return match === undefined ? json(404, { message: 'Not found' }) : json(200, match);
    }
    if (request.headers.authorization !== `Api-Key ${fakeMoonPay.secretKey}`)
      return json(401, { message: 'Unauthorized' });
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 0)];
    return json(200, [...cards.transactions.values()].slice(offset, offset + limit));
  }

  function wallet(request: IncomingMessage, { pathname, searchParams }: URL): ResponseBody {
    const payment = coins.payments.get(Number(pathname.split('/')[2]));
    if (payment === undefined) return nothing;
    const { payment_id: id, pay_amount: amount, pay_currency: coin, pay_address: address } = payment;
    const way = payWays.find((each) => each === searchParams.get('way'));
    if (request.method === 'POST' && way !== undefined) {
      void coins.pay(id, way);
      return { status: 303, headers: { location: `/wallet/${id}?done=${way}` }, body: '' };
    }
    const done = payWays.find((each) => each === searchParams.get('done'));
    const buttons = payWays.map(
      (each) => `<form method="post" action="/wallet/${id}?way=${each}"><button>${wayTexts[each]}</button></form>`,
    );
    const reported = done === undefined ? '' : `<p role="status">Done: ${wayTexts[done]}. Go back to Sextant.</p>`;
    const invoice = `<p>Invoice: ${amount} ${escaped(coin)} to <code>${escaped(address)}</code></p>`;
    return page('Practice wallet', `${invoice}${reported}${buttons.join('')}`);
  }

  async function widget(request: IncomingMessage, url: URL): Promise<ResponseBody> {
    const parameter = (name: string): string => url.searchParams.get(name) ?? '';
    const title = 'Practice card';
    if (!isWidgetSigned(url.search)) return page(title, '<p>The address of this widget is not signed correctly.</p>');
    const amount = Number(parameter('baseCurrencyAmount'));
    if (request.method !== 'POST') {
      const action = escaped(`/widget${url.search}`);
      return page(
        title,
        `<form method="post" action="${action}"><button>Pay ${amount} USD by practice card</button></form>`,
      );
    }
    const order = {
      orderId: parameter('externalTransactionId'),
      amount,
      walletAddress: parameter('walletAddress'),
      currencyCode: parameter('currencyCode'),
    };
    const bought = await cards.buy(order);
    const back = new URL(parameter('redirectURL'));
    back.searchParams.set('transactionId', bought.id);
    back.searchParams.set('transactionStatus', 'pending');
    const link = `<a target="_top" href="${escaped(back.href)}">Back to Sextant</a>`;
    return page(title, `<p role="status">Paid ${amount} USD.</p><p>${link}</p>`);
  }

  async function respond(request: IncomingMessage): Promise<ResponseBody> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const { pathname, searchParams } = url;
    const [, version, first] = pathname.split('/');
    if (version === 'v1') {
      if (first === 'status') return json(200, { message: 'OK' });
      if (first === 'auth') return signIn(request);
      if (first === 'transactions') return cardApi(request, pathname.slice('/v1/transactions/'.length), searchParams);
      return coinApi(request, pathname.slice('/v1/'.length), searchParams);
    }
    // Another site that resolves its name to this machine must not use the pages.
    if (!/^127\.0\.0\.1:\d+$/.test(request.headers.host ?? '')) return { status: 403, headers: {}, body: '' };
    if (pathname.startsWith('/wallet/')) return wallet(request, url);
    return pathname === '/widget' ? widget(request, url) : nothing;
  }

  const server = createServer((request, response) => {
    respond(request)
      .then((given) => {
        if (given !== null) response.writeHead(given.status, given.headers).end(given.body);
      })
      .catch((error: unknown) => response.writeHead(599).end(String(error)));
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
