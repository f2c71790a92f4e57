import { readFileSync } from 'node:fs';
import { apiPlans } from '@sextant/workers/src/apiAccess.ts';
import type { z } from 'zod';
import { baseUrlOf, type Config } from '../../config.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { once } from '../../platform/once.ts';
import { curlCollection, insomniaCollection, postmanCollection } from './collections.ts';
import { CollectionFile, CollectionsAnswer, CurlCollection, DocumentationAnswer, ErrorInfoAnswer } from './contract.ts';
import { type DocumentedCall, documentedCalls, documentedStream } from './documentedCalls.ts';
import { curlExample, examplesOf, streamExamplesOf } from './examples.ts';
import type { ApiDocument } from './page.ts';

const tags = ['Documentation'];
const cacheControl = 'public, max-age=300';

const bestPractices = [
  'Keep the key in an environment variable or a secret store, never in a page or a repository.',
  'Give each program a key of its own with the scopes it needs and the addresses it runs on.',
  'Build and test with a test key (`sx_test_...`): the sandbox costs nothing and answers the same bytes every day.',
  'Read the header `RateLimit`: `r` is what is left of the hour, `t` the seconds until it begins again.',
  'After 429 and 503 wait for the seconds of `Retry-After`, then try again.',
  'Decide by `code`, never by a text: texts may be improved, codes stay.',
  'Send `Idempotency-Key` with calls that cost credits, so that a repetition is not paid twice.',
  'Rotate a key with an overlap of an hour or a day, so that no program stops.',
  'Log `x-request-id`: it finds the call in your list of calls and in our log.',
];

/** Files of the collections, by the name of the client they are for. */
const files = { postman: 'postman.json', insomnia: 'insomnia.json', curl: 'curl.txt' } as const;
const pathOf = (name: keyof typeof files): string => `/api/collections/${files[name]}`;
const download = (name: keyof typeof files): string => `attachment; filename="sextant-${files[name]}"`;

const publicRead = <Answer extends z.ZodType>(summary: string, answer: Answer) => ({
  schema: { access: 'public' as const, sandbox: 'same' as const, tags, summary, response: { 200: answer } },
});

/** Written by .ci/generateAnswers.ts from the answers of the sandbox itself. */
const sandboxAnswers = once(
  () => JSON.parse(readFileSync(new URL('./answers.gen.json', import.meta.url), 'utf8')) as Record<string, string>,
);

type Calls = () => Promise<DocumentedCall[]>;

/** What documents the API for people and for their tools, all of it made from the one API document. */
export function documentationRoutes(app: App, { config }: { config: Config }): void {
  const baseUrl = baseUrlOf(config);
  // Not before the last route is there.
  const calls = once(async () => documentedCalls((await app.openApiDocument()) as unknown as ApiDocument));
  callRoutes(app, baseUrl, calls);
  fileRoutes(app, baseUrl, calls);
}

function callRoutes(app: App, baseUrl: string, calls: Calls): void {
  app.get(
    '/api/documentation',
    publicRead('The calls most programs need, with examples', DocumentationAnswer),
    async (_request, reply) => {
      void reply.header('cache-control', cacheControl);
      const stream = documentedStream((await app.openApiDocument()) as unknown as ApiDocument);
      return {
        base_url: baseUrl,
        calls: (await calls()).map((call) => ({
          ...call,
          sandbox_answer: sandboxAnswers()[`${call.method} ${call.path}`] ?? null,
          examples: examplesOf(baseUrl, call),
        })),
        stream: { ...stream, sandbox_answer: null, examples: streamExamplesOf(baseUrl, stream) },
      };
    },
  );
  app.get(
    '/api/errors',
    publicRead('Codes of errors, limits of the plans and good practice', ErrorInfoAnswer),
    (_request, reply) => {
      void reply.header('cache-control', cacheControl);
      return {
        error_codes: Object.entries(apiErrors).map(([code, { status, title }]) => ({ code, status, title })),
        rate_limits: apiPlans.map(({ name, hourlyLimit, priceCredits }) => ({
          plan: name,
          hourly_limit: hourlyLimit,
          price_credits_month: priceCredits,
        })),
        best_practices: bestPractices,
      };
    },
  );
}

function fileRoutes(app: App, baseUrl: string, calls: Calls): void {
  app.get('/api/collections', publicRead('Collections for Postman, Insomnia and cURL', CollectionsAnswer), async () => {
    const examples = (await calls()).map((call) => ({
      name: `${call.method} ${call.path}`,
      curl: curlExample(baseUrl, call),
    }));
    const names = Object.keys(files) as (keyof typeof files)[];
    return {
      collections: names.map((name) => ({
        name,
        download_url: pathOf(name),
        import_url: `${baseUrl}${pathOf(name)}`,
        collection_data: { examples },
      })),
    };
  });
  app.get(
    '/api/collections/postman.json',
    publicRead('Postman collection (v2.1)', CollectionFile),
    async (_request, reply) => {
      void reply.header('content-disposition', download('postman'));
      return postmanCollection(baseUrl, await calls());
    },
  );
  app.get(
    '/api/collections/insomnia.json',
    publicRead('Insomnia collection (export format 4)', CollectionFile),
    async (_request, reply) => {
      void reply.header('content-disposition', download('insomnia'));
      return insomniaCollection(baseUrl, await calls());
    },
  );
  app.get(
    '/api/collections/curl.txt',
    publicRead('Every documented call as a cURL command', CurlCollection),
    async (_request, reply) => {
      void reply.type('text/plain; charset=utf-8').header('content-disposition', download('curl'));
      return curlCollection(baseUrl, await calls());
    },
  );
}
