import '@sextant/workers/src/browser/trustedTypes.ts';
import './styles/index.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { loadPage } from './app/latePages.tsx';
import { preloadShell, Root } from './app/App.tsx';
import { reloadOnce, scriptsOfPage } from './app/reloadOnce.ts';
import { repairLanguage } from './format/locale.ts';
import { isShareAddress } from './state/shareAddress.ts';
import { readSaved, save } from './state/storage.ts';
import { confirmBeforeLeaving } from './state/unsavedChanges.ts';

confirmBeforeLeaving(window);

// Charts are loaded later and read the language while they load.
repairLanguage(navigator);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// The server has seen a session: the hint of an earlier sign-in may be missing here.
if (root.dataset['for'] === 'signed-in') save('signedIn', 'yes');

const isExpected = readSaved('signedIn') === 'yes';
if (isExpected) preloadShell();

// Hydrates a prerendered public page, except for previously signed-in users, who get the shell, and for shared runs, which render on any
// page.
if (root.hasChildNodes() && !isExpected && !isShareAddress(location.hash)) void takeOver(root);
else createRoot(root).render(<Root />);

/** Only once the file of the page is loaded: React empties a part that changes before it can be hydrated, and the page would jump. */
async function takeOver(page: HTMLElement): Promise<void> {
  const isLoaded = await loadPage(location.pathname).then(
    () => true,
    () => false,
  );
  const { pathname: path } = location;
  const again = { path, nowMs: Date.now(), scripts: scriptsOfPage(document), reload: () => location.reload() };
  if (!isLoaded && (await reloadOnce(again))) return;
  // Without its file the page renders anyway, and says what is missing.
  hydrateRoot(page, <Root />);
}
