/** Only the digits of what was typed or pasted, without leading zeros, as many as a large amount has. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, '').replace(/^0+/, '').slice(0, 7);

interface Bounds {
  min: number;
  max: number;
}

/** Whole dollars inside the bounds: nothing typed and too little become the least, too much the most. */
export const raised = (text: string, { min, max }: Bounds): number =>
  Math.min(max, Math.max(min, Number(digitsOf(text))));

/** Said when an amount was changed: a value is never changed without a word. */
export function raisedText(text: string, { min, max }: Bounds): string | null {
  const typed = Number(digitsOf(text));
  if (typed >= min && typed <= max) return null;
  const from = text === '' ? 'nothing' : String(typed);
  return typed < min
    ? `The least amount is ${min} USD: ${from} became ${min}.`
    : `The most at once is ${max} USD: ${from} became ${max}.`;
}
