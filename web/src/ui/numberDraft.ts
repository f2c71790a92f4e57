/** What a typed text means to a field with bounds. */
export type NumberDraft = { kind: 'value'; value: number } | { kind: 'error'; text: string };

interface Bounds {
  min: number;
  max: number;
}

/** Plain notation only; Number() alone would take blanks, 0x10 and Infinity. A comma typed for a point is understood. */
const plain = /^[-\u2212]?\d*([.,]\d*)?$/;

export function readNumber(text: string, { min, max }: Bounds): NumberDraft {
  const trimmed = text.trim();
  const value = Number(trimmed.replace('\u2212', '-').replace(',', '.'));
  if (trimmed === '' || !plain.test(trimmed) || !/\d/.test(trimmed) || !Number.isFinite(value))
    return { kind: 'error', text: 'Enter a number' };
  if (value < min || value > max) return { kind: 'error', text: `${min} to ${max}` };
  return { kind: 'value', value };
}

/** The text of a value: as many decimals as it needs, at most `decimals`, no separators, so that it can be edited. */
export function numberText(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}
