import type { App } from '../../platform/http/app.ts';
import { type ApiDocument, documentationPage } from './page.ts';
import { documentationStyle } from './style.ts';

const stylePath = '/api-documentation/style.css';
const cacheControl = 'public, max-age=300';

/** `/api-documentation`: a page of its own, served before the rule that sends other paths to the app. */
export function apiDocumentationRoutes(app: App): void {
  let page: string | undefined;
  app.get('/api-documentation', { schema: { hide: true } }, (_request, reply) => {
    page ??= documentationPage(app.swagger() as unknown as ApiDocument, stylePath);
    return reply.type('text/html; charset=utf-8').header('cache-control', cacheControl).send(page);
  });
  app.get(stylePath, { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', cacheControl).send(documentationStyle),
  );
}
