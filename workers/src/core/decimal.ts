/** Exact decimals: `digits` x 10^-`scale`. For checks of money, not for speed. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Parses plain or exponential notation: `12.5`, `-3`, `1e-7`. @throws for anything else */
export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (match === null) throw new Error(`${text} is no decimal`);
  const [, sign = '', whole = '0', part = '', exponent = '0'] = match;
  const scale = part.length - Number(exponent);
  const digits = BigInt(`${sign}${whole}${part}`);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

const at = ({ digits, scale }: Decimal, wanted: number): bigint => digits * 10n ** BigInt(wanted - scale);

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: at(a, scale) + at(b, scale), scale };
}

export const multiplyDecimals = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

/** a / b as an integer, rounded down; requires a >= 0 and b > 0. */
export const divideWhole = (a: Decimal, b: Decimal): bigint =>
  (a.digits * 10n ** BigInt(b.scale)) / (b.digits * 10n ** BigInt(a.scale));

/** a / b with `scale` decimals, rounded half away from zero as PostgreSQL rounds. */
export function divideDecimals(a: Decimal, b: Decimal, scale: number): string {
  const top = a.digits * 10n ** BigInt(scale + b.scale);
  const bottom = b.digits * 10n ** BigInt(a.scale);
  const isNegative = top < 0n !== bottom < 0n;
  const [over, under] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
  const rounded = (2n * over + under) / (2n * under);
  return formatDecimal({ digits: isNegative ? -rounded : rounded, scale }, scale);
}

/** Formats like a PostgreSQL numeric: with exactly `scale` decimals, or without trailing zeros. */
export function formatDecimal(value: Decimal, scale?: number): string {
  const wanted = Math.max(value.scale, scale ?? 0);
  const digits = at(value, wanted);
  const text = (digits < 0n ? -digits : digits).toString().padStart(wanted + 1, '0');
  const whole = text.slice(0, text.length - wanted);
  const part = text.slice(text.length - wanted);
  const shown = scale === undefined ? part.replace(/0+$/, '') : part;
  return `${digits < 0n ? '-' : ''}${whole}${shown === '' ? '' : `.${shown}`}`;
}
