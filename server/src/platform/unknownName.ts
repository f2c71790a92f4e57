import { nearestWord } from './nearestWord.ts';

/** Advice for an unknown name: the one that was probably meant, or what to do without one; a field or an argument is removed. */
export function unknownNameText(name: string, known: readonly string[], otherwise = 'remove it'): string {
  const nearest = nearestWord(name, known);
  return `is not known here; ${nearest === undefined ? otherwise : `did you mean ${nearest}?`}`;
}
