import * as preset from './defaults.ts';
import type { ruleSlot } from './records.ts';

// Long because it is one table: an entry for each number of a run.

/**
 * The numbers that decide a run, each declared once: where a strategy holds it, its slot in the engine, bounds, default, unit, words, its
 * slider, and its second name in Classic. The types of strategies, positions and parameters, the engine's records, the checks of tasks, the
 * wire schemas, forms, comparisons and exports follow from this list. A new number needs an entry here, a slot in records.ts and its
 * kernel. Not compiled to WASM.
 */
export interface RunParameter extends ParameterBounds {
  /** Part of a strategy that holds the number; `partOf` names its object. */
  exit: RunPart;
  /** Its name in that object. */
  field: string;
  /** Mode of that object in which it counts; absent: in all of them. */
  mode?: 'percent' | 'atr' | 'risk';
  /** Added after strategies were stored: an absent value is the default, which must not change results or versions. */
  isLater?: true;
  /** Its slot in the rules of the engine; null: the engine reads it elsewhere. */
  slot: keyof typeof ruleSlot | null;
  default: number;
  unit: 'fraction' | 'ratio' | 'candles';
  title: string;
  text: string;
  /** Slider of the rules, in percent for a fraction; absent: not on the page. */
  slider?: Slider;
  /** Its line in the words of a strategy. */
  line?: { name: string; text: (value: number) => string };
  /** Absent: Classic does not have it. */
  classic?: ClassicParameter;
}

export interface ParameterBounds {
  min: number;
  max: number;
  /** `min` itself is rejected. */
  isOpen?: boolean;
  isInteger?: boolean;
  /** A request below `min` is raised to it. */
  isRaised?: boolean;
}

export type RunPart = 'entry' | 'stop' | 'target' | 'range' | 'trailing' | 'breakEven' | 'time' | 'size';

interface Slider {
  min: number;
  max: number;
  step: number;
  decimals: number;
  unit?: string;
}

/** A number of Classic, the parameters of the specification. */
export interface ClassicParameter {
  part: 'params' | 'trailing';
  field: string;
  /** The specification's name on the wire; `Pct` holds a fraction there. */
  wire: string;
  /** Bounds of a request. */
  sent: { min: number; max: number; isOpen?: boolean };
  /** Bounds of the engine where they are not those of strategies. */
  checked?: { min: number; max: number; isOpen?: boolean };
  /** May be absent; 0 then. */
  isOptional?: true;
  /** Description in the API. */
  text?: string;
  /** Its name on the page; absent: not shown. */
  label?: string;
  /** Compared only where runs differ. */
  isDetail?: true;
  /** Slider of Classic; absent: the form cannot set it. Bounds of a fraction are percent, those of `sent` when absent. */
  form?: {
    /** Also its help topic, `setting.<id>`. */
    id: string;
    min?: number;
    max?: number;
    step: number;
    meaning: (words: FormWords) => string;
    formula?: string;
    example?: string;
  };
}

/** `0.1 to 10 %`, `at least 0.1 %`, and the default, `2 %`. */
export interface FormWords {
  bounds: string;
  least: string;
  standard: string;
}

const percents = { min: 0.1, max: 20, step: 0.1, decimals: 2 } as const;
const ranges = { min: 0.5, max: 20, step: 0.1, decimals: 1, unit: 'ATR' } as const;

/** Fractions: 0.02 is 2 %. */
export const runParameters = {
  entryThreshold: {
    exit: 'entry',
    field: 'entryThreshold',
    slot: 'entryThreshold',
    min: 0,
    max: 1,
    isOpen: true,
    default: preset.ENTRY_THRESHOLD,
    unit: 'ratio',
    title: 'Entry threshold',
    text: 'Least absolute score that is a signal.',
    slider: { min: 0.01, max: 1, step: 0.01, decimals: 2 },
    classic: {
      part: 'params',
      field: 'entryThreshold',
      wire: 'entryThreshold',
      sent: { min: 0, max: 1, isOpen: true },
      label: 'Entry threshold',
      form: {
        id: 'entryThreshold',
        // The field starts below its range untouched; any edit is held to the range.
        min: 0.1,
        step: 0.01,
        meaning: ({ bounds, standard }) =>
          `Opens a trade when the score reaches this size. The score averages the votes: -1 all short, 1 all long. Default ${standard}; ${bounds}.`,
        formula: '|score| >= threshold',
      },
    },
  },
  stopFraction: {
    exit: 'stop',
    field: 'fraction',
    mode: 'percent',
    slot: 'stopLossFraction',
    min: 0.001,
    max: 0.5,
    default: preset.STOP_FRACTION,
    unit: 'fraction',
    title: 'Stop',
    text: 'Distance of the stop from the fill, a fraction.',
    slider: percents,
    classic: {
      part: 'params',
      field: 'stopLossFraction',
      wire: 'slPct',
      sent: { min: 0.001, max: 0.1 },
      checked: { min: 0, max: 0.99, isOpen: true },
      text: 'Stop distance, a fraction: 0.02 is 2 %.',
      label: 'Stop loss',
      form: {
        id: 'stopLoss',
        step: 0.1,
        meaning: ({ bounds, standard }) =>
          `Stop distance from the entry, ${bounds}, default ${standard}. Active from the fill.`,
        example: 'A long at 100 with 2 % is stopped at 98.',
      },
    },
  },
  stopMultiple: {
    exit: 'stop',
    field: 'multiple',
    mode: 'atr',
    slot: 'stopAtr',
    min: 0.1,
    max: 100,
    default: 2,
    unit: 'ratio',
    title: 'Stop',
    text: 'Distance of the stop in average true ranges of the deciding candle.',
    slider: ranges,
  },
  targetFraction: {
    exit: 'target',
    field: 'fraction',
    mode: 'percent',
    slot: 'takeProfitFraction',
    min: 0.001,
    max: 0.5,
    default: preset.TARGET_FRACTION,
    unit: 'fraction',
    title: 'Target',
    text: 'Distance of the target from the fill, a fraction.',
    slider: percents,
    classic: {
      part: 'params',
      field: 'takeProfitFraction',
      wire: 'tpPct',
      sent: { min: 0.001, max: 0.2 },
      checked: { min: 0, max: 0.99, isOpen: true },
      text: 'Target distance, a fraction.',
      label: 'Take profit',
      form: {
        id: 'takeProfit',
        step: 0.1,
        meaning: ({ bounds, standard }) => `Target distance from the entry, ${bounds}, default ${standard}.`,
        example: 'A long at 100 with 4 % takes its profit at 104.',
      },
    },
  },
  targetMultiple: {
    exit: 'target',
    field: 'multiple',
    mode: 'atr',
    slot: 'targetAtr',
    min: 0.1,
    max: 100,
    default: 4,
    unit: 'ratio',
    title: 'Target',
    text: 'Distance of the target in average true ranges of the deciding candle.',
    slider: ranges,
  },
  callbackFraction: {
    exit: 'trailing',
    field: 'callbackFraction',
    mode: 'percent',
    slot: 'trailingCallback',
    min: 0,
    max: 0.99,
    default: preset.CALLBACK_FRACTION,
    unit: 'fraction',
    title: 'Trailing distance',
    text: 'Distance of the trailing stop from the best price, a fraction.',
    slider: { min: 0.1, max: 20, step: 0.05, decimals: 2 },
    classic: {
      part: 'trailing',
      field: 'callbackFraction',
      wire: 'callbackPct',
      sent: { min: 0.0005, max: 0.2 },
      text: 'Fraction: 0.005 is 0.5 %.',
      label: 'Trail callback',
      form: {
        id: 'callback',
        min: 0.1,
        step: 0.05,
        meaning: ({ least, standard }) => `Trailing stop distance from the best price, ${least}, default ${standard}.`,
      },
    },
  },
  stepFraction: {
    exit: 'trailing',
    field: 'stepFraction',
    slot: 'trailingStep',
    min: 0,
    max: 1,
    default: preset.STEP_FRACTION,
    unit: 'fraction',
    title: 'Trailing step',
    text: 'The stop moves only by this fraction of the entry or more.',
    slider: { min: 0, max: 5, step: 0.05, decimals: 2 },
    classic: {
      part: 'trailing',
      field: 'stepFraction',
      wire: 'stepPct',
      sent: { min: 0, max: 0.2 },
      text: 'Fraction: 0.0025 is 0.25 %.',
      label: 'Trail step',
      isDetail: true,
      form: {
        id: 'trailStep',
        min: 0.05,
        step: 0.05,
        meaning: ({ least, standard }) =>
          `Smallest move of the stop, as a share of the entry price, ${least}, default ${standard}.`,
      },
    },
  },
  trailingMultiple: {
    exit: 'trailing',
    field: 'atrMultiple',
    mode: 'atr',
    slot: 'trailingAtrMultiplier',
    min: 0.1,
    max: 100,
    default: preset.TRAILING_MULTIPLE,
    unit: 'ratio',
    title: 'Trailing distance',
    text: 'Distance of the trailing stop in average true ranges of the completed candle.',
    slider: ranges,
    classic: {
      part: 'trailing',
      field: 'atrMultiplier',
      wire: 'atrMultiplier',
      sent: { min: 0.5, max: 100 },
      checked: { min: 0, max: 1000, isOpen: true },
      isOptional: true,
      text: `${preset.TRAILING_MULTIPLE} when absent.`,
    },
  },
  /** Period of every average true range of a strategy; Classic has one for its trailing stop. */
  atrPeriod: {
    exit: 'range',
    field: 'atrPeriod',
    slot: null,
    min: 1,
    max: 1000,
    isInteger: true,
    isRaised: true,
    default: preset.ATR_PERIOD,
    unit: 'candles',
    title: 'ATR period',
    text: 'Candles of the average true range.',
    classic: {
      part: 'trailing',
      field: 'atrPeriod',
      wire: 'atrPeriod',
      sent: { min: 1, max: 1000 },
      checked: { min: 1, max: 10_000 },
      isOptional: true,
      text: `Candles, 1 when less; ${preset.ATR_PERIOD} when absent.`,
    },
  },
  activationFraction: {
    exit: 'trailing',
    field: 'activationFraction',
    slot: 'trailingActivation',
    min: 0,
    max: 10,
    default: 0,
    unit: 'fraction',
    title: 'Trailing from a gain of',
    text: 'Gain that starts the trailing, a fraction of the entry.',
    slider: { min: 0, max: 20, step: 0.1, decimals: 2 },
    classic: {
      part: 'trailing',
      field: 'activationFraction',
      wire: 'activationPct',
      sent: { min: 0, max: 1 },
      isOptional: true,
      text: 'Profit that starts the trailing, a fraction.',
      label: 'Trail activation',
      isDetail: true,
      form: {
        id: 'activation',
        max: 20,
        step: 0.1,
        meaning: ({ bounds, standard }) => `Trailing starts at this profit, ${bounds}, default ${standard}: at once.`,
        example: 'A long at 100 with 2 % trails from 102 on.',
      },
    },
  },
  breakEvenR: {
    exit: 'breakEven',
    field: 'breakEvenR',
    slot: 'breakEvenR',
    min: 0,
    max: 100,
    default: 0,
    unit: 'ratio',
    title: 'Break-even after',
    text: 'The stop moves to the entry after a gain of so many times the distance of the first stop; 0: never.',
    slider: { min: 0, max: 5, step: 0.1, decimals: 1, unit: 'x' },
    line: { name: 'Break-even', text: (value) => (value === 0 ? 'never' : `after ${value}R profit`) },
  },
  holdingBarsMax: {
    exit: 'time',
    field: 'holdingBarsMax',
    slot: 'holdingBarsMax',
    min: 0,
    max: 1_000_000,
    isInteger: true,
    default: 0,
    unit: 'candles',
    title: 'Longest hold, candles',
    text: 'A position leaves at the open that follows so many candles; 0: no limit.',
    slider: { min: 0, max: 500, step: 1, decimals: 0 },
    line: { name: 'Holding time', text: (value) => (value === 0 ? 'no limit' : `at most ${value} candles`) },
    classic: {
      part: 'params',
      field: 'holdingBarsMax',
      wire: 'holdingBarsMax',
      sent: { min: 0, max: 1e9 },
      checked: { min: 0, max: 1e9 },
      isOptional: true,
      text: 'Longest time in a trade, candles; 0: none.',
      label: 'Longest holding, candles',
      isDetail: true,
    },
  },
  riskFraction: {
    exit: 'size',
    field: 'riskFraction',
    mode: 'risk',
    slot: 'riskFraction',
    min: 0,
    max: 0.5,
    isOpen: true,
    default: 0.01,
    unit: 'fraction',
    title: 'Risk per trade',
    text: 'Part of the balance that a trade may lose at its stop, costs included.',
    slider: { min: 0.1, max: 10, step: 0.1, decimals: 2 },
  },
} as const satisfies Record<string, RunParameter>;

/** Object of a strategy that holds the numbers of a part; those of the others stand in the strategy itself. */
export const partOf = {
  stop: 'stop',
  target: 'target',
  trailing: 'trailing',
  size: 'sizing',
} as const satisfies Partial<Record<RunPart, string>>;

type Rows = typeof runParameters;
export type RunParameterName = keyof Rows;

/** Names of the numbers of some parts. */
type NamesOf<P extends RunPart> = {
  [K in RunParameterName]: Rows[K]['exit'] extends P ? K : never;
}[RunParameterName];

/** The numbers of some parts, as a strategy has them. */
export type NumbersOf<P extends RunPart> = {
  [K in NamesOf<P> as Rows[K] extends { isLater: true } ? never : Rows[K]['field']]: number;
} & { [K in NamesOf<P> as Rows[K] extends { isLater: true } ? Rows[K]['field'] : never]?: number };

/** A name of Classic; never for a number that Classic lacks. */
type ClassicName<K extends RunParameterName, Side extends 'field' | 'wire'> = Rows[K] extends { classic: infer C }
  ? C extends Record<Side, infer Name extends string>
    ? Name
    : never
  : never;
type ClassicRow<P extends 'params' | 'trailing'> = {
  [K in RunParameterName]: Rows[K] extends { classic: { part: P } } ? K : never;
}[RunParameterName];
type OptionalRow = {
  [K in RunParameterName]: Rows[K] extends { classic: { isOptional: true } } ? K : never;
}[RunParameterName];

/** The numbers that every set of Classic has, by their names inside or on the wire. */
export type ClassicRequired<P extends 'params' | 'trailing', Side extends 'field' | 'wire', Value = number> = {
  [K in Exclude<ClassicRow<P>, OptionalRow> as ClassicName<K, Side>]: Value;
};
/** The others. */
export type ClassicOptional<P extends 'params' | 'trailing', Side extends 'field' | 'wire', Value = number> = {
  [K in Extract<ClassicRow<P>, OptionalRow> as ClassicName<K, Side>]: Value;
};
export type ClassicNumbers<P extends 'params' | 'trailing', Side extends 'field' | 'wire'> = ClassicRequired<P, Side> &
  Partial<ClassicOptional<P, Side>>;

/** Name of a trailing number in a watched position: that of Classic where there is one. */
type PositionName<K extends RunParameterName> = [ClassicName<K, 'field'>] extends [never]
  ? Rows[K]['field']
  : ClassicName<K, 'field'>;
/** The numbers of a position that trails by percent or by ranges: the distance of its mode, and the others. */
export type PositionTrailing<M extends 'percent' | 'atr'> = {
  [K in NamesOf<'trailing'> as Rows[K] extends { mode: M } ? PositionName<K> : never]: number;
} & { [K in NamesOf<'trailing'> as Rows[K] extends { mode: string } ? never : PositionName<K>]?: number };

/** Id of a number that the form of Classic sets. */
export type ClassicFormId = {
  [K in RunParameterName]: Rows[K] extends { classic: { form: { id: infer Id extends string } } } ? Id : never;
}[RunParameterName];

export type ParameterRow = RunParameter & { name: RunParameterName };
/** The table in its order. */
export const parameterRows: readonly ParameterRow[] = Object.entries<RunParameter>(runParameters).map(
  ([name, row]) => ({
    ...row,
    name: name as RunParameterName,
  }),
);

export type ClassicParameterRow = ParameterRow & { classic: ClassicParameter };
/** Those that Classic has. */
export const classicRows: readonly ClassicParameterRow[] = parameterRows.flatMap((row) =>
  row.classic === undefined ? [] : [{ ...row, classic: row.classic }],
);

/** Value of a number that is absent from a set of Classic or a position: it does nothing. */
export const absentNumber = ({ isLater, default: standard }: RunParameter): number => (isLater === true ? standard : 0);

/** The numbers of some parts. @param valueOf a later one that has its default is left out */
export function numbersOf<P extends RunPart>(
  parts: readonly P[],
  valueOf: (row: ParameterRow) => number = (row) => row.default,
): NumbersOf<P> {
  const values = parameterRows
    .filter(({ exit }) => (parts as readonly RunPart[]).includes(exit))
    .map((row) => ({ row, value: valueOf(row) }))
    .filter(({ row, value }) => row.isLater !== true || value !== row.default);
  return Object.fromEntries(values.map(({ row, value }) => [row.field, value])) as NumbersOf<P>;
}
