import { Popover } from '@base-ui/react/popover';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSymbols } from '../../api/market.ts';
import { useChangeWatchlist } from '../../api/watchlist.ts';
import { SearchList } from '../../ui/SearchList.tsx';

/** Search over every perpetual that is not watched yet. */
export function AddSymbol({ watched }: { watched: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const universe = useSymbols();
  const change = useChangeWatchlist();
  const taken = new Set(watched);
  const items = (universe.data?.symbols ?? [])
    .filter(({ status, symbol }) => status === 'trading' && !taken.has(symbol))
    .map(({ symbol, base }) => ({ id: symbol, label: symbol, group: base }));
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="btn btn-small">
        <Plus size={14} aria-hidden="true" /> Add symbol
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-40">
          <Popover.Popup className="popup w-72 p-2 outline-none">
            <Popover.Title className="sr-only">Add a symbol to the watch list</Popover.Title>
            <SearchList
              label="Symbol to watch"
              placeholder="BTCUSDT"
              items={items}
              emptyText={
                universe.data === undefined ? 'The symbols are still loading.' : 'No perpetual matches this name.'
              }
              onPick={({ id }) => {
                setOpen(false);
                change.mutate({ symbol: id, isWatched: true });
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
