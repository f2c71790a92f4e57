/** Messages for opened and failed positions. Some sentences are fixed by the requirements. */

const wholePercentOf = (multiplier: number): number => Math.round(multiplier * 100);

/** @param isByHand opened manually by its owner */
export function openedMessage(side: string, symbol: string, riskMultiplier: number, isByHand = false): string {
  const percent = wholePercentOf(riskMultiplier);
  return `${isByHand ? 'Position' : 'Auto position'} opened: ${side} ${symbol}${percent === 100 ? '' : ` (Risk-adjusted: ${percent}%)`}`;
}

/** Why an automatic opening is smaller than the settings say. */
export const sizedDownMessages = {
  stops: 'Sized down: loss at all stops reached your limit.',
  exposure: 'Sized down: net exposure reached your limit.',
} as const;

export const openFailedMessage = (failed: number, tried: number): string => `Auto open failed for ${failed}/${tried}`;
