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
const getModule = (path: string) => {
  const id = path.slice('/site/web/'.length);
  const own = importers[id];
  if (own === undefined) return null;
  return {
    isEntry: id === 'index.html',
    importers: own.map((each) => `/site/web/${each}`),
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
