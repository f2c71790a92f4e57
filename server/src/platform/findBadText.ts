import { isStorableText } from './contract.ts';

/** A value and its path as a list from the inside out: the path text is built only for the reported one. */
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
 * Path of a text that PostgreSQL cannot store, including field names; undefined when there is none. Time is linear in the number
 * of values; nesting depth is unlimited.
 */
export function findBadText(value: unknown): string | undefined {
  const places: Place[] = [{ value, name: '', parent: undefined }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (typeof place.value === 'string' && !isStorableText(place.value)) return pathOf(place);
    if (typeof place.value !== 'object' || place.value === null || ArrayBuffer.isView(place.value)) continue;
    if (!Array.isArray(place.value) && Object.keys(place.value).some((name) => !isStorableText(name)))
      return pathOf(place);
    for (const [name, each] of entriesOf(place.value)) {
      // Skip scalars: candle columns are long and hold only numbers.
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
