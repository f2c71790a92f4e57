import { useMemo } from 'react';
import { proxy, useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import type { ArbitrageItem, ArbitrageResults, ArbitrageScan } from '../../api/types.ts';
import { formatCount } from '../../format/number.ts';
import { openPage } from '../../state/navigation.ts';
import { onUserReset } from '../../state/userReset.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { PairDrawer } from './PairDrawer.tsx';
import { badgeChoices, type ItemFilter, type ItemSort, PairTable, shownItems } from './PairTable.tsx';
import { ScanFacts, ScanFigures } from './ScanFacts.tsx';
import { AutoRefresh, NoResults, ScanProgress } from './ScannerPage.tsx';
import { type ArbitrageRun, texts } from './useArbitrageScan.ts';

interface ViewState {
  filter: ItemFilter;
  sort: ItemSort;
  /** Symbol of the row whose details are open. */
  selected: string | null;
}

const noFilter = (): ItemFilter => ({ text: '', badge: 'All', isNetPositive: false });
const byNet: ItemSort = { column: 'net', isDescending: true };
const initialView = (): ViewState => ({ filter: noFilter(), sort: byNet, selected: null });

/** View state of the results, preserved while other tabs are open. */
const viewState = proxy<ViewState>(initialView());
onUserReset(() => Object.assign(viewState, initialView()));

export function ResultsPage({ run }: { run: ArbitrageRun }) {
  const { last, emptyAt } = run;
  const scan = last.data?.scan ?? null;
  if (last.error !== null && scan === null)
    return (
      <ErrorState text={messageOf(last.error, 'Could not load the last scan.')} onRetry={() => void last.refetch()} />
    );
  if (last.isPending) return <SkeletonRows rows={8} />;
  if (scan?.results == null || scan.results.items.length === 0)
    return (
      <Panel title="Results">
        {emptyAt !== null && <NoResults at={emptyAt} />}
        <EmptyState text="No results yet" ghost={['Symbol', 'Buy', 'Sell', 'Spread', 'Net']}>
          <button type="button" className="btn btn-primary" onClick={() => openPage('arb', 'scanner')}>
            Go to Scanner
          </button>
        </EmptyState>
      </Panel>
    );
  return <Results run={run} scan={scan} results={scan.results} />;
}

function Results({ run, scan, results }: { run: ArbitrageRun; scan: ArbitrageScan; results: ArbitrageResults }) {
  const { filter, sort, selected } = useSnapshot(viewState);
  const rows = useMemo(() => shownItems(results.items, filter, sort), [results, filter, sort]);
  const chosen = results.items.find(({ symbol }) => symbol === selected) ?? null;
  const select = (item: ArbitrageItem | null) => (viewState.selected = item?.symbol ?? null);
  return (
    <div className="flex min-w-0 flex-1 gap-3">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        {run.emptyAt !== null && <NoResults at={run.emptyAt} />}
        <Panel title="Scan" aside={<Time at={scan.createdAt} />} bodyClassName="flex flex-col gap-3 p-3">
          <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
            <ScanFigures results={results} notionalUsdt={scan.params.notionalUsdt} />
            <div className="flex flex-wrap items-center gap-3">
              <AutoRefresh run={run} isShort />
              <button
                type="button"
                className="btn btn-small btn-primary"
                disabled={run.isBusy || run.credits === undefined || run.credits <= 0}
                onClick={() => run.start(true)}
              >
                {run.isBusy ? 'Scanning...' : `Scan again (${texts.price})`}
              </button>
            </div>
          </div>
          {run.failure !== null && <ErrorState text={run.failure} />}
          <ScanProgress run={run} />
          <ScanFacts results={results} />
        </Panel>
        <Panel
          title={
            rows.length < results.items.length
              ? `Pairs: ${formatCount(rows.length)} of ${formatCount(results.items.length)}`
              : `Pairs (${formatCount(results.items.length)})`
          }
          aside={<span className="max-md:hidden">You earn only when the two prices meet. No orders are placed.</span>}
          bodyClassName="flex flex-col"
        >
          <FilterRow />
          {rows.length === 0 ? (
            <EmptyState text="No pairs match these filters.">
              <button type="button" className="btn" onClick={() => (viewState.filter = noFilter())}>
                Clear filters
              </button>
            </EmptyState>
          ) : (
            <PairTable
              rows={rows}
              sort={sort}
              selected={chosen?.symbol ?? null}
              onSelect={select}
              onSort={(by) => (viewState.sort = by)}
              scannedAt={scan.createdAt}
            />
          )}
        </Panel>
      </div>
      <Guarded>
        {chosen !== null && (
          <PairDrawer
            key={chosen.symbol}
            item={chosen}
            params={scan.params}
            scannedAt={scan.createdAt}
            onClose={() => select(null)}
          />
        )}
      </Guarded>
    </div>
  );
}

function FilterRow() {
  const { filter } = useSnapshot(viewState);
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-3 border-b border-line p-2">
      <span className="w-36">
        <input
          type="search"
          aria-label="Symbol contains"
          placeholder="Symbol"
          className="input input-small"
          maxLength={40}
          value={filter.text}
          onChange={(event) => (viewState.filter.text = event.target.value)}
        />
      </span>
      <span className="text-label">Gross spread</span>
      <Segments
        label="Spread badge"
        isSmall
        isFitted
        options={badgeChoices}
        value={filter.badge}
        onSelect={(badge) => (viewState.filter.badge = badge)}
      />
      <span className="flex items-center gap-2 text-label">
        <Switch
          label="Net above zero only"
          isOn={filter.isNetPositive}
          onToggle={(isOn) => (viewState.filter.isNetPositive = isOn)}
        />
        Net above zero only
      </span>
    </div>
  );
}
