import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import {
  composeLanding,
  composePage,
  type PageParts,
  robots,
  sitemap,
  structuredData,
  withScriptNotice,
} from './pages.ts';

type Bundle = Rolldown.OutputBundle;
type Writer = typeof import('../src/prerender.tsx');

const web = join(import.meta.dirname, '..');

/**
 * After the pages are built: writes each public page out as HTML with its content, so that it is read before any script has
 * come, and by those who run none; then sitemap and robots, and a compressed twin of each file that gains by one.
 */
export function prerenderPages(): Plugin {
  return {
    name: 'sextant:prerender',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    async writeBundle({ dir }, bundle) {
      const out = dir ?? join(web, 'dist');
      await withWriter((writer) => writePages(out, bundle, writer));
      await compress(out, Object.keys(bundle));
    },
  };
}

async function writePages(out: string, bundle: Bundle, written: Writer): Promise<void> {
  const template = await readFile(join(out, 'index.html'), 'utf8');
  const fonts = Object.keys(bundle)
    .filter((file) => /inter-latin.*\.woff2$/.test(file))
    .map((file) => `/${file}`);
  for (const page of written.publicPages) {
    const parts: PageParts = {
      page,
      // The sign-in screen is a form that works with scripts only, and shows what its address asks for; without them it says so.
      body: page.path === '/login' ? '' : await written.renderPage(page.path),
      scripts: scriptsOf(bundle, pageModules[page.path] ?? ''),
      fonts,
      ...(page.path === '/faq' ? { extra: structuredData(written.faq) } : {}),
    };
    const html = composePage(template, parts);
    await put(out, page.path, page.path === '/login' ? withScriptNotice(html, 'Sign in to Sextant') : html);
  }
  for (const path of written.landingPaths) await put(out, path, composeLanding(template, fonts));
  await writeFile(join(out, 'sitemap.xml'), sitemap(written.publicPages.map(({ path }) => path)));
  await writeFile(join(out, 'robots.txt'), robots());
}

async function put(out: string, path: string, html: string): Promise<void> {
  const file = join(out, path === '/' ? 'index.html' : `${path.slice(1)}.html`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}

/** The module behind each page, which latePages.tsx loads by itself once it runs: the page asks for it earlier. */
const pageModules: Record<string, string> = {
  '/': 'features/public/HomePage.tsx',
  '/features': 'features/public/FeaturesPage.tsx',
  '/how': 'features/public/HowPage.tsx',
  '/security': 'features/public/SecurityPage.tsx',
  '/faq': 'features/public/FaqPage.tsx',
  '/login': 'features/auth/AuthPage.tsx',
  '/privacy-policy': 'features/public/PrivacyPage.tsx',
  '/terms-of-service': 'features/public/TermsPage.tsx',
  '/scoreboard': 'features/public/ScoreboardPage.tsx',
};

/** The chunk of a module, then what it imports, as paths of the site; without what the entry brings anyway. */
function scriptsOf(bundle: Bundle, module: string): [string, ...string[]] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const all = (fileName: string, seen: Set<string>): Set<string> => {
    if (!seen.has(fileName)) {
      seen.add(fileName);
      byName.get(fileName)?.imports.forEach((each) => all(each, seen));
    }
    return seen;
  };
  const entry = chunks.find((chunk) => chunk.isEntry);
  const page = chunks.find((chunk) => chunk.facadeModuleId?.replaceAll('\\', '/').endsWith(`src/${module}`) === true);
  if (entry === undefined || page === undefined)
    throw new Error(`no chunk for ${module}: latePages.tsx must load it by import()`);
  const present = all(entry.fileName, new Set());
  const imports = [...all(page.fileName, new Set())].filter((file) => file !== page.fileName && !present.has(file));
  return [`/${page.fileName}`, ...imports.map((file): string => `/${file}`)];
}

/** Builds src/prerender.tsx for Node and lends it to `work`, which loads more of its files as it goes; leaves nothing behind. */
async function withWriter(work: (writer: Writer) => Promise<void>): Promise<void> {
  const { build } = await import('vite');
  await mkdir(join(web, 'node_modules'), { recursive: true });
  // Inside the workspace, so that what stays outside the bundle is found.
  const folder = await mkdtemp(join(web, 'node_modules/.prerender-'));
  try {
    await build({
      root: web,
      logLevel: 'error',
      build: {
        ssr: 'src/prerender.tsx',
        outDir: folder,
        emptyOutDir: true,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
      },
    });
    await work((await import(pathToFileURL(join(folder, 'prerender.mjs')).href)) as Writer);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

async function compress(out: string, files: readonly string[]): Promise<void> {
  const gaining = files.filter((file) => /\.(js|css|wasm|svg|json|bin)$/.test(file));
  await Promise.all(
    gaining.map(async (file) => {
      const content = await readFile(join(out, file));
      await writeFile(join(out, `${file}.gz`), await toGzip(content, { level: 9 }));
      await writeFile(join(out, `${file}.br`), await toBrotli(content, brotli));
    }),
  );
}
