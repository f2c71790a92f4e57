import type { PositionPreview } from '../../../api/types.ts';
import { formatMoney, formatPercent, formatPrice, formatQuantity, NO_VALUE } from '../../../format/number.ts';

const pct = (value: number | null): string => (value === null ? NO_VALUE : formatPercent(value / 100));

/** What opening would do, in the order it is asked: what is risked first. Money in USDT. */
export function previewRows(preview: PositionPreview, decimals: number | undefined): [name: string, value: string][] {
  const { fee_entry: entryFee, fee_exit_at_stop: exitFee, funding_rate: funding } = preview;
  return [
    ['Loss at the stop, net', `${formatMoney(preview.loss_at_stop)}, ${pct(preview.loss_at_stop_pct)} of the balance`],
    ['Risk per trade, by your settings', pct(preview.risk_pct)],
    ['Gain at the target, net', formatMoney(preview.gain_at_target)],
    ['Liquidation', formatPrice(preview.liquidation_approx, decimals)],
    ['Entry, last price', formatPrice(preview.entry_price, decimals)],
    ['Stop', formatPrice(preview.stop_loss, decimals)],
    ['Target', formatPrice(preview.take_profit, decimals)],
    ['Fees, entry and exit at the stop', `${formatMoney(entryFee)} + ${formatMoney(exitFee)}`],
    ['Next funding, paid by longs', funding === null ? NO_VALUE : formatPercent(funding, true)],
    ['Quantity', formatQuantity(preview.qty)],
    ['Size, of balance x leverage', formatPercent(preview.risk_multiplier)],
    ['Notional', formatMoney(preview.notional)],
    ['Margin', `${formatMoney(preview.margin)} at ${preview.leverage}x`],
  ];
}

export const warningTexts: Record<PositionPreview['warnings'][number], string> = {
  stop_within_guard: 'The stop is closer than 0.2 %: a position closes automatically only after a move of that size.',
  leverage_capped: 'The exchange allows less leverage for this symbol than your default.',
  funding_soon: 'The next funding is due within 15 minutes.',
  loss_above_risk: 'The stop would lose more than the risk per trade of your settings.',
  margin_reduced: 'Smaller than your settings ask for: not enough equity is free for margin.',
};
