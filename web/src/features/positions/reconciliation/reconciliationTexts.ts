import { type PositionView, sideSign } from '../../../api/positionView.ts';
import type { PositionReconciliation, ReconciliationSums } from '../../../api/types.ts';
import { formatCount, formatMany, formatMoney, formatSigned } from '../../../format/number.ts';

type Part = ReconciliationSums['all']['parts'][number];
export type Cause = Part['cause'];
export type NotComparable = NonNullable<PositionReconciliation['reason']>;

export const causeNames: Record<Cause, string> = {
  entry: 'Entry price and delay',
  slippage: 'Spread and slippage',
  exit: 'Exit fill',
  mark: 'Mark against last price',
  funding: 'Funding',
  fees: 'Fees',
  size: 'Size',
  revision: 'Candle revised',
};

export const reasonTexts: Record<NotComparable, string> = {
  changed_by_owner: 'You changed its levels.',
  filled_in_parts: 'It was filled in parts.',
  too_long: 'It was open for more than two weeks.',
  no_candles: 'Its minute candles are missing.',
  not_opened: 'The test would not have opened it.',
  not_computable: 'Its stored figures cannot be simulated.',
};

/** Largest first, without causes that changed nothing. */
export const partsBySize = (parts: readonly Part[]): Part[] =>
  parts.filter(({ amount }) => amount !== 0).toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount));

export type FundingForecast = NonNullable<PositionReconciliation['comparison']>['funding_forecast'];

/** The same, with the funding also where it changed nothing but its announced rates were wrong. */
export function partsShown(parts: readonly Part[], forecast: FundingForecast): Part[] {
  const shown = partsBySize(parts);
  const isThere = shown.some(({ cause }) => cause === 'funding');
  return forecast === null || isThere ? shown : [...shown, { cause: 'funding', amount: 0 }];
}

/** `Funding cost 0.04 USDT more than announced, 1 settlement (+0.0200 % on average).` Both figures are costs of the side. */
export function forecastText(
  { count, error, mean_error_pct: pct }: NonNullable<FundingForecast>,
  side: PositionView['side'],
): string {
  const over = `${formatMany(count, 'settlement')} (${formatSigned(sideSign(side) * pct, 4)}\u00a0% on average)`;
  if (formatMoney(error) === formatMoney(0)) return `Funding cost as announced, ${over}.`;
  return `Funding cost ${usdt(error)} ${error > 0 ? 'more' : 'less'} than announced, ${over}.`;
}

const usdt = (value: number): string => `${formatMoney(Math.abs(value))} USDT`;

/** `Live earned 1.20 USDT less than the test, mostly by exit fill.` */
export function differenceText(difference: number, parts: readonly Part[], count = 1): string {
  const [main] = partsBySize(parts);
  const over = count > 1 ? ` over ${formatCount(count)} positions` : '';
  if (main === undefined) return `Live equals the test${over}.`;
  // Causes may cancel each other, or be too small to show.
  if (formatMoney(difference) === formatMoney(0)) return `Live equals the test to the cent${over}.`;
  const sign = difference < 0 ? 'less' : 'more';
  return `Live earned ${usdt(difference)} ${sign} than the test${over}. Largest cause: ${causeNames[main.cause].toLowerCase()}.`;
}
