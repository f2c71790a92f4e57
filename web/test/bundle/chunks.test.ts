import { describe, expect, it } from 'vitest';
import { chunkOf } from '../../bundle/chunks.ts';

/** Modules of a small site by name: which import them, and whether the site loads them by import(). */
const importers: Record<string, readonly string[]> = {
  'index.html': [],
  'src/main.tsx': ['index.html'],
  'src/app/shell/Shell.tsx': [],
  'src/features/auth/AuthPage.tsx': [],
  'src/features/public/FaqPage.tsx': [],
  'src/features/public/LiveDemo.tsx': [],
  'src/ui/Ghost.tsx': [],
  ...Object.fromEntries(['News', 'Funds', 'Help', 'Vision'].map((name) => [`src/features/x/${name}Tab.tsx`, []])),
  'src/bar.ts': ['src/app/shell/Shell.tsx', 'src/features/x/NewsTab.tsx'],
  'src/barOnly.ts': ['src/app/shell/Shell.tsx'],
  'src/most.ts': ['News', 'Funds', 'Help', 'Vision'].map((name) => `src/features/x/${name}Tab.tsx`),
  'src/mostAndLate.ts': ['src/most.ts', 'src/ui/Ghost.tsx'],
  'src/few.ts': ['src/features/x/NewsTab.tsx', 'src/features/x/FundsTab.tsx'],
  'src/field.ts': ['src/most.ts', 'src/features/auth/AuthPage.tsx'],
  'src/tabs.ts': ['src/bar.ts', 'src/features/auth/AuthPage.tsx', 'src/features/public/FaqPage.tsx'],
  'src/demo.ts': ['src/bar.ts', 'src/features/public/LiveDemo.tsx'],
  'src/pagesOnly.ts': ['src/features/auth/AuthPage.tsx', 'src/features/public/FaqPage.tsx'],
  'src/first.ts': ['src/main.tsx', 'src/most.ts'],
  'src/icon.ts': ['src/features/x/NewsTab.tsx', 'src/features/x/FundsTab.tsx'],
  'src/barIcon.ts': ['src/app/shell/Shell.tsx', 'src/features/x/NewsTab.tsx'],
  'src/pageIcon.ts': ['src/features/auth/AuthPage.tsx', 'src/features/x/NewsTab.tsx'],
  'src/barPageIcon.ts': ['src/app/shell/Shell.tsx', 'src/features/auth/AuthPage.tsx'],
  'src/barFaqIcon.ts': ['src/app/shell/Shell.tsx', 'src/features/public/FaqPage.tsx'],
  'src/barDemoIcon.ts': ['src/app/shell/Shell.tsx', 'src/features/public/LiveDemo.tsx'],
  'src/small.ts': ['src/features/x/NewsTab.tsx', 'src/features/x/FundsTab.tsx'],
  'node_modules/markdown/part.js': ['src/features/x/NewsTab.tsx', 'src/features/x/FundsTab.tsx'],
  'node_modules/lucide-react/bot.js': ['src/features/x/NewsTab.tsx', 'src/features/x/FundsTab.tsx'],
  'src/shared.ts': ['src/main.tsx', 'src/icon.ts', 'src/features/x/HelpTab.tsx'],
  'src/field2.ts': ['src/small.ts'],
  // Two that import each other.
  'src/ring.ts': ['src/most.ts', 'src/gnir.ts'],
  'src/gnir.ts': ['src/ring.ts'],
};
/** The module that loads another one by import(). */
const loaders = [
  [/Tab\.tsx$/, 'src/app/shell/tabs.ts'],
  [/Page\.tsx$/, 'src/app/latePages.tsx'],
  [/LiveDemo\.tsx$/, 'src/features/public/FaqPage.tsx'],
  [/Shell\.tsx$/, 'src/app/App.tsx'],
  [/Ghost\.tsx$/, 'src/ui/Panel.tsx'],
] as const;
/** Those of a few lines; the others are long. */
const short = /[iI]con\.ts$|small\.ts$|node_modules/;
const getModule = (path: string) => {
  const id = path.slice('/site/web/'.length);
  const own = importers[id];
  if (own === undefined) return null;
  return {
    isEntry: id === 'index.html',
    importers: own.map((each) => `/site/web/${each}`),
    importedIds: Object.keys(importers)
      .filter((each) => importers[each]?.includes(id) === true)
      .map((each) => `/site/web/${each}`),
    dynamicallyImportedIds: [],
    code: 'x'.repeat(short.test(id) ? 300 : 30_000),
    dynamicImporters: loaders.filter(([name]) => name.test(id)).map(([, loader]) => `/site/web/${loader}`),
  };
};
const chunk = (id: string) => chunkOf(`/site/web/${id}`, getModule);

describe('chunkOf', () => {
  it('puts together what every signed-in user loads: with the shell, and with most tabs', () => {
    expect(chunk('src/bar.ts')).toBe('shell');
    expect(chunk('src/most.ts')).toBe('tabs');
    expect(chunk('src/mostAndLate.ts')).toBe('tabs');
    expect(chunk('src/ring.ts')).toBe('tabs');
    expect(chunk('src/gnir.ts')).toBe('tabs');
  });
  it('keeps what public pages need apart, by the pages that need it', () => {
    expect(chunk('src/field.ts')).toBe('Auth');
    expect(chunk('src/tabs.ts')).toBe('Auth-Faq');
    expect(chunk('src/demo.ts')).toBe('LiveDemo');
  });
  it('puts small modules that need nothing themselves together, by the lowest of those that need them', () => {
    expect(chunk('src/icon.ts')).toBe('tabs');
    expect(chunk('src/barIcon.ts')).toBe('shell');
    // A visitor would load it with every page.
    expect(chunk('src/pageIcon.ts')).toBeNull();
    // One file for everything that the shell and public pages share. The live run is loaded after the page, so it has its own.
    expect(chunk('src/barPageIcon.ts')).toBe('common');
    expect(chunk('src/barFaqIcon.ts')).toBe('common');
    expect(chunk('src/barDemoIcon.ts')).toBe('LiveDemo');
    expect(chunk('node_modules/lucide-react/bot.js')).toBe('tabs');
    // It needs a module of another file, which could need one of this file.
    expect(chunk('src/small.ts')).toBeNull();
    expect(chunk('node_modules/markdown/part.js')).toBeNull();
  });
  it('leaves the rest to the bundler: one entry, the entry of the site, few tabs, public pages alone', () => {
    for (const id of [
      'src/barOnly.ts',
      'src/first.ts',
      'src/few.ts',
      'src/pagesOnly.ts',
      'src/main.tsx',
      'src/gone.ts',
    ])
      expect(chunk(id), id).toBeNull();
  });
});
