import { nearestWord } from './nearestWord.ts';

/** Advice for an unknown field or argument: the name that was probably meant, or to remove it. */
export function unknownNameText(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  return nearest === undefined ? 'is not known here; remove it' : `is not known here; did you mean ${nearest}?`;
}
