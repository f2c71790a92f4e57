import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * Content security policy of this page. The reference creates style elements in the browser, which needs inline styles. Everything it
 * loads and calls is ours: the policy allows no other origin, so that a key typed there cannot leave.
 */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const referencePaths = {
  script: '/api-documentation/reference.js',
  start: '/api-documentation/start.js',
  plain: '/api-documentation/plain',
} as const;

/** No CDN fonts, telemetry, assistant or proxy: each would call another origin. */
const configuration = {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  hiddenClients: [],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'apiKey' },
  metaData: { title: 'Sextant API' },
};

export const startScript = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;

export const referencePage = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sextant API</title></head>
<body><div id="reference"></div>
<noscript><p>The same <a href="${referencePaths.plain}">without scripts</a>.</p></noscript>
<script src="${referencePaths.script}"></script><script src="${referencePaths.start}"></script></body></html>`;

export interface ReferenceScript {
  etag: string;
  bodies: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/** The best Brotli quality takes seconds for five megabytes; this one takes a fraction of a second. */
const brotliQuality = 5;

/** The Scalar script from its package, read when the page is first opened: five megabytes that a start does not need. */
export async function loadReferenceScript(): Promise<ReferenceScript> {
  const [{ default: fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const inner = fastify();
  await inner.register(reference, { routePrefix: '/reference', configuration: { url: configuration.url } });
  const { rawPayload: identity } = await inner.inject({ url: '/reference/js/scalar.js' });
  await inner.close();
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    promisify(gzip)(identity),
  ]);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, bodies: { br, gzip: gz, identity } };
}
