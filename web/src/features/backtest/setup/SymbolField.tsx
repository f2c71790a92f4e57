import { toSymbolCase } from '@sextant/workers/src/symbolPattern.ts';
import { Combobox } from '@base-ui/react/combobox';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useSymbols } from '../../../api/market.ts';

const SHOWN_MAX = 60;

/** Search over every perpetual the market trades. What is typed is upper-cased. */
export function SymbolField({ value, onSelect }: { value: string; onSelect: (symbol: string) => void }) {
  const id = useId();
  const universe = useSymbols();
  const [typed, setTyped] = useState(value);
  const symbols = universe.data?.symbols.filter((each) => each.status === 'trading').map((each) => each.symbol) ?? [];
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label font-medium">
        Symbol
      </label>
      <Combobox.Root
        items={symbols}
        limit={SHOWN_MAX}
        autoHighlight
        value={value}
        onValueChange={(symbol: string | null) => {
          if (symbol !== null) onSelect(symbol);
        }}
        inputValue={typed}
        onInputValueChange={(text) => setTyped(toSymbolCase(text))}
      >
        <div className="relative">
          <Combobox.Input
            id={id}
            className="input pr-8 font-medium"
            placeholder="BTCUSDT"
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={() => setTyped(value)}
          />
          <Combobox.Trigger
            aria-label="Show symbols"
            className="absolute inset-y-0 right-0 grid w-8 place-items-center text-muted"
          >
            <ChevronDown size={14} aria-hidden="true" />
          </Combobox.Trigger>
        </div>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={4} className="z-40">
            <Combobox.Popup className="popup w-[var(--anchor-width)]">
              <Combobox.Empty>
                <p className="px-3 py-2 text-muted empty:hidden">
                  {universe.error === null
                    ? 'No perpetual has this name.'
                    : messageOf(universe.error, 'The symbols could not be read.')}
                </p>
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
      </Combobox.Root>
      <p className="text-label text-muted">
        {universe.data !== undefined
          ? `${symbols.length} USDT perpetuals`
          : universe.error === null
            ? 'Reading the symbols…'
            : messageOf(universe.error, 'The symbols could not be read.')}
      </p>
    </div>
  );
}
