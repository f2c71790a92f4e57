import swagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { App } from './app.ts';

const path = '/api/openapi.json';

const tags = [
  { name: 'Service', description: 'What this installation is and how it feels.' },
  { name: 'Account', description: 'Sign up, sign in, sign out, and what the product remembers of you.' },
  {
    name: 'Market',
    description: 'Symbols, prices, closed candles, funding and indicators. Simulated unless `market` says live.',
  },
  { name: 'Signals', description: 'The live ensemble, scans, tuning and the record of what became of every signal.' },
  {
    name: 'Credits',
    description: 'What paid work costs and what is left. Every change is an entry that is never altered.',
  },
  { name: 'Notifications', description: 'Messages to your Telegram chat or your webhook, switched on by you.' },
  {
    name: 'Events',
    description: 'One stream that says what has changed, so that nothing has to be asked again and again.',
  },
  { name: 'Positions', description: 'Simulated positions: opened by rule or by hand, watched by the server.' },
  { name: 'Backtest', description: 'Runs on the same engine as the browser, with the same bits.' },
];

/** The public API document, made from the routes themselves. Call before the first route; the returned function adds its own. */
export async function serveOpenApi(app: App, version: string): Promise<() => void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sextant API',
        version,
        description:
          'Crypto futures market data, indicators and backtests. Errors are application/problem+json with a stable `code`. ' +
          'Times are epoch milliseconds or ISO 8601 in UTC; fractions are fractions (0.02 is 2 %) unless a name ends in `Pct`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The `token` of sign-in.' },
          session: { type: 'apiKey', in: 'cookie', name: 'sextant.session_token', description: 'Set by sign-in.' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  return () => {
    let document: string | undefined;
    app.get(path, { schema: { hide: true } }, (_request, reply) => {
      document ??= JSON.stringify(app.swagger());
      return reply.type('application/json').header('cache-control', 'public, max-age=300').send(document);
    });
  };
}
