import type { PublicPage } from '../src/app/paths.ts';
import type { HelpBook } from '../src/features/help/public/book.ts';
import type { Question } from '../src/features/public/faq.ts';

/** Where the address of the installation goes; the server puts it in when it starts. */
export const ORIGIN = '%ORIGIN%';

/** The picture of shared links, made by web/prerender/drawShareImage.ts. */
const IMAGE = {
  path: '/share.png',
  width: 1200,
  height: 630,
  alt: 'Sextant: crypto futures backtests, checked to the bit',
};

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const meta = (kind: 'name' | 'property', key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escape(content)}" />`;

/** What browsers, search engines and chat programs read of a page. */
function headOf({ path, title, description }: PublicPage): string {
  const url = `${ORIGIN}${path}`;
  const image = `${ORIGIN}${IMAGE.path}`;
  return [
    `<link rel="canonical" href="${url}" />`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'Sextant'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', url),
    meta('property', 'og:image', image),
    meta('property', 'og:image:width', String(IMAGE.width)),
    meta('property', 'og:image:height', String(IMAGE.height)),
    meta('property', 'og:image:alt', IMAGE.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    meta('name', 'twitter:image', image),
  ].join('\n    ');
}

/** FAQPage as schema.org describes it. A data block, which no content security policy counts as a script. */
export function structuredData(faq: readonly { questions: readonly Question[] }[]): string {
  const mainEntity = faq
    .flatMap(({ questions }) => questions)
    .map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    }));
  const data = { '@context': 'https://schema.org', '@type': 'FAQPage', mainEntity };
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

export interface PageParts {
  page: PublicPage;
  /** Markup of #root. */
  body: string;
  /** Files the page needs at once, in paths of the site; its own first. */
  scripts: readonly [string, ...string[]];
  fonts: readonly string[];
  /** Further lines of the head. */
  extra?: string;
}

const preloadFont = (path: string): string =>
  `<link rel="preload" as="font" type="font/woff2" crossorigin href="${path}" />`;

const preloadModule = (path: string): string => `<link rel="modulepreload" crossorigin href="${path}" />`;

/** For a script that a request of `lateFiles.ts` loads. `modulepreload` would make one failed request final: browsers retain failed modules. */
const preloadLate = (path: string): string => `<link rel="preload" as="fetch" crossorigin href="${path}" />`;

/** One page out of the template that vite has written: with its own head, its content, and what to load early. */
export function composePage(template: string, { page, body, scripts, fonts, extra = '' }: PageParts): string {
  const [own, ...imports] = scripts;
  // Run and not only fetched: behind the entry, which takes the page over as soon as it is here, and before the page counts as loaded.
  const run = [...imports.map(preloadModule), `<script type="module" crossorigin src="${own}"></script>`];
  // A page without content is drawn by its scripts, which must come.
  const early = [...fonts.map(preloadFont), ...(body === '' ? scripts.map(preloadLate) : run)];
  const head = [...early, headOf(page), extra].filter((line) => line !== '').join('\n    ');
  return template
    .replace(/<title>.*?<\/title>/s, () => `<title>${escape(page.title)}</title>`)
    .replace(/<meta\s+name="description"[^>]*>/s, () => meta('name', 'description', page.description))
    .replace('</head>', () => `  ${head}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`);
}

/** What a form page shows in a browser that runs no scripts, instead of nothing. */
export function withScriptNotice(html: string, heading: string): string {
  const notice = [
    '<noscript>',
    '<main class="mx-auto grid min-h-dvh w-full max-w-120 content-center gap-3 px-4 py-6">',
    `<h1 class="text-page font-semibold">${escape(heading)}</h1>`,
    '<p>This page needs JavaScript, and this browser has it switched off. Switch it on for this site, then reload the page.</p>',
    '<p class="text-muted">Email and password are checked by the server; the form that sends them is drawn by JavaScript.</p>',
    '<p><a class="text-accent underline" href="/">Back to the home page</a> · <a class="text-accent underline" href="/faq">Questions and answers</a></p>',
    '</main>',
    '</noscript>',
  ].join('');
  return html.replace('<div id="root">', () => `${notice}<div id="root">`);
}

/** A page that its scripts draw, without static content: served, but excluded from every index. */
export function composeLanding(template: string, fonts: readonly string[], scripts: readonly string[] = []): string {
  const early = [...fonts.map(preloadFont), ...scripts.map(preloadLate)];
  const head = [...early, meta('name', 'robots', 'noindex')].join('\n    ');
  return withScriptNotice(template, 'Sextant').replace('</head>', () => `  ${head}\n  </head>`);
}

/**
 * A page that starts to load the product at once. `signed-in`: signed-in users get it at public addresses; `offline`: the service worker
 * opens it without a network.
 */
export const composeApp = (
  template: string,
  { fonts, scripts, reader }: { fonts: readonly string[]; scripts: readonly string[]; reader: 'signed-in' | 'offline' },
): string =>
  composeLanding(template, fonts, scripts).replace('<div id="root">', () => `<div id="root" data-for="${reader}">`);

export function sitemap(paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${ORIGIN}${path}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}

export const robots = (): string => `User-agent: *\nDisallow: /api/\n\nSitemap: ${ORIGIN}/sitemap.xml\n`;

/** The file that language models read (llmstxt.org): what the product is, and the address of each article. */
export function llms({ categories, articles }: HelpBook): string {
  const sections = categories.map(({ slug: category, name }) => {
    const lines = articles
      .filter((each) => each.category === category)
      .map(({ slug, title, question }) => `- [${title}](${ORIGIN}/help/${slug}): ${question}`);
    return [`## ${name}`, '', ...lines].join('\n');
  });
  return `${[
    '# Sextant',
    '> Sextant backtests and simulates crypto futures. It places no orders, holds no exchange keys and gives no trading advice.',
    `An article as Markdown: ${ORIGIN}/api/support/articles/<slug>, field content_md. The API: ${ORIGIN}/api-documentation, as OpenAPI: ${ORIGIN}/api/openapi.json. API keys that start with sx_test_ use a sandbox: a frozen market, always the same bytes, no cost; made in the API Manager. For agents that write programs: ${ORIGIN}/AGENTS.md. Tools for agents (MCP): ${ORIGIN}/mcp, described at ${ORIGIN}/help/mcp-agents.`,
    ...sections,
  ].join('\n\n')}\n`;
}
