import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './steps.ts';

/** Target of a link: the text of a document, `exists` for another file or a folder, undefined when it is missing. */
export type LinkTarget = string | undefined;

const linkPattern = /\]\(([^)\s]+)\)/g;

/** Anchor of a heading, as GitHub makes it: lower case, without punctuation, hyphens for spaces. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));

/**
 * Links of a document that lead to no file, folder or heading of the repository. Addresses and paths of the product (`/help/...`) are not
 * read.
 * @param path of the document, from the root of the repository
 */
export function brokenLinks(path: string, text: string, read: (path: string) => LinkTarget): string[] {
  return [...text.matchAll(linkPattern)]
    .map(([, target = '']) => target)
    .filter((target) => {
      if (/^(?:[a-z]+:|\/)/.test(target)) return false;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? text : read(posix.join(posix.dirname(path), file));
      if (linked === undefined) return true;
      return anchor !== undefined && !anchorsOf(linked).has(anchor);
    });
}

/** Reads a target of the repository. */
export function readTarget(path: string): LinkTarget {
  const target = statSync(join(root, path), { throwIfNoEntry: false });
  if (target === undefined) return undefined;
  return path.endsWith('.md') ? readFileSync(join(root, path), 'utf8') : 'exists';
}
