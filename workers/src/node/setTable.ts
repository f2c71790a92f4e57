import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { csvText } from '../core/csvCell.ts';
import type { OptimizeInput, OptimizeResult, TrialColumns } from '../protocol/optimize.ts';
import { isOwnRules } from '../rules/strategyOfRules.ts';
import {
  ownParameters,
  parameterOf,
  rulesParameters,
  type SearchedParameter,
  searchedParameters,
} from '../tasks/optimize/parameters.ts';

/** Endings of a file of sets. */
export const setFormats = ['csv', 'jsonl', 'npz'] as const;
export type SetFormat = (typeof setFormats)[number];

type Column = [name: string, values: Float64Array];

const parametersOf = ({ rules }: Pick<OptimizeInput, 'rules'>): readonly SearchedParameter[] => {
  if (rules === undefined) return searchedParameters;
  return isOwnRules(rules.strategy) ? ownParameters(rules.strategy) : rulesParameters(rules.strategy);
};

/**
 * Every set of a search as columns: `isRefined` (1: of the stages after the samples), `index` within its kind, `weight.ID` and `set.NAME`
 * of its parameters in their own units, then its figures on the training candles. NaN: the set has no such figure.
 */
export function columnsOfSets(
  input: Pick<OptimizeInput, 'rules'>,
  { trials, refined, sets }: OptimizeResult,
): Column[] {
  const [samples, later] = [trials.value.length, refined.value.length];
  const count = samples + later;
  const column = (valueAt: (i: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => valueAt(i));
  const none = new Float64Array();
  const parameters = parametersOf(input).map((parameter): Column => {
    const name = parameter.kind === 'weight' ? `weight.${parameter.id}` : `set.${parameter.id}`;
    return [
      name,
      column((i) =>
        i < samples
          ? parameterOf(sets?.trials ?? none, i, parameter)
          : parameterOf(sets?.refined ?? none, i - samples, parameter),
      ),
    ];
  });
  const figures = (Object.keys(trials) as (keyof TrialColumns)[]).map((name): Column => {
    const values = new Float64Array(count);
    values.set(trials[name]);
    values.set(refined[name], samples);
    return [name, values];
  });
  return [
    ['isRefined', column((i) => (i < samples ? 0 : 1))],
    ['index', column((i) => (i < samples ? i : i - samples))],
    ...parameters,
    ...figures,
  ];
}

/** Writes the columns as CSV, as one JSON object a line, or as a NumPy archive. What is not finite is empty, null, or itself. */
export async function writeSets(file: FileHandle, format: SetFormat, columns: readonly Column[]): Promise<void> {
  if (format === 'npz') await file.write(npzOf(columns));
  else await writeRows(file, format, columns);
}

/** Rows of one write: some 200 kB. */
const BLOCK_ROWS = 1000;

async function writeRows(file: FileHandle, format: 'csv' | 'jsonl', columns: readonly Column[]): Promise<void> {
  const names = columns.map(([name]) => name);
  const count = columns[0]?.[1].length ?? 0;
  if (format === 'csv') await file.write(csvText([names]));
  for (let from = 0; from < count; from += BLOCK_ROWS) {
    const rows = Array.from({ length: Math.min(BLOCK_ROWS, count - from) }, (_, i) =>
      columns.map(([, values]) => finiteOf(values[from + i])),
    );
    const text =
      format === 'csv'
        ? csvText(rows)
        : rows
            .map((row) => `${JSON.stringify(Object.fromEntries(row.map((value, i) => [names[i], value])))}\n`)
            .join('');
    await file.write(text);
  }
}

const finiteOf = (value: number | undefined): number | null => (Number.isFinite(value) ? (value ?? null) : null);

/** A ZIP archive of .npy files, one a column, stored without compression: what `numpy.load` reads. */
export function npzOf(columns: readonly Column[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, values] of columns) {
    const [fileName, data] = [Buffer.from(`${name}.npy`), npyOf(values)];
    const head = Buffer.alloc(26);
    // Version 2.0, names in UTF-8, stored, 1 January 1980.
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(0x0800, 2);
    head.writeUInt16LE(0x0021, 8);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(fileName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, fileName, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, fileName]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(columns.length, 4);
  end.writeUInt16LE(columns.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

/** Format 1.0 of NumPy: a header padded to 64 bytes, then little-endian doubles. */
function npyOf(values: Float64Array): Buffer {
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${values.length},), }`;
  const padded = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(padded.length);
  const data = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(padded, 'latin1'), data]);
}
