/** Class of a gain or a loss; the figure itself carries a sign, so colour is never the only one. */
export function signTone(value: number | null | undefined): string {
  if (value === null || value === undefined || value === 0) return '';
  return value > 0 ? 'text-up' : 'text-down';
}
