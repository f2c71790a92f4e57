import { useSnapshot } from 'valtio';
import { chooseSymbol, marketState } from '../../state/market.ts';
import { CreditsCard } from './CreditsCard.tsx';
import { DataStatus } from './DataStatus.tsx';
import { LastBacktest } from './LastBacktest.tsx';
import { MarketChart } from './MarketChart.tsx';
import { useWatchList } from './useWatchList.ts';
import { WatchTable } from './WatchTable.tsx';

export function DashboardTab() {
  const list = useWatchList();
  const { chartSymbol: chosen } = useSnapshot(marketState);
  const symbol = chosen ?? list.rows[0]?.symbol ?? null;
  const row = list.rows.find((each) => each.symbol === symbol);
  return (
    <div className="grid flex-1 content-start gap-3 p-3 lg:grid-cols-[minmax(0,620px)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:content-stretch">
      <h1 className="sr-only">Dashboard</h1>
      <WatchTable list={list} selected={symbol} onSelect={chooseSymbol} />
      <div className="flex min-h-0 min-w-0 flex-col gap-3 lg:row-span-2">
        <MarketChart symbol={symbol} decimals={row?.decimals} />
        <LastBacktest symbol={symbol} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <CreditsCard />
        <DataStatus />
      </div>
    </div>
  );
}
