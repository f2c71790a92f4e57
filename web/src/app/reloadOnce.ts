import { isOffline, loadAgain } from '../ui/loadAgain.ts';
import { readSavedInTab, saveInTab } from '../state/storage.ts';

const KEY = 'reloadedPage';
/** A second reload of the same address within this time would be a loop. */
const AGAIN_MS_MIN = 60_000;

interface Page {
  path: string;
  nowMs: number;
  /** Paths of the module scripts that the HTML of the page names. */
  scripts: readonly string[];
  reload: () => void;
}

/**
 * Reloads a public page whose own script did not come, once its scripts can be read again. Browsers retain the failure of a module that
 * the HTML names, so no other import of it helps; the reader has only read so far, and loses nothing.
 * @returns false where a reload would not help: offline, without storage in this tab, after one just now, or while a script stays away
 */
export async function reloadOnce({ path, nowMs, scripts, reload }: Page): Promise<boolean> {
  const mark = `${path} ${nowMs}`;
  const [before, beforeMs] = readSavedInTab(KEY)?.split(' ') ?? [];
  if (isOffline() || (before === path && nowMs - Number(beforeMs) < AGAIN_MS_MIN)) return false;
  saveInTab(KEY, mark);
  if (readSavedInTab(KEY) !== mark) return false;
  try {
    await Promise.all(scripts.map((script) => loadAgain(() => request(script))));
  } catch {
    return false;
  }
  reload();
  return true;
}

/** A script that is gone belongs to an earlier version: the reload gets the new page. */
async function request(script: string): Promise<void> {
  const { ok, status } = await fetch(script, { cache: 'reload' });
  if (!ok && status !== 404 && status !== 410) throw new Error(`${script} did not arrive, status ${status}`);
}

/** Those that the page runs or preloads as modules. */
export const scriptsOfPage = (page: ParentNode): string[] =>
  [...page.querySelectorAll('script[type="module"][src], link[rel="modulepreload"][href]')].flatMap(
    (each) => each.getAttribute('src') ?? each.getAttribute('href') ?? [],
  );
