import {
  formatFixed,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  NO_VALUE,
} from '../../../format/number.ts';
import type { PositionView } from '../../../api/positionView.ts';
import type { Marked } from '../valuation/mark.ts';

const pct = (value: number | null): string => (value === null ? NO_VALUE : formatPercent(value / 100, true));

export function trailingText({ trailing }: PositionView): string {
  if (trailing === null) return 'off';
  const start = trailing.activationPct > 0 ? `, after a move of ${formatFixed(trailing.activationPct, 2)} %` : '';
  if (trailing.mode === 'atr') return `${trailing.atrMultiplier} × ATR(${trailing.atrPeriod})${start}`;
  return `${trailing.callbackPct} %, step ${trailing.stepPct} %${start}`;
}

/** What is known of a position, named; gross beside net. */
export function factsOf(row: Marked, decimals: number | undefined): [name: string, value: string][] {
  const { position, price, pnl, roiPct, netIfClosed, returnOnMarginPct } = row;
  const isOpen = position.closedAt === null;
  const at = (value: number | null): string => formatPrice(value, decimals);
  const result: [string, string][] = isOpen
    ? [
        ['Last price', at(price)],
        ['Gross PnL, USDT', formatMoney(pnl, true)],
        ['ROI, gross on notional', pct(roiPct)],
        ['Net if closed now, USDT', formatMoney(netIfClosed, true)],
        ['Return on margin, net', pct(returnOnMarginPct)],
      ]
    : [
        ['Exit', at(position.closePrice)],
        ['Gross PnL, USDT', formatMoney(position.pnl, true)],
        ['ROI, gross on notional', pct(position.roiPct)],
        ['Net PnL, USDT', formatMoney(position.netPnl, true)],
        ['Return on margin, net', pct(position.returnOnMarginPct)],
      ];
  return [
    ['Entry', at(position.entryPrice)],
    ...result,
    ['Fees, USDT', formatMoney(position.fees)],
    ['Funding paid, USDT', formatMoney(position.funding, true)],
    ['Stop', at(position.stopLoss)],
    ['Stop at the opening', at(position.initialStopLoss)],
    ['Target', at(position.takeProfit)],
    ['Liquidation', at(position.liquidationApprox)],
    ['Trailing', trailingText(position)],
    ['Loss at the first stop, USDT', formatMoney(position.lossAtStop)],
    ['Quantity', formatQuantity(position.qty)],
    ['Notional, USDT', formatMoney(position.notional)],
    ['Margin, USDT', formatMoney(position.margin)],
    ['Leverage', `${position.leverage}x`],
    ['Confidence', formatPercent(position.confidence)],
  ];
}
