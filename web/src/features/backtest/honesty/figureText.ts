import type { HonestyFigure } from '@sextant/workers/src/protocol/honesty.ts';
import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import { formatChance, formatCount, formatFixed, formatPercent, NO_VALUE } from '../../../format/number.ts';
import type { Definition } from '../../../ui/Hint.tsx';

type Unit = (typeof honestyRegistry)[number]['unit'];

const formats: Record<Unit, (value: number) => string> = {
  probability: formatChance,
  fraction: (value) => formatPercent(value, true),
  'sharpe per bar': (value) => formatFixed(value, 3),
  sigma: (value) => `${formatFixed(value, 2)} σ`,
  count: (value) => formatCount(value),
  years: (value) => `${formatFixed(value, 1)} years`,
  bars: (value) => `${formatCount(value)} candles`,
  score: (value) => formatFixed(value, 2),
};

/** Shares that are no change and carry no sign; a fee is a matter of hundredths of a percent. */
const ownFormats: Partial<Record<HonestyFigure['id'], (value: number) => string>> = {
  resampledDrawdown: (value) => formatPercent(value),
  breakEvenFee: (value) => `${formatFixed(value * 100, 3)}\u00a0%`,
};

export interface FigureText {
  id: string;
  definition: Definition;
  value: string;
  /** Band, standard error, or why there is no value. */
  note: string;
  says: HonestyFigure['says'];
}

/** A figure as the panel shows it: never a number without its sample. @param isOfSearch the judged set was found by a search */
export function figureText(figure: HonestyFigure, isOfSearch: boolean): FigureText {
  const entry = honestyRegistry.find(({ id }) => id === figure.id);
  if (entry === undefined) throw new Error(`${figure.id} is no figure of the registry`);
  const { name, definition: meaning, formula, source } = entry;
  const definition: Definition = {
    topic: `honesty.${entry.id}`,
    name,
    meaning: `${meaning} ${figure.words}`,
    formula: `${formula}. ${source}`,
  };
  const format = ownFormats[figure.id] ?? formats[entry.unit];
  if (figure.value === null) {
    return { id: figure.id, definition, value: NO_VALUE, note: figure.reason ?? 'not enough data', says: figure.says };
  }
  return {
    id: figure.id,
    definition,
    value: isShareOfAll(figure)
      ? `${formatCount(figure.value * figure.count)} of ${formatCount(figure.count)}`
      : format(figure.value),
    note: noteOf(figure, format, isOfSearch),
    says: figure.says,
  };
}

/** Counted halvings, of which none or all are in the share: a count is exact, a probability of 0 or 100 % is not. */
const isShareOfAll = ({ id, value }: HonestyFigure): boolean => id === 'overfitting' && (value === 0 || value === 1);

/** Which candles a figure speaks of. */
const windowNames: Record<HonestyFigure['window'], string> = { search: 'training candles', scored: 'scored candles' };

/** Without a search, the trial and the scored candles replace the searched ones. */
const windowOf = ({ window }: HonestyFigure, isOfSearch: boolean) => (isOfSearch ? window : 'scored');

export function shortWindow(figure: HonestyFigure, isOfSearch: boolean): string {
  if (figure.id === 'bothWindows' && isOfSearch) return '(training, scored)';
  return windowOf(figure, isOfSearch) === 'search' ? '(training)' : '(scored)';
}

function noteOf(figure: HonestyFigure, format: (value: number) => string, isOfSearch: boolean): string {
  const { band, standardError, count } = figure;
  const rests = `n = ${formatCount(count)}, ${windowNames[windowOf(figure, isOfSearch)]}`;
  if (band !== undefined) return `${format(band.low)} to ${format(band.high)}, ${rests}`;
  return standardError === undefined ? rests : `give or take ${format(standardError)}, ${rests}`;
}

export const saysNames = { luck: 'Warning sign', skill: 'Good sign', neither: '' };
