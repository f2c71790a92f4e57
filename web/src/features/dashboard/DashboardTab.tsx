import { useState } from 'react';
import { DataStatus } from './DataStatus.tsx';
import { LastBacktest } from './LastBacktest.tsx';
import { MarketChart } from './MarketChart.tsx';
import { useWatchList } from './useWatchList.ts';
import { WatchTable } from './WatchTable.tsx';

export function DashboardTab() {
  const list = useWatchList();
  const [chosen, setChosen] = useState<string | null>(null);
  const symbol = chosen ?? list.rows[0]?.symbol ?? null;
  const row = list.rows.find((each) => each.symbol === symbol);
  return (
    <div className="flex flex-1 flex-col gap-3 p-3">
      <h1 className="sr-only">Dashboard</h1>
      <div className="grid flex-1 gap-3 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:grid-rows-[auto_minmax(0,1fr)]">
        <WatchTable list={list} selected={symbol} onSelect={setChosen} />
        <div className="flex min-w-0 flex-col gap-3 lg:row-span-2">
          <DataStatus />
          <LastBacktest />
        </div>
        <MarketChart symbol={symbol} decimals={row?.decimals} />
      </div>
    </div>
  );
}
