import { nearestWord } from './nearestWord.ts';

/** What to do about a field or an argument that does not exist: use the name that was probably meant, or remove it. */
export function unknownNameText(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  return nearest === undefined ? 'is not known here; remove it' : `is not known here; did you mean ${nearest}?`;
}
