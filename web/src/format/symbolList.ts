import { LISTED_SYMBOLS_MAX } from '@sextant/workers/src/core/limits.ts';
import { isSymbol, toSymbolCase } from '@sextant/workers/src/core/symbolPattern.ts';

/** Symbols of a text separated by commas or spaces: upper case, without duplicates. */
export const symbolsOf = (text: string): string[] => [
  ...new Set(
    toSymbolCase(text)
      .split(/[\s,]+/)
      .filter((symbol) => symbol !== ''),
  ),
];

/** The problem with a list of symbols; undefined when it is valid. */
export function symbolListError(text: string, countMax = LISTED_SYMBOLS_MAX): string | undefined {
  const symbols = symbolsOf(text);
  const wrong = symbols.find((symbol) => !isSymbol(symbol));
  if (wrong !== undefined) return `${wrong} is not a symbol. Write them like BTCUSDT, ETHUSDT.`;
  return symbols.length > countMax ? `At most ${countMax} symbols` : undefined;
}

/** The problem with either list. A symbol in both is left out: the blacklist wins. */
export function listErrors(lists: { whitelist: string; blacklist: string }): {
  whitelist?: string;
  blacklist?: string;
} {
  const errors: { whitelist?: string; blacklist?: string } = {};
  for (const key of ['whitelist', 'blacklist'] as const) {
    const error = symbolListError(lists[key]);
    if (error !== undefined) errors[key] = error;
  }
  return errors;
}
