import type { IncomingMessage, ServerResponse } from 'node:http';

/** What feeds of the open web do. Each is served at `/quirk/<name>`. */
export const quirkNames = [
  'htmlWithOk',
  'permanentRedirectForError',
  'slowFirstByte',
  'endlessBody',
  'redirectLoop',
  'alwaysNotModified',
  'wrongContentType',
  'missingContentType',
  'badGuids',
  'badDates',
  'truncated',
  'cloudflare',
] as const;
export type QuirkName = (typeof quirkNames)[number];
/** Quirks whose response is still a readable feed. */
export const readableQuirks: readonly QuirkName[] = ['wrongContentType', 'missingContentType', 'badGuids', 'badDates'];

const channel = (items: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Quirk</title><link>https://quirk.example/</link>` +
  `<description>Simulated</description>${items}</channel></rss>`;
const item = (name: string, inner = ''): string =>
  `<item><title>Bitcoin (BTC) item ${name}</title><link>https://quirk.example/${name}</link>${inner}</item>`;

const page = '<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>Our new site</h1></body></html>';
const challenge =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser before you go on. Ray ID: 1</body></html>';

const badGuids = channel(
  item('no-guid') +
    item('reused', '<guid isPermaLink="false">7</guid>') +
    item('reused-too', '<guid isPermaLink="false">7</guid>') +
    item('twice') +
    item('twice'),
);
const badDates = channel(
  item('never', '<pubDate>not a date</pubDate>') +
    item('future', '<pubDate>Fri, 01 Jan 2100 00:00:00 GMT</pubDate>') +
    item('ancient', '<pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate>') +
    item('none'),
);

const rss = { 'content-type': 'application/rss+xml' };
type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const behaviours: Record<QuirkName, Behaviour> = {
  htmlWithOk: (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  permanentRedirectForError: (_request, response) =>
    response.writeHead(301, { location: 'http://127.0.0.1:9/maintenance.html' }).end(),
  // Sixty seconds until the first byte: longer than any deadline of the product.
  slowFirstByte: (_request, response) => {
    const timer = setTimeout(() => response.writeHead(200, rss).end(channel(item('late'))), 60_000);
    response.on('close', () => clearTimeout(timer));
  },
  endlessBody: (_request, response) => {
    response.writeHead(200, rss);
    response.write('<?xml version="1.0"?><rss version="2.0"><channel><title>Endless</title>');
    const filler = item('again').repeat(400);
    const pour = (): void => {
      while (!response.destroyed && response.write(filler));
    };
    response.on('drain', pour);
    pour();
  },
  redirectLoop: (request, response) => {
    const isSecond = request.url?.endsWith('?again') === true;
    response.writeHead(302, { location: isSecond ? '/quirk/redirectLoop' : '/quirk/redirectLoop?again' }).end();
  },
  alwaysNotModified: (_request, response) => response.writeHead(304).end(),
  wrongContentType: (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(channel(item('wrong-type'))),
  missingContentType: (_request, response) => response.writeHead(200).end(channel(item('no-type'))),
  badGuids: (_request, response) => response.writeHead(200, rss).end(badGuids),
  badDates: (_request, response) => response.writeHead(200, rss).end(badDates),
  truncated: (_request, response) => {
    const whole = channel(item('whole') + item('half'));
    response.writeHead(200, rss).end(whole.slice(0, whole.indexOf('half')));
  },
  cloudflare: (_request, response) =>
    response.writeHead(403, { 'content-type': 'text/html', server: 'cloudflare' }).end(challenge),
};

/** False when there is no quirk of this name. */
export function respondWithQuirk(name: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (!Object.hasOwn(behaviours, name)) return false;
  behaviours[name as QuirkName](request, response);
  return true;
}
