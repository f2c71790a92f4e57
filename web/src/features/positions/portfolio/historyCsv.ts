import type { PositionView } from '../../../api/positionView.ts';

const columns = [
  ...(['id', 'symbol', 'side', 'interval', 'source', 'openedAt', 'closedAt', 'entryPrice', 'closePrice'] as const),
  ...(['qty', 'leverage', 'notional', 'margin', 'initialStopLoss', 'stopLoss', 'takeProfit'] as const),
  ...(['liquidationApprox', 'closeReason', 'pnl', 'roiPct', 'fees', 'funding', 'netPnl', 'returnOnMarginPct'] as const),
  ...(['confidence', 'market'] as const),
] as const satisfies readonly (keyof PositionView)[];

/** Closed positions as CSV, numbers in full: times are epoch ms, money USDT, `Pct` percent. */
export function historyCsv(positions: readonly PositionView[]): string {
  const rows = positions.map((position) => columns.map((column) => String(position[column] ?? '')).join(','));
  return `${[columns.join(','), ...rows].join('\n')}\n`;
}
