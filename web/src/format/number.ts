import { LOCALE } from './locale.ts';

/** Shown instead of a number that does not exist; never 0. */
export const NO_VALUE = '–';

const formats = new Map<string, Intl.NumberFormat>();

function fixed(decimalsMin: number, decimalsMax: number): Intl.NumberFormat {
  const key = `${decimalsMin}-${decimalsMax}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: decimalsMin, maximumFractionDigits: decimalsMax });
    formats.set(key, format);
  }
  return format;
}

/** A minus sign as wide as the digits, so that columns stay aligned; no "-0.00". */
function withMinus(text: string): string {
  if (!text.startsWith('-')) return text;
  return /[1-9]/.test(text) ? `\u2212${text.slice(1)}` : text.slice(1);
}

export function formatFixed(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NO_VALUE;
  return withMinus(fixed(decimals, decimals).format(value));
}

/** With `+` for a gain: colour is never the only sign of a direction. Zero has none. */
export function formatSigned(value: number | null | undefined, decimals: number): string {
  const text = formatFixed(value, decimals);
  const isGain = value !== null && value !== undefined && value > 0 && /[1-9]/.test(text);
  return isGain ? `+${text}` : text;
}

/** Without a tick size: below this price two to six decimals would lose digits, so four significant ones are shown. */
const SMALL_PRICE = 0.001;
/** Maximum that every browser supports. */
const DECIMALS_MAX = 20;

/** Decimals of a tick size: 1 of 0.1, 5 of 0.00025, none of 5. */
export function tickDecimals(tickSize: number): number | undefined {
  if (!Number.isFinite(tickSize) || tickSize <= 0) return undefined;
  // 0.1 + 0.2 prints with 17 digits and means one.
  return Math.min(DECIMALS_MAX, writtenDecimals(Number(tickSize.toPrecision(12))));
}

/**
 * Decimals of a price: those of its tick size. Without one five significant digits within 2 to 6 decimals, below SMALL_PRICE
 * at least four significant digits.
 * @param ofTick from tickDecimals
 */
export function priceDecimals(price: number, ofTick?: number): number {
  if (ofTick !== undefined) return ofTick;
  const size = Math.abs(price);
  if (!Number.isFinite(size) || size === 0) return 2;
  const magnitude = Math.floor(Math.log10(size));
  const usual = Math.min(6, Math.max(2, 4 - magnitude));
  return size < SMALL_PRICE ? Math.min(DECIMALS_MAX, Math.max(usual, 3 - magnitude)) : usual;
}

/** Number of decimals of a number written in full: 3 for 1.125, 7 for 1e-7. */
function writtenDecimals(value: number): number {
  const [, digits = '', exponent = '0'] = /^[^.e]*(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, digits.length - Number(exponent));
}

/** More than these are the noise of a calculation, not how a price was quoted. */
const WRITTEN_MAX = 12;
const SAMPLE = 50;

/**
 * Decimals for prices of unknown tick size: as many as the last ones have.
 * @param isQuoted they are on the tick of an exchange; fills beside a file may not be, and have two decimals at least
 */
export function seriesDecimals({ open, high, low, close }: Prices, isQuoted = false): number {
  const last = [open, high, low, close].flatMap((column) => Array.from(column.slice(-SAMPLE)));
  const written = last.reduce((most, price) => Math.max(most, writtenDecimals(price)), isQuoted ? 0 : 2);
  return priceDecimals(close.at(-1) ?? 1, written > WRITTEN_MAX ? undefined : written);
}

type Prices = Record<'open' | 'high' | 'low' | 'close', Float64Array>;

/** @param ofTick decimals of the symbol's tick size, where known */
export function formatPrice(price: number | null | undefined, ofTick?: number): string {
  if (price === null || price === undefined || !Number.isFinite(price)) return NO_VALUE;
  return formatFixed(price, priceDecimals(price, ofTick));
}

/** A price quoted by an exchange: on its tick, so it needs no rounding. */
export function formatQuoted(price: number | null | undefined): string {
  const decimals = writtenDecimals(price ?? NaN);
  return formatPrice(price, decimals > WRITTEN_MAX ? undefined : decimals);
}

/** Base units with 4 to 8 decimals: as many as the number has, within these limits. */
export function formatQuantity(quantity: number | null | undefined): string {
  if (quantity === null || quantity === undefined || !Number.isFinite(quantity)) return NO_VALUE;
  return withMinus(fixed(4, 8).format(quantity));
}

/** USDT with separators and cents; a gain carries its sign when `signed`. */
export function formatMoney(amount: number | null | undefined, signed = false): string {
  return signed ? formatSigned(amount, 2) : formatFixed(amount, 2);
}

/** A result in multiples of the risk: `+1.50R`. */
export function formatMultiple(multiple: number | null | undefined): string {
  if (multiple === null || multiple === undefined || !Number.isFinite(multiple)) return NO_VALUE;
  return `${formatSigned(multiple, 2)}R`;
}

/** @param fraction 0.0123 shows as 1.23 % */
export function formatPercent(fraction: number | null | undefined, signed = false): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return NO_VALUE;
  return `${signed ? formatSigned(fraction * 100, 2) : formatFixed(fraction * 100, 2)}\u00a0%`;
}

/** A probability as a percentage, but never as certain: what would round to 0 or 100 % is `< 0.01 %` or `> 99.99 %`. */
export function formatChance(fraction: number | null | undefined, decimals = 2): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return NO_VALUE;
  const write = (percent: number): string => `${formatFixed(percent, decimals)}\u00a0%`;
  const step = 10 ** -decimals;
  const rounded = write(fraction * 100);
  if (fraction <= 0 || rounded === write(0)) return `<\u00a0${write(step)}`;
  return fraction >= 1 || rounded === write(100) ? `>\u00a0${write(100 - step)}` : rounded;
}

/** A plain number with separators, up to three decimals. */
export function formatAmount(amount: number | null | undefined): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return NO_VALUE;
  return withMinus(fixed(0, 3).format(amount));
}

export function formatCount(count: number | null | undefined): string {
  return formatFixed(count, 0);
}

/** @param one the singular noun; takes an s for other counts: "1 trade", "0 trades" */
export const formatMany = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;

/** CSS class of a gain or a loss; the figure also has a sign, so colour is never the only cue. @param zeroTone for 0 and for no value */
export function signTone(value: number | null | undefined, zeroTone = ''): string {
  if (value === null || value === undefined || value === 0) return zeroTone;
  return value > 0 ? 'text-up' : 'text-down';
}
