import type { GridColumn } from '../../../ui/grid/gridColumns.ts';

export const openColumns = [
  { id: 'symbol', label: 'Symbol', width: 'minmax(104px, 1.2fr)', isText: true },
  { id: 'side', label: 'Side', width: '92px', isText: true },
  { id: 'size', label: 'Size, USDT', width: 'minmax(80px, 1fr)' },
  { id: 'entry', label: 'Entry', width: 'minmax(80px, 1fr)' },
  { id: 'last', label: 'Last', width: 'minmax(88px, 1fr)' },
  { id: 'levels', label: 'Stop to target', width: 'minmax(110px, 1.6fr)', isText: true },
  { id: 'net', label: 'Net, USDT', width: 'minmax(84px, 1fr)' },
  { id: 'roi', label: 'Gross ROI', width: '86px' },
  { id: 'margin', label: 'Net on margin', width: '108px' },
  { id: 'age', label: 'Open for', width: '84px' },
  { id: 'actions', label: 'Actions', width: '76px' },
] as const satisfies readonly GridColumn[];
