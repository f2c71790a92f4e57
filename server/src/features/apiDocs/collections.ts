import { createHash } from 'node:crypto';
import { type DocumentedCall, documentedPages, type DocumentedPage } from './documentedCalls.ts';
import { curlExample } from './examples.ts';

const collectionName = 'Sextant API';
const pageNames: Record<DocumentedPage, string> = {
  authentication: 'Authentication',
  signals: 'Trading Signals',
  market: 'Market Data',
  analysis: 'Analysis',
  webhooks: 'Webhooks',
  usage: 'Usage & Logs',
};

const nameOf = ({ method, path }: DocumentedCall): string => `${method} ${path}`;
const aboutOf = ({ summary, description, access }: DocumentedCall): string =>
  [
    summary,
    description,
    access === 'public' ? 'Needs no key.' : access === 'any_key' ? 'Any key.' : `Scope: ${access}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
const bodyText = ({ sample: { body } }: DocumentedCall): string => JSON.stringify(body, null, 2);
const queryOf = ({ sample: { path } }: DocumentedCall): { name: string; value: string }[] =>
  [...new URLSearchParams(path.split('?')[1] ?? '')].map(([name, value]) => ({ name, value }));

function postmanItem(call: DocumentedCall) {
  const { method, path, sample } = call;
  const query = queryOf(call).map(({ name, value }) => ({ key: name, value }));
  return {
    name: nameOf(call),
    event: [
      {
        listen: 'test',
        script: {
          type: 'text/javascript',
          exec: [`pm.test('responds with ${call.status}', () => pm.response.to.have.status(${call.status}));`],
        },
      },
    ],
    request: {
      method,
      header: sample.body === null ? [] : [{ key: 'content-type', value: 'application/json' }],
      url: {
        raw: `{{base_url}}${sample.path}`,
        host: ['{{base_url}}'],
        path: path.slice(1).split('/'),
        ...(query.length === 0 ? {} : { query }),
      },
      ...(sample.body === null
        ? {}
        : { body: { mode: 'raw', raw: bodyText(call), options: { raw: { language: 'json' } } } }),
      description: aboutOf(call),
    },
    response: [],
  };
}

/** Postman collection, format v2.1. Fill in the variable `api_key` once. */
export const postmanCollection = (baseUrl: string, calls: readonly DocumentedCall[]) => ({
  info: {
    name: collectionName,
    description: 'Set the variable api_key to your API key.',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: {
    type: 'apikey',
    apikey: [
      { key: 'key', value: 'x-api-key', type: 'string' },
      { key: 'value', value: '{{api_key}}', type: 'string' },
      { key: 'in', value: 'header', type: 'string' },
    ],
  },
  variable: [
    { key: 'base_url', value: baseUrl, type: 'string' },
    { key: 'api_key', value: '', type: 'string' },
  ],
  item: documentedPages.map((page) => ({
    name: pageNames[page],
    item: calls.filter((call) => call.page === page).map(postmanItem),
  })),
});

/** Stable ids, so that an import replaces the previous one. */
const idOf = (kind: string, name: string): string =>
  `${kind}_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;

function insomniaRequest(call: DocumentedCall, parentId: string) {
  const key = [{ name: 'x-api-key', value: '{{ _.api_key }}' }];
  const type = call.sample.body === null ? [] : [{ name: 'content-type', value: 'application/json' }];
  return {
    _id: idOf('req', nameOf(call)),
    _type: 'request',
    parentId,
    name: nameOf(call),
    description: aboutOf(call),
    method: call.method,
    url: `{{ _.base_url }}${call.path}`,
    headers: [...key, ...type],
    parameters: queryOf(call),
    body: call.sample.body === null ? {} : { mimeType: 'application/json', text: bodyText(call) },
    authentication: {},
  };
}

/** Insomnia export, format 4. Fill in `api_key` in the base environment once. */
export function insomniaCollection(baseUrl: string, calls: readonly DocumentedCall[]) {
  const workspaceId = idOf('wrk', collectionName);
  const folders = documentedPages.map((page) => ({
    _id: idOf('fld', page),
    _type: 'request_group',
    parentId: workspaceId,
    name: pageNames[page],
  }));
  const requests = documentedPages.flatMap((page) =>
    calls.filter((call) => call.page === page).map((call) => insomniaRequest(call, idOf('fld', page))),
  );
  return {
    _type: 'export',
    __export_format: 4,
    __export_source: 'sextant',
    resources: [
      { _id: workspaceId, _type: 'workspace', parentId: null, name: collectionName, scope: 'collection' },
      {
        _id: idOf('env', collectionName),
        _type: 'environment',
        parentId: workspaceId,
        name: 'Base Environment',
        data: { base_url: baseUrl, api_key: '' },
      },
      ...folders,
      ...requests,
    ],
  };
}

/** Every call as a shell script that runs from top to bottom. */
export const curlCollection = (baseUrl: string, calls: readonly DocumentedCall[]): string =>
  [
    '# First set SEXTANT_API_KEY to your API key.',
    ...calls.map((call) => `# ${call.summary}\n${curlExample(baseUrl, call)}`),
    '',
  ].join('\n\n');
