import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownTextsOf } from './screenTexts.ts';
import { root } from './steps.ts';

/** Bold words of articles that stress a sentence and name nothing on the screen. */
const stressed = new Set(['before', 'median', 'not']);

/** Labels that an article quotes: its bold words, but for starts of paragraphs and items, which end with a full stop or a colon. */
export function labelsOf(article: string): string[] {
  const prose = article.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/\*\*([^*]+)\*\*/g)]
    .map(([, label = '']) => label)
    .filter((label) => !/[.:]$/.test(label) && !stressed.has(label));
}

/** Whether a text starts with the label and goes on with a value: `Optimize {} sets`, `Ranges{}`, `Generate AI Signals ({})`. */
const hasValueAfter = (text: string, label: string): boolean =>
  text.startsWith(label) && /^,? ?\(?\{\}/.test(text.slice(label.length));

/** Labels of an article that the page does not show with this spelling, a capital first. `Name: Choice` needs both. */
export function unknownLabels(article: string, texts: ReadonlySet<string>): string[] {
  const withValue = [...texts].filter((text) => text.includes('{}'));
  const isShown = (label: string): boolean =>
    /^[^a-z]/.test(label) && (texts.has(label) || withValue.some((text) => hasValueAfter(text, label)));
  return labelsOf(article).filter((label) => !isShown(label) && !label.split(': ').every(isShown));
}

/** Texts that the page may show: its own, and those of the packages whose names it shows. */
export function readShownTexts(): ReadonlySet<string> {
  const paths = globSync('{web/src,workers/src,engine-as/abi}/**/*.{ts,tsx}', { cwd: root });
  return new Set(paths.flatMap((path) => shownTextsOf(path, readFileSync(join(root, path), 'utf8'))));
}
