import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { isSymbol } from '../core/symbolPattern.ts';

/**
 * Parsers for the text of a picture. Strangers write that text, so these rules let through a symbol, a known interval, a price or a date,
 * and nothing else.
 */

/** Longer lines are no titles; the rest of such a line is ignored. */
const titleMax = 200;

/** `USDT` as it is often misread. */
const quote = 'U[S5][D0O][T7]';
const joined = new RegExp(`(?<![A-Z0-9])([A-Z0-9]{1,20}?)(${quote})(?:[.:]P|PERP|[-_]?SWAP)?(?![A-Z0-9])`);
const separated = new RegExp(
  `(?<![A-Z0-9])([A-Z0-9]{1,20}) ?[/_-] ?(${quote})(?:[:. _-]?(?:P|PERP|SWAP|USDT))?(?![A-Z0-9])`,
);

/** The first symbol of a title (`BTC/USDT`, `BTCUSDT.P`, `BTC-USDT-SWAP`), as exchanges write it; null when there is none. */
export function parseSymbol(title: string): string | null {
  const text = title.slice(0, titleMax).toUpperCase();
  for (const rule of [separated, joined]) {
    const base = rule.exec(text)?.[1];
    const symbol = `${base ?? ''}USDT`;
    if (base !== undefined && isSymbol(symbol)) return symbol;
  }
  return null;
}

const known = new Set<string>(Object.keys(intervalMs));
const isInterval = (text: string): text is IntervalName => known.has(text);

/** Minutes alone, as some sites write longer intervals. */
const ofMinutes = new Map(
  Object.entries(intervalMs).flatMap(([interval, ms]) => (ms < 86_400_000 ? [[String(ms / 60_000), interval]] : [])),
);
const unit: Record<string, string> = {
  m: 'm',
  min: 'm',
  minute: 'm',
  minutes: 'm',
  h: 'h',
  hr: 'h',
  hour: 'h',
  hours: 'h',
  d: 'd',
  day: 'd',
  days: 'd',
};
const words: Record<string, string> = { d: '1d', daily: '1d', hourly: '1h' };

/** A word of a title as an interval: `1h`, `4H`, `15 min`, `1D`, `D`. Digits are often read as the letters that look like them. */
function intervalOf(word: string): IntervalName | null {
  const match = /^([0-9IlOoSZ|]{1,3})\s?([a-zA-Z]+)$/.exec(word);
  if (match === null) {
    const plain = Object.hasOwn(words, word.toLowerCase()) ? words[word.toLowerCase()] : undefined;
    // A small `d` alone is a misread mark, not the name of an interval.
    return plain !== undefined && (word.length > 1 || word === word.toUpperCase()) && isInterval(plain) ? plain : null;
  }
  const count = (match[1] ?? '')
    .replaceAll(/[Il|]/g, '1')
    .replaceAll(/[Oo]/g, '0')
    .replaceAll('S', '5')
    .replaceAll('Z', '2');
  const letters = match[2] ?? '';
  // `1M` is a month, which has no candles here; `15M` can only be minutes.
  if (letters === 'M' && count === '1') return null;
  const name = letters.toLowerCase();
  const short = Object.hasOwn(unit, name) ? unit[name] : undefined;
  const interval = `${String(Number(count))}${short ?? ''}`;
  return short !== undefined && isInterval(interval) ? interval : null;
}

/** The interval of a title, null when there is none. A number alone counts only in the place after the symbol (`BTCUSDT, 240`). */
export function parseInterval(title: string): IntervalName | null {
  const text = title.slice(0, titleMax).replaceAll(/(\d) (?=(?:min|minutes?|hours?|days?|[mhHdD])\b)/g, '$1');
  const parts = text.split(/[\s,;:·•.()[\]|/-]+/).filter((part) => part !== '');
  const symbolAt = parts.findIndex((part) => /USDT/i.test(part));
  for (const part of parts) {
    const interval = intervalOf(part);
    if (interval !== null) return interval;
  }
  const after =
    parts[symbolAt + 1] === 'P' || parts[symbolAt + 1] === 'PERP' ? parts[symbolAt + 2] : parts[symbolAt + 1];
  const minutes = symbolAt < 0 ? undefined : ofMinutes.get(after ?? '');
  return minutes !== undefined && isInterval(minutes) ? minutes : null;
}

/** Decimals of a label and its value without the point, so that labels that lost theirs can be mended by their neighbours. */
export interface PriceText {
  digits: number;
  /** Digits after the point, null when the label shows none. */
  decimals: number | null;
  unit: 1 | 1000;
}

/** A price as axes write it: `60,123.4`, `60.123,4`, `0.00123`, `$60.5K`; null for everything else. */
export function parsePriceText(text: string): PriceText | null {
  const match = /^[$]?(\d[\d.,]*)(K?)$/i.exec(text.trim().replaceAll(/\s/g, ''));
  const body = match?.[1]?.replace(/[.,]+$/, '');
  if (body === undefined) return null;
  const digits = body.replaceAll(/[.,]/g, '');
  const decimals = decimalsOf(body, body.length - digits.length);
  if (digits.length > 12 || decimals === undefined) return null;
  return { digits: Number(digits), decimals, unit: match?.[2] === '' ? 1 : 1000 };
}

/** Null without a point, undefined when the marks make no number. Of two kinds of marks the last is the point. */
function decimalsOf(body: string, marks: number): number | null | undefined {
  if (marks === 0) return null;
  const last = Math.max(body.lastIndexOf('.'), body.lastIndexOf(','));
  const rest = body.length - last - 1;
  if (body.includes('.') && body.includes(',')) return rest;
  if (marks > 1) return rest === 3 ? null : undefined;
  // A comma before three digits groups thousands, except after a zero.
  return body[last] === ',' && rest === 3 && !body.startsWith('0') ? null : rest;
}

export const priceOf = ({ digits, decimals, unit: factor }: PriceText): number =>
  (digits / 10 ** (decimals ?? 0)) * factor;

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const dates = [
  /^(?:[01]?\d|2[0-3]):[0-5]\d$/,
  /^(?:0?[1-9]|[12]\d|3[01])$/,
  /^20\d\d$/,
  /^(?:\d{4}[-/])?\d{1,2}[-/]\d{1,2}(?: \d{2}:\d{2})?$/,
  new RegExp(`^${month}(?: '?\\d{1,4})?$`),
  new RegExp(`^\\d{1,2} ${month}(?: '?\\d{2,4})?$`),
];

/** A time or date of the axis (`14:00`, `5`, `Mar 5`, `2026-03-05`) as it is written; null for everything else. */
export function parseDate(text: string): string | null {
  const clean = text.trim().replaceAll(/\s+/g, ' ');
  return dates.some((form) => form.test(clean)) ? clean : null;
}
