import type { SavedRun } from '../../../api/types.ts';
import { formatPercent, NO_VALUE } from '../../../format/number.ts';
import { fractionToPercent } from '../params.ts';
import type { RatedDefinition } from '../results/allFigures.ts';
import type { PinnedPortfolio } from './pinnedPortfolios.ts';

/** One line of a comparison: a value of each run, and whether they differ. */

/** A saved run of one symbol, or a pinned account over many. */
export type ComparedRun = SavedRun | PinnedPortfolio;

export const isPortfolio = (run: ComparedRun | undefined): run is PinnedPortfolio =>
  run !== undefined && 'isPortfolio' in run;
export const isSingle = (run: ComparedRun): run is SavedRun => !isPortfolio(run);

export interface CompareRow {
  name: string;
  /** One text a run. */
  texts: string[];
  isDifferent: boolean;
  definition?: RatedDefinition;
  /** Index of the run that did best, where the figure has a better side, all have it, and one alone is best. */
  best?: number;
}

export type Value = string | number | boolean | null | undefined;

/** One compared value: how it is read from a run and formatted. */
export interface Line {
  name: string;
  read: (run: SavedRun) => Value;
  format: (value: number) => string;
  /** Full precision, for two numbers that look the same and are not. */
  exact?: (value: number) => string;
  /** Left out while both are equal. */
  isDetail?: boolean;
  /** Text where there is no number. */
  absent?: string | ((run: SavedRun) => string);
  /** Text where the saved run lacks it. */
  notStored?: string;
  /** Only accounts over many symbols have it: a run of one symbol makes no difference. */
  isOfAccount?: boolean;
  definition?: RatedDefinition;
}

export const percent = {
  format: (value: number) => formatPercent(value),
  exact: (value: number) => `${fractionToPercent(value)}\u00a0%`,
};

function bestOf(values: readonly Value[], side: RatedDefinition['better']): Pick<CompareRow, 'best'> {
  const numbers = values.filter((value) => typeof value === 'number');
  if (side === undefined || numbers.length < values.length || values.length < 2) return {};
  const best = side === 'higher' ? Math.max(...numbers) : Math.min(...numbers);
  const at = numbers.indexOf(best);
  return at === numbers.lastIndexOf(best) ? { best: at } : {};
}

/** The texts of a line; in full where two different numbers would read the same. */
export function rowOf(runs: readonly ComparedRun[], line: Line): CompareRow {
  const { name, read, format, exact = String, absent = 'none', notStored = 'not stored', definition } = line;
  const values = runs.map((run) => (isPortfolio(run) ? run.values[name] : read(run)));
  const textOf = (run: ComparedRun, value: Value, write: (number: number) => string): string => {
    if (isPortfolio(run)) {
      if (value === undefined || value === null) return NO_VALUE;
      return typeof value === 'number' ? write(value) : String(value);
    }
    if (value === undefined) return notStored;
    if (value === null) return typeof absent === 'string' ? absent : absent(run);
    return typeof value === 'number' ? write(value) : String(value);
  };
  const textsOf = (write: (number: number) => string) => runs.map((run, at) => textOf(run, values[at], write));
  const short = textsOf(format);
  const isHidden = new Set(short).size < new Set(values).size;
  const texts = isHidden ? textsOf(exact) : short;
  // What an account over many symbols does not have is no difference.
  const shared = values.filter(
    (value, at) => value !== undefined || !(line.isOfAccount === true || isPortfolio(runs[at])),
  );
  const row = { name, texts, isDifferent: new Set(shared).size > 1 };
  return definition === undefined ? row : { ...row, definition, ...bestOf(values, definition.better) };
}

/** Lines of an account that no run of one symbol has. @param known names of the lines that are there */
export function portfolioLines(runs: readonly PinnedPortfolio[], known: readonly string[]): Line[] {
  const names = new Set(runs.flatMap(({ values }) => Object.keys(values)));
  return [...names]
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, read: () => undefined, notStored: NO_VALUE, format: String, isOfAccount: true }));
}
