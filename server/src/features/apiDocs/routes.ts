import type { App } from '../../platform/http/app.ts';
import { once } from '../../platform/once.ts';
import { type ApiDocument, documentationPage } from './page.ts';
import { loadReferenceScript, referencePage, referencePaths, referencePolicy, startScript } from './reference.ts';

/** Light and dark theme by the system setting; the colours are the product's tokens (web/src/styles/tokens.css). */
const documentationStyle = `
:root { color-scheme: dark light; --bg: #0b0e14; --panel: #11161f; --line: #252e3c; --text: #e6eaf2; --muted: #93a0b4; --accent: #6c9bff; }
@media (prefers-color-scheme: light) {
  :root { --bg: #f5f7fa; --panel: #fff; --line: #dde3ec; --text: #121826; --muted: #55617a; --accent: #2257d6; }
}
* { box-sizing: border-box; }
body { display: grid; grid-template-columns: minmax(0, 280px) minmax(0, 860px); gap: 0 32px; margin: 0; padding: 16px 24px;
  background: var(--bg); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
header { grid-column: 1 / -1; }
h1 { font-size: 20px; } h2 { margin-top: 32px; font-size: 17px; } h3 { margin: 0; font-size: 14px; } h4 { margin: 12px 0 4px; }
a { color: var(--accent); }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { padding-left: 14px; list-style: none; } nav > ul { padding: 0; } nav a { display: inline-block; min-height: 24px; font-size: 13px; overflow-wrap: anywhere; }
section { margin: 12px 0; padding: 12px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
.wide { overflow-x: auto; } table { width: 100%; border-collapse: collapse; }
th, td { padding: 4px 8px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th, .muted { color: var(--muted); } summary { cursor: pointer; color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); }
@media (width < 768px) { body { display: block; padding: 12px; } }
`;

const stylePath = '/api-documentation/style.css';
const cacheControl = 'public, max-age=300';
const hidden = { schema: { hide: true } };

/**
 * `/api-documentation`: the reference with a client to try calls, and the same as a page without scripts. Registered before the rule that
 * sends other paths to the app.
 */
export function apiDocsRoutes(app: App): void {
  const page = once(async () => documentationPage((await app.openApiDocument()) as unknown as ApiDocument, stylePath));
  const script = once(loadReferenceScript);
  app.get('/api-documentation', hidden, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', cacheControl)
      .header('content-security-policy', referencePolicy)
      .send(referencePage),
  );
  app.get(referencePaths.start, hidden, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', cacheControl).send(startScript),
  );
  app.get(referencePaths.script, hidden, async (request, reply) => {
    const { etag, bodies } = await script();
    void reply.header('cache-control', cacheControl).header('etag', etag).header('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
    if (encoding !== undefined) void reply.header('content-encoding', encoding);
    return reply.type('text/javascript; charset=utf-8').send(bodies[encoding ?? 'identity']);
  });
  app.get(referencePaths.plain, hidden, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', cacheControl)
      .send(await page()),
  );
  app.get(stylePath, hidden, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', cacheControl).send(documentationStyle),
  );
}
