import { absentNumber, type ParameterRow, parameterRows } from '@sextant/engine-as/abi/runParameters.ts';
import type { BookTrailing } from './bookTypes.ts';

const trailingRows = parameterRows.filter(({ exit }) => exit === 'trailing');

/** Name of a number in the trailing stop of a position. */
const nameOf = ({ field, classic }: ParameterRow): string => classic?.field ?? field;

interface TrailingNumber {
  row: ParameterRow;
  path: string;
  value: number;
  /** Its mode uses it, and the position has none. */
  isMissing: boolean;
}

/** Percent trails by the numbers that Classic requires, ranges by their distance; the others do nothing where they are absent. */
const isRequired = ({ mode, isLater, classic }: ParameterRow, ofTrailing: BookTrailing['mode']): boolean =>
  isLater !== true &&
  (mode === ofTrailing || (ofTrailing === 'percent' && classic !== undefined && classic.isOptional !== true));

/** Each number of a trailing stop; without effect where its mode does not use it. */
export const trailingNumbers = (trailing: BookTrailing): TrailingNumber[] =>
  trailingRows.map((row) => {
    const path = nameOf(row);
    const isUsed = trailing.mode !== 'off' && (row.mode === undefined || row.mode === trailing.mode);
    const own = isUsed ? (trailing as unknown as Record<string, number | undefined>)[path] : undefined;
    const isMissing = isUsed && own === undefined && isRequired(row, trailing.mode);
    return { row, path, value: own ?? absentNumber(row), isMissing };
  });

/** A trailing stop with the numbers of its mode. */
export function trailingOfMode(mode: 'percent' | 'atr', valueOf: (row: ParameterRow) => number): BookTrailing {
  const used = trailingRows.filter((row) => row.mode === undefined || row.mode === mode);
  return { mode, ...Object.fromEntries(used.map((row) => [nameOf(row), valueOf(row)])) } as BookTrailing;
}
