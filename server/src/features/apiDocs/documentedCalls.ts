import { type ApiErrorCode, apiErrors } from '../../platform/errors.ts';
import type { ApiDocument, Operation, Schema, Schemas } from './page.ts';

/** A call in the screens, collections and examples: its page, and a request that succeeds. */
interface CallSample {
  page: DocumentedPage;
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Maximum credits of a call; omitted when it is free. */
  costs?: number;
  /** HTTP status of a successful response; 200 when omitted. */
  status?: number;
}

export const documentedPages = ['authentication', 'signals', 'market', 'analysis', 'webhooks', 'usage'] as const;
export type DocumentedPage = (typeof documentedPages)[number];

const market = { symbol: 'BTCUSDT', interval: '1h' };

/** Texts about these calls come from the API document; only the sample requests are written here. */
const samples: readonly CallSample[] = [
  { page: 'authentication', method: 'GET', path: '/api/account/whoami' },
  {
    page: 'signals',
    method: 'POST',
    path: '/api/futures-signal',
    body: { ...market, limit: 500, balance: 1000, leverage: 10, riskTolerance: 'medium' },
  },
  { page: 'signals', method: 'GET', path: '/api/ensemble', query: { symbol: 'BTCUSDT', intervals: '15m,1h,4h' } },
  { page: 'signals', method: 'GET', path: '/api/historic-signals', query: { limit: '10' } },
  {
    page: 'signals',
    method: 'POST',
    path: '/api/scan',
    body: { symbols: ['BTCUSDT', 'ETHUSDT'], intervals: ['1h'] },
    costs: 1,
    status: 202,
  },
  { page: 'signals', method: 'GET', path: '/api/scan/last' },
  { page: 'market', method: 'GET', path: '/api/price', query: { symbol: 'BTCUSDT' } },
  { page: 'market', method: 'GET', path: '/api/price/batch', query: { symbols: 'BTCUSDT,ETHUSDT,SOLUSDT' } },
  { page: 'market', method: 'GET', path: '/api/klines', query: { ...market, limit: '5' } },
  { page: 'market', method: 'GET', path: '/api/funding', query: { symbol: 'BTCUSDT' } },
  { page: 'market', method: 'GET', path: '/api/futures-symbols' },
  { page: 'analysis', method: 'POST', path: '/api/technical-indicators', body: { ...market, limit: 200 } },
  { page: 'analysis', method: 'POST', path: '/api/backtest', body: { ...market, limit: 300 } },
  {
    page: 'analysis',
    method: 'POST',
    path: '/api/rules/check',
    body: {
      rules:
        'fast = 12 [5..50 step 1]; slow = 26\nlong when crossover(ema(close, fast), ema(close, slow))\nstop 2 * atr(14)',
      interval: '1h',
    },
  },
  {
    page: 'analysis',
    method: 'POST',
    path: '/api/backtest/portfolio',
    body: { symbols: ['BTCUSDT', 'ETHUSDT'], interval: '1h', limit: 300 },
  },
  {
    page: 'analysis',
    method: 'POST',
    path: '/api/arbitrage-scan',
    body: { symbols: ['BTCUSDT', 'ETHUSDT'], minSpreadPct: 0.005, notionalUsdt: 1000 },
    costs: 1,
  },
  { page: 'webhooks', method: 'GET', path: '/api/webhooks' },
  {
    page: 'webhooks',
    method: 'POST',
    path: '/api/webhooks',
    body: { url: 'https://example.com/sextant', events: ['signal.created', 'position.closed'] },
  },
  { page: 'usage', method: 'GET', path: '/api/account/api-usage' },
  { page: 'usage', method: 'GET', path: '/api/account/api-logs', query: { limit: '20' } },
  { page: 'usage', method: 'GET', path: '/api/credits' },
  { page: 'usage', method: 'GET', path: '/api/health' },
];

/** Documented separately: its response does not end, so collections and the form that tries calls leave it out. */
const streamSample: CallSample = {
  page: 'signals',
  method: 'GET',
  path: '/api/stream',
  query: { symbols: 'BTCUSDT,ETHUSDT', intervals: '1h', events: 'signals,candles' },
};

/** A field of a request or response, in readable form. */
export interface FieldRow {
  /** `position.sizeUsdt`; `items[].status` inside a list. */
  name: string;
  /** `integer, 100 to 1000, default 500`. */
  type: string;
  is_required: boolean;
  description: string;
}

export interface DocumentedCall {
  page: DocumentedPage;
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  description: string;
  /** `public`, `any_key` or the scope a key needs. */
  access: string;
  /** Maximum credits of a call; 0 when it is free. */
  costs: number;
  /** HTTP status of the response. */
  status: number;
  parameters: FieldRow[];
  answer: FieldRow[];
  refusals: { status: number; code: string; title: string }[];
  /** Sample request: path with its query, and the body. */
  sample: { path: string; body: Record<string, unknown> | null };
}

/** Listed levels. Inner fields of a request are optional as a whole: only the full document has them. */
const depths = { answer: 3, request: 1 };

function resolved(schema: Schema, schemas: Schemas): Schema {
  const { $ref: ref, anyOf } = schema as { $ref?: string; anyOf?: Schema[] };
  if (ref !== undefined) {
    const named = schemas[ref.split('/').at(-1) ?? ''];
    return named === undefined ? {} : resolved({ ...named, ...descriptionOf(schema) }, schemas);
  }
  const shapes = (anyOf ?? []).filter((each) => each['type'] !== 'null');
  const [only] = shapes;
  if (anyOf === undefined || only === undefined || shapes.length > 1) return schema;
  return { ...resolved(only, schemas), ...descriptionOf(schema), isNullable: true };
}

const aboutOf = (schema: Schema, schemas: Schemas): string => {
  const { description } = resolved(schema, schemas);
  return typeof description === 'string' ? description : '';
};

const descriptionOf = ({ description }: Schema): Schema => (description === undefined ? {} : { description });

function rangeText(schema: Schema): string {
  const { minimum, maximum, default: usual } = schema as { minimum?: number; maximum?: number; default?: unknown };
  const text = (value: number): string => (Math.abs(value) < 1e6 ? String(value) : value.toLocaleString('en-US'));
  const [from, to] = [minimum, maximum].map((value) => (value === undefined ? undefined : text(value)));
  const words = [
    from === undefined ? '' : to === undefined ? `, at least ${from}` : `, ${from} to ${to}`,
    from === undefined && to !== undefined ? `, at most ${to}` : '',
  ];
  const range = words.join('');
  const isPlain = typeof usual === 'string' || typeof usual === 'number' || typeof usual === 'boolean';
  return isPlain ? `${range}, default ${String(usual)}` : range;
}

function typeText(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  const {
    type,
    enum: values,
    anyOf,
    items,
    isNullable,
  } = schema as {
    type?: unknown;
    enum?: unknown[];
    anyOf?: Schema[];
    items?: Schema;
    isNullable?: boolean;
  };
  const end = `${rangeText(schema)}${isNullable === true ? ' or null' : ''}`;
  if (values !== undefined) return values.map(String).join(' | ') + end;
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeText(each, schemas)))].join(' or ');
  if (items !== undefined) return `list of ${typeText(items, schemas)}${end}`;
  return `${[type ?? 'any'].flat().map(String).join(' or ')}${end}`;
}

/** The fields of an object; fields of inner objects and lists follow under qualified names. */
function fieldRows(given: Schema, schemas: Schemas, depth: number, prefix = ''): FieldRow[] {
  const schema = resolved(given, schemas);
  const { properties, items, required } = schema as {
    properties?: Record<string, Schema>;
    items?: Schema;
    required?: string[];
  };
  if (items !== undefined) return fieldRows(items, schemas, depth, `${prefix}[]`);
  return Object.entries(properties ?? {}).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const inner = resolved(field, schemas);
    const row: FieldRow = {
      name,
      type: typeText(field, schemas),
      is_required: required?.includes(key) === true,
      description: aboutOf(field, schemas),
    };
    return depth <= 1 ? [row] : [row, ...fieldRows(inner, schemas, depth - 1, name)];
  });
}

const bodyOf = (content: Record<string, { schema: Schema }> | undefined): Schema =>
  Object.values(content ?? {})[0]?.schema ?? {};

function accessOf({ security = [] }: Operation): string {
  const key = security.find((each) => each['apiKey'] !== undefined);
  if (key === undefined) return 'public';
  return key['apiKey']?.[0] ?? 'any_key';
}

const rejectionsOf = ({ 'x-error-codes': byStatus = {} }: Operation): DocumentedCall['refusals'] =>
  Object.values(byStatus)
    .flatMap((codes) => codes.split(', '))
    .map((code) => ({ code, ...apiErrors[code as ApiErrorCode] }))
    .map(({ status, code, title }) => ({ status, code, title }));

function parametersOf({ parameters = [], requestBody }: Operation, schemas: Schemas): FieldRow[] {
  const ofQuery = parameters
    .filter((each) => each.in === 'query')
    .map((each) => ({
      name: each.name,
      type: typeText(each.schema, schemas),
      is_required: each.required === true,
      description: each.description ?? aboutOf(each.schema, schemas),
    }));
  return [...ofQuery, ...fieldRows(bodyOf(requestBody?.content), schemas, depths.request)];
}

/**
 * The documented calls, described by the API document.
 * @throws when the document lacks the call of a sample
 */
export const documentedCalls = (document: ApiDocument): DocumentedCall[] => describeCalls(document, samples);

/** The stream, described in the same way. */
export function documentedStream(document: ApiDocument): DocumentedCall {
  const [call] = describeCalls(document, [streamSample]);
  if (call === undefined) throw new Error('one description per sample');
  return call;
}

function describeCalls({ paths, components }: ApiDocument, calls: readonly CallSample[]): DocumentedCall[] {
  const schemas = components?.schemas ?? {};
  return calls.map(({ page, method, path, query, body, costs = 0, status = 200 }) => {
    const operation = paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`the API document has no ${method} ${path}`);
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString().replaceAll('%2C', ',')}`;
    return {
      page,
      method,
      path,
      summary: operation.summary ?? '',
      description: operation.description ?? '',
      access: accessOf(operation),
      costs,
      status,
      parameters: parametersOf(operation, schemas),
      answer: fieldRows(bodyOf(operation.responses[String(status)]?.content), schemas, depths.answer),
      refusals: rejectionsOf(operation),
      sample: { path: `${path}${search}`, body: body ?? null },
    };
  });
}
