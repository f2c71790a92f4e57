/** Module information of the bundler. */
interface ModuleInfo {
  isEntry: boolean;
  importers: readonly string[];
  dynamicImporters: readonly string[];
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
  code: string | null;
}

type GetModule = (id: string) => ModuleInfo | null;

const loadsPages = '/src/app/latePages.tsx';
const loadsTabs = '/src/app/shell/tabs.ts';
const shell = '/src/app/shell/Shell.tsx';

/** Fewest tabs that need a module for it to go into the file that every tab loads. */
const TABS_MIN = 4;

/** The entry of the site and modules loaded by import(): those that need `id` as soon as they run. */
function entriesOf(id: string, getModule: GetModule): readonly string[] {
  const seen = new Set([id]);
  const entries: string[] = [];
  // A set that grows while it is walked is walked to its new end.
  for (const each of seen) {
    const module = getModule(each);
    if (module === null) continue;
    if (module.isEntry || module.dynamicImporters.length > 0) entries.push(each);
    for (const importer of module.importers) seen.add(importer);
  }
  return entries.sort();
}

const isLoadedBy = (id: string, loader: string, getModule: GetModule): boolean =>
  getModule(id)?.dynamicImporters.some((each) => each.endsWith(loader)) === true;

/** A public page, or what it loads later by itself: the live run of the home page. */
const isOfPage = (id: string, getModule: GetModule): boolean =>
  isLoadedBy(id, loadsPages, getModule) ||
  getModule(id)?.dynamicImporters.some((each) => isLoadedBy(each, loadsPages, getModule)) === true;

/** Source text of a module that is not worth a file of its own, in characters: an icon, a few constants. */
const SMALL_MAX = 1500;

/**
 * A small module whose imports are all in the files that every page loads, so moving it to another file adds no import between files. Of
 * packages only the icons count: the modules of any other package are used together and stay in one file.
 */
function isSmallLeaf(id: string, getModule: GetModule): boolean {
  const module = getModule(id);
  if (/\/node_modules\/(?!lucide-react\/)/.test(id)) return false;
  if (module === null || (module.code?.length ?? Infinity) > SMALL_MAX || module.dynamicallyImportedIds.length > 0)
    return false;
  return module.importedIds.every((each) =>
    entriesOf(each, getModule).some((entry) => getModule(entry)?.isEntry === true),
  );
}

const pageName = (id: string): string => /([^/]+)\.tsx?$/.exec(id)?.[1]?.replace(/Page$/, '') ?? 'page';

/**
 * Name of the file for a shared module; null leaves it to the bundler, which makes one file per set of pages and tabs: 120 files below
 * 3 kB, 70 of them for one tab. Modules that most tabs need are put together here: those of the shell, those of tabs, and those that
 * public pages need too, in one file per set of public pages, so that a visitor loads nothing else. Small modules
 * without imports that no public page uses go into these files too, even if only two tabs use them: a request costs more than their bytes.
 * Small modules that the shell and public pages share go into the file `common`. A visitor loads it whole, 1.3 kB after gzip;
 * a signed-in user loads one file instead of one per set of public pages.
 *
 * Files never import each other in a circle, which would break the order of evaluation: an import is needed by all that need the module,
 * so its file is for the same pages or for more.
 */
export function chunkOf(id: string, getModule: GetModule): string | null {
  const entries = entriesOf(id, getModule);
  // What one entry needs is in its own file; what the entry of the site needs is there already.
  if (entries.length < 2 || entries.some((each) => getModule(each)?.isEntry === true)) return null;
  const pages = entries.filter((each) => isOfPage(each, getModule));
  const isOfShell = entries.some((each) => each.endsWith(shell));
  const tabs = entries.filter((each) => isLoadedBy(each, loadsTabs, getModule));
  if (isSmallLeaf(id, getModule)) {
    if (pages.length === 0) return isOfShell ? 'shell' : 'tabs';
    if (isOfShell && pages.some((each) => isLoadedBy(each, loadsPages, getModule))) return 'common';
  }
  if (!isOfShell && tabs.length < TABS_MIN) return null;
  if (pages.length > 0) return pages.map(pageName).join('-');
  return isOfShell ? 'shell' : 'tabs';
}
