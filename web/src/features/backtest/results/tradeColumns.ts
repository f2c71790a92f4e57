import type { GridColumn } from '../../../ui/grid/gridColumns.ts';
import type { TradeColumn } from './tradeSort.ts';

export const tradeColumns: readonly GridColumn<TradeColumn>[] = [
  { id: 'number', label: '#', width: '48px' },
  { id: 'side', label: 'Side', width: '68px', isText: true },
  { id: 'entryTimeMs', label: 'Entry', width: 'minmax(130px, 1.4fr)', isText: true },
  { id: 'entryPrice', label: 'Entry price', width: 'minmax(88px, 1fr)' },
  { id: 'exitPrice', label: 'Exit price', width: 'minmax(88px, 1fr)' },
  { id: 'bars', label: 'Bars', width: '56px' },
  { id: 'closeReason', label: 'Exit', width: '92px', isText: true },
  { id: 'fees', label: 'Fees', width: 'minmax(60px, 0.6fr)' },
  { id: 'netPnl', label: 'Net, USDT', width: 'minmax(84px, 0.9fr)' },
  { id: 'returnOnMargin', label: 'Net on margin', width: 'minmax(104px, 0.9fr)' },
  { id: 'adverseExcursionFraction', label: 'Worst', width: 'minmax(76px, 0.8fr)' },
  { id: 'favourableExcursionFraction', label: 'Best', width: 'minmax(76px, 0.8fr)' },
];
