import type { HonestyFigure, HonestyLevel } from '@sextant/workers/src/protocolHonesty.ts';
import { honestyRegistry } from '@sextant/workers/src/wire/honestyDefinitions.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../../format/number.ts';
import type { Definition } from '../../../ui/Hint.tsx';

type Unit = (typeof honestyRegistry)[number]['unit'];

const formats: Record<Unit, (value: number) => string> = {
  probability: (value) => formatPercent(value),
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

/** A figure as the panel shows it: never a number without what it rests on. */
export function figureText(figure: HonestyFigure): FigureText {
  const entry = honestyRegistry.find(({ id }) => id === figure.id);
  if (entry === undefined) throw new Error(`${figure.id} is no figure of the registry`);
  const { name, definition: meaning, formula, source } = entry;
  const definition: Definition = { name, meaning: `${meaning} ${figure.words}`, formula: `${formula}. ${source}` };
  const format = ownFormats[figure.id] ?? formats[entry.unit];
  if (figure.value === null) {
    return { id: figure.id, definition, value: NO_VALUE, note: figure.reason ?? 'not enough data', says: figure.says };
  }
  return { id: figure.id, definition, value: format(figure.value), note: noteOf(figure, format), says: figure.says };
}

function noteOf({ band, standardError, count, window }: HonestyFigure, format: (value: number) => string): string {
  const rests = `n = ${formatCount(count)}, ${window} window`;
  if (band !== undefined) return `${format(band.low)} to ${format(band.high)}, ${rests}`;
  return standardError === undefined ? rests : `give or take ${format(standardError)}, ${rests}`;
}

export const levelNames: Record<HonestyLevel, string> = {
  luck: 'Luck',
  unclear: 'Unclear',
  'holds up': 'Holds up',
  'not enough data': 'Cannot tell yet',
};
