import { useSnapshot } from 'valtio';
import { chooseSymbol, marketState } from '../../state/market.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { CreditsCard } from './CreditsCard.tsx';
import { DataStatus } from './DataStatus.tsx';
import { LastBacktest } from './LastBacktest.tsx';
import { MarketChart } from './MarketChart.tsx';
import { useWatchList } from './useWatchList.ts';
import { WatchTable } from './WatchTable.tsx';

/** The watch list with the chart of its chosen symbol. */
export function MarketCards() {
  const list = useWatchList();
  const { chartSymbol: chosen } = useSnapshot(marketState);
  const symbol = chosen ?? list.rows[0]?.symbol ?? null;
  const row = list.rows.find((each) => each.symbol === symbol);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[minmax(0,610px)_minmax(0,1fr)]">
      <Guarded>
        <WatchTable list={list} selected={symbol} onSelect={chooseSymbol} />
        <MarketChart symbol={symbol} decimals={row?.decimals} />
      </Guarded>
    </div>
  );
}

/** What the account has spent, what was tested last, and how the service is. */
export function ServiceCards() {
  const { chartSymbol } = useSnapshot(marketState);
  return (
    <Guarded>
      <CreditsCard />
      <DataStatus />
      <LastBacktest symbol={chartSymbol} />
    </Guarded>
  );
}
