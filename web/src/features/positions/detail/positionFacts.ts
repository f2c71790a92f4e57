import type { PositionView } from '../../../api/positionView.ts';
import { listedText } from '../../../format/confidence.ts';
import {
  formatMoney,
  formatMultiple,
  formatPercent,
  formatPrice,
  formatQuantity,
  NO_VALUE,
} from '../../../format/number.ts';
import { shortVersion } from '../../../format/strategyText.ts';
import { formatUtc } from '../../../format/time.ts';
import type { Marked } from '../mark.ts';
import { sharesText, trailingText } from './positionTexts.ts';

const pct = (value: number | null): string => (value === null ? NO_VALUE : formatPercent(value / 100, true));

/** The strategy that opened it, and which of its exits are armed beside stop, target and trailing. */
function strategyFacts({
  strategy,
  isTrailingOwn,
  exitDueAt,
  exitDueReason,
  closedAt,
}: PositionView): [string, string][] {
  if (strategy === null) return [];
  const { breakEvenR, onOpposite } = strategy.value;
  const responses = { hold: 'ignored', exit: 'closes it', reverse: 'turns it round' };
  const due = exitDueAt === null || closedAt !== null ? null : `from ${formatUtc(exitDueAt)}`;
  return [
    ['Strategy', `${strategy.name}, ${shortVersion(strategy.version)}`],
    ['Break-even', breakEvenR === 0 || isTrailingOwn ? 'off' : `after ${breakEvenR} stop distances`],
    ['Opposite signal', responses[onOpposite]],
    ['Closes by time', exitDueReason === 'TIME' && due !== null ? due : 'off'],
    ...(exitDueReason === 'SIGNAL' && due !== null ? [['Closes on the signal', due] as [string, string]] : []),
  ];
}

/** Names of what closing now gives; the detail, the dialogs and their tests share them. */
export const NET_IF_CLOSED = 'Net if closed now, USDT';
export const fillName = ({ isSpreadKnown }: Pick<Marked, 'isSpreadKnown'>): string =>
  isSpreadKnown === false ? 'Fill with slippage, spread unknown' : 'Fill with spread and slippage';

/** None of an opening by hand without a signal, unless its request stated one. */
const confidenceOf = ({ isOnSignal, confidence }: PositionView): string =>
  !isOnSignal && confidence === 0 ? NO_VALUE : listedText(confidence);

/** Figures of a position, gross beside net. */
export function factsOf(row: Marked, decimals: number | undefined): [name: string, value: string][] {
  const { position, price, pnl, roiPct, netIfClosed, returnOnMarginPct, fill } = row;
  const isOpen = position.closedAt === null;
  const at = (value: number | null): string => formatPrice(value, decimals);
  const result: [string, string][] = isOpen
    ? [
        ['Last price', at(price)],
        ['Gross PnL, USDT', formatMoney(pnl, true)],
        ['ROI, gross on notional', pct(roiPct)],
        [fillName(row), at(fill)],
        [NET_IF_CLOSED, formatMoney(netIfClosed, true)],
        ['Return on margin, net', pct(returnOnMarginPct)],
        ...(position.realisedPnl === 0
          ? []
          : [['Realised by partial closes, USDT', formatMoney(position.realisedPnl, true)] as [string, string]]),
      ]
    : [
        ['Exit', at(position.closePrice)],
        ['Gross PnL, USDT', formatMoney(position.pnl, true)],
        ['ROI, gross on notional', pct(position.roiPct)],
        ['Net PnL, USDT', formatMoney(position.netPnl, true)],
        ['Return on margin, net', pct(position.returnOnMarginPct)],
        ['R multiple', formatMultiple(position.riskMultiple)],
      ];
  return [
    ['Entry', at(position.entryPrice)],
    ...result,
    ['Fees, USDT', formatMoney(position.fees)],
    ['Funding paid, USDT', formatMoney(position.funding, true)],
    ['Stop', at(position.stopLoss)],
    ['Stop at the opening', at(position.initialStopLoss)],
    position.takeProfits === null || position.takeProfits.length < 2
      ? ['Target', at(position.takeProfit)]
      : ['Targets', sharesText(position.takeProfits, at)],
    ['Liquidation', at(position.liquidationApprox)],
    ['Trailing', trailingText(position)],
    ...strategyFacts(position),
    ['Loss at the first stop, USDT', formatMoney(position.lossAtStop)],
    ...(position.lossAtCurrentStop === null
      ? []
      : [['Net at the current stop, USDT', formatMoney(-position.lossAtCurrentStop, true)] as [string, string]]),
    ['Quantity', formatQuantity(position.qty)],
    ['Notional, USDT', formatMoney(position.notional)],
    ['Margin, USDT', formatMoney(position.margin)],
    ['Leverage', `${position.leverage}x`],
    ['Confidence', confidenceOf(position)],
  ];
}
