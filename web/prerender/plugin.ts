import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import type { PublicPage } from '../src/app/paths.ts';
import type { HelpBook } from '../src/features/help/public/book.ts';
import {
  composeApp,
  composeLanding,
  composePage,
  llms,
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
 * After the pages are built: writes each public page out as HTML with its content, so that it can be read before any script has
 * loaded and without scripts; then sitemap and robots, and a compressed twin of each file that gains by one.
 */
export function prerenderPages(): Plugin {
  return {
    name: 'sextant:prerender',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    async writeBundle({ dir }, bundle) {
      const out = dir ?? join(web, 'dist');
      const help = await readHelp();
      await withWriter((writer) => writePages(out, bundle, { writer, help }));
      await compress(out, Object.keys(bundle));
    },
  };
}

/** The articles of the help, from the server that owns them. */
async function readHelp(): Promise<HelpBook> {
  const command = join(web, '../server/launch/printHelp.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [command], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as HelpBook;
}

interface Sources {
  writer: Writer;
  help: HelpBook;
}

async function writePages(out: string, bundle: Bundle, { writer: written, help }: Sources): Promise<void> {
  const template = await readFile(join(out, 'index.html'), 'utf8');
  const fonts = Object.keys(bundle)
    .filter((file) => /inter-latin.*\.woff2$/.test(file))
    .map((file) => `/${file}`);
  written.keepBook(help);
  const pages: readonly PublicPage[] = [...written.publicPages, ...written.helpPages(help)];
  for (const page of pages) {
    const parts: PageParts = {
      page,
      // The sign-in form works with scripts only and depends on the address; without scripts the page says so.
      body: page.path === '/login' ? '' : await written.renderPage(page.path),
      scripts: scriptsOf(bundle, pageModules[page.path] ?? 'features/help/public/HelpArticlePage.tsx'),
      fonts,
      ...(page.path === '/faq' ? { extra: structuredData(written.faq) } : {}),
    };
    const html = composePage(template, parts);
    await put(out, page.path, page.path === '/login' ? withScriptNotice(html, 'Sign in to Sextant') : html);
  }
  for (const path of written.landingPaths) await put(out, path, composeLanding(template, fonts));
  const scripts = scriptsOf(bundle, 'app/shell/Shell.tsx');
  await put(out, '/.signed-in', composeApp(template, { fonts, scripts, reader: 'signed-in' }));
  await put(out, '/offline', composeApp(template, { fonts, scripts, reader: 'offline' }));
  const ofSignedIn = pages.filter(({ isForAll }) => isForAll !== true).map(({ path }) => path);
  await writeFile(join(out, '.signed-in.json'), JSON.stringify(ofSignedIn));
  await writeFile(join(out, 'sitemap.xml'), sitemap(pages.map(({ path }) => path)));
  await writeFile(join(out, 'robots.txt'), robots());
  await writeFile(join(out, 'llms.txt'), llms(help));
}

async function put(out: string, path: string, html: string): Promise<void> {
  const file = join(out, path === '/' ? 'index.html' : `${path.slice(1)}.html`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}

/** The module of each page. latePages.tsx imports it at run time; the page preloads it. */
const pageModules: Record<string, string> = {
  '/': 'features/public/HomePage.tsx',
  '/features': 'features/public/FeaturesPage.tsx',
  '/how': 'features/public/HowPage.tsx',
  '/security': 'features/public/SecurityPage.tsx',
  '/faq': 'features/public/FaqPage.tsx',
  '/login': 'features/auth/AuthPage.tsx',
  '/privacy-policy': 'features/public/LegalPages.tsx',
  '/terms-of-service': 'features/public/LegalPages.tsx',
  '/scoreboard': 'features/public/ScoreboardPage.tsx',
  '/help': 'features/help/public/HelpHomePage.tsx',
};

/** Paths of a module's chunk and of its imports, without those of the entry. */
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
    throw new Error(`no chunk for ${module}: it must be loaded by import()`);
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
