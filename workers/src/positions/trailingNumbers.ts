import { absentNumber, type ParameterRow, parameterRows } from '@sextant/engine-as/abi/runParameters.ts';
import type { BookTrailing } from './bookTypes.ts';

const trailingRows = parameterRows.filter(({ exit }) => exit === 'trailing');

/** Name of a number in the trailing stop of a position. */
const nameOf = ({ field, classic }: ParameterRow): string => classic?.field ?? field;

/** Each number of a trailing stop; without effect where its mode does not use it. */
export const trailingNumbers = (trailing: BookTrailing): { row: ParameterRow; path: string; value: number }[] =>
  trailingRows.map((row) => {
    const path = nameOf(row);
    const isUsed = trailing.mode !== 'off' && (row.mode === undefined || row.mode === trailing.mode);
    const own = (trailing as unknown as Record<string, number | undefined>)[path];
    return { row, path, value: isUsed ? (own ?? absentNumber(row)) : absentNumber(row) };
  });

/** A trailing stop with the numbers of its mode. */
export function trailingOfMode(mode: 'percent' | 'atr', valueOf: (row: ParameterRow) => number): BookTrailing {
  const used = trailingRows.filter((row) => row.mode === undefined || row.mode === mode);
  return { mode, ...Object.fromEntries(used.map((row) => [nameOf(row), valueOf(row)])) } as BookTrailing;
}
