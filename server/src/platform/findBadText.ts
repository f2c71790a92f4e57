import { isStorableText } from './contract.ts';

/** A value and how it is reached, as a list from the inside out: a path is built for the one that is reported. */
interface Place {
  value: unknown;
  name: string;
  parent: Place | undefined;
}

function pathOf(place: Place): string {
  const names: string[] = [];
  for (let each: Place = place; each.parent !== undefined; each = each.parent) names.unshift(each.name);
  return names.join('.');
}

/**
 * Path of a text that PostgreSQL cannot store; undefined when there is none. Names of fields count too. Time is linear in the number
 * of values and the depth of the value does not matter.
 */
export function findBadText(value: unknown): string | undefined {
  const places: Place[] = [{ value, name: '', parent: undefined }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (typeof place.value === 'string' && !isStorableText(place.value)) return pathOf(place);
    if (typeof place.value !== 'object' || place.value === null || ArrayBuffer.isView(place.value)) continue;
    if (!Array.isArray(place.value) && Object.keys(place.value).some((name) => !isStorableText(name)))
      return pathOf(place);
    for (const [name, each] of entriesOf(place.value)) {
      // Columns of candles are long and hold numbers only.
      if (typeof each === 'string' ? isStorableText(each) : typeof each !== 'object' || each === null) continue;
      places.push({ value: each, name, parent: place });
    }
  }
  return undefined;
}

function* entriesOf(value: object): Iterable<[string, unknown]> {
  if (!Array.isArray(value)) yield* Object.entries(value as Record<string, unknown>);
  else for (const [index, each] of value.entries()) if (typeof each !== 'number') yield [String(index), each];
}
