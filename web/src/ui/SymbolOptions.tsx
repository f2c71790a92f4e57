import { Combobox } from '@base-ui/react/combobox';
import { ChevronDown } from 'lucide-react';

/** Opens the list of symbols, at the right end of the field of a `Combobox.Root`. */
export function SymbolTrigger() {
  return (
    <Combobox.Trigger
      aria-label="Show symbols"
      className="absolute inset-y-0 right-0 grid w-8 place-items-center text-muted"
    >
      <ChevronDown size={14} aria-hidden="true" />
    </Combobox.Trigger>
  );
}

/** The symbols that match, below the field of a `Combobox.Root`. @param emptyText shown without a match */
export function SymbolOptions({ emptyText }: { emptyText: string }) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} className="z-40">
        <Combobox.Popup className="popup w-[var(--anchor-width)]">
          <Combobox.Empty>
            <p className="px-3 py-2 text-muted empty:hidden">{emptyText}</p>
          </Combobox.Empty>
          <Combobox.List className="max-h-72 overflow-y-auto p-1">
            {(symbol: string) => (
              <Combobox.Item key={symbol} value={symbol} className="menu-item data-[selected]:text-accent">
                {symbol}
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}
