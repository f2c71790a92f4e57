import type { Trade } from '@sextant/workers/src/protocol.ts';
import type { ReactNode } from 'react';
import { formatCount } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { TradeTable } from './TradeTable.tsx';

interface Props {
  trades: readonly Trade[];
  priceDecimals: number;
  selected: number | null;
  onSelect: (trade: number | null) => void;
  /** Candle of the row under the pointer. */
  onPoint: (index: number | null) => void;
  aside?: ReactNode;
}

/** Every trade of a run under how many they are. */
export function TradesPanel({ aside, ...table }: Props) {
  return (
    <Panel title={`Trades, ${formatCount(table.trades.length)}`} aside={aside} bodyClassName="">
      <TradeTable {...table} />
    </Panel>
  );
}
