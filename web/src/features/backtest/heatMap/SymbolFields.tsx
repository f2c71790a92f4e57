import { Combobox } from '@base-ui/react/combobox';
import { toSymbolCase } from '@sextant/workers/src/core/symbolPattern.ts';
import { useId, useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { useWatchedSymbols } from '../../../data/market.ts';
import { tradedSymbols, useRankedSymbols, useSymbols } from '../../../data/symbols.ts';
import { useWatchlist } from '../../../data/watchlist.ts';
import { formatMany } from '../../../format/number.ts';
import { Field } from '../../../ui/Field.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SymbolOptions, SymbolTrigger } from '../../../ui/SymbolOptions.tsx';
import { readSymbols } from '../portfolio/portfolioState.ts';
import {
  addSymbol,
  changeHeatMap,
  HEAT_MAP_SYMBOLS_MAX,
  heatMapDraft,
  type HeatMapSource,
  heatMapSources,
} from './heatMapState.ts';

/** Symbols of the map, or why there are none yet. */
export type MapSymbols = { symbols: string[] } | { error: string };

const sourceNames: Record<HeatMapSource, string> = {
  named: 'Names',
  largest: 'Largest turnover',
  watched: 'Watch list',
};

/** The symbols that the form selects. */
export function useMapSymbols(): MapSymbols {
  const { source, symbols, largestCount } = useSnapshot(heatMapDraft);
  const ranked = useRankedSymbols(source === 'largest');
  const watched = useWatchedSymbols();
  const universe = useSymbols();
  const watchlist = useWatchlist();
  if (source === 'named') return readSymbols(symbols);
  if (source === 'watched') {
    const shown = watched.slice(0, HEAT_MAP_SYMBOLS_MAX);
    if (shown.length > 0) return { symbols: shown };
    const failure = universe.error ?? watchlist.error;
    if (failure !== null) return { error: messageOf(failure, 'The watch list did not load.') };
    const isLoading = universe.isPending || watchlist.isPending;
    return { error: isLoading ? 'Loading the watch list…' : 'No symbol of the watch list is traded.' };
  }
  if (ranked.data !== undefined) return { symbols: ranked.data.slice(0, largestCount) };
  return {
    error: ranked.error === null ? 'Loading turnovers…' : messageOf(ranked.error, 'The turnovers did not load.'),
  };
}

/** Where the symbols come from: names, the largest by turnover, or the watch list. */
export function SymbolFields({ chosen }: { chosen: MapSymbols }) {
  const { source, symbols, largestCount } = useSnapshot(heatMapDraft);
  return (
    <div className="flex flex-col gap-2">
      <Segments
        isFitted
        label="Symbols of the map"
        options={heatMapSources}
        value={source}
        nameOf={(value) => sourceNames[value]}
        onSelect={(value) => changeHeatMap({ source: value })}
      />
      {source === 'named' ? (
        <div className="grid gap-3 md:grid-cols-[minmax(0,1fr)_14rem]">
          <Field
            label="Symbols"
            hint={`Separated by commas, at most ${HEAT_MAP_SYMBOLS_MAX}`}
            error={'error' in chosen ? chosen.error : undefined}
          >
            {(ids) => (
              <input
                {...ids}
                className="input"
                autoComplete="off"
                spellCheck={false}
                value={symbols}
                onChange={({ currentTarget: { value } }) => changeHeatMap({ symbols: value })}
              />
            )}
          </Field>
          <AddSymbol onAdd={(symbol) => changeHeatMap({ symbols: addSymbol(symbols, symbol) })} />
        </div>
      ) : (
        <div className="grid gap-3 md:grid-cols-[14rem_minmax(0,1fr)]">
          {source === 'largest' && (
            <NumberField
              label="How many"
              hint={`1 to ${HEAT_MAP_SYMBOLS_MAX}, by turnover of 24 hours`}
              value={largestCount}
              min={1}
              max={HEAT_MAP_SYMBOLS_MAX}
              step={5}
              decimals={0}
              onChange={(value) => changeHeatMap({ largestCount: value })}
            />
          )}
          <p
            className="max-h-16 min-w-0 self-center overflow-y-auto text-label text-muted"
            data-testid="map-symbols"
            role="group"
            aria-label="Selected symbols"
            tabIndex={0}
          >
            {'error' in chosen
              ? chosen.error
              : `${formatMany(chosen.symbols.length, 'symbol')}: ${chosen.symbols.join(', ')}`}
          </p>
        </div>
      )}
    </div>
  );
}

/** Searches every traded symbol; a pick is added to the names. */
function AddSymbol({ onAdd }: { onAdd: (symbol: string) => void }) {
  const id = useId();
  const universe = useSymbols();
  const [typed, setTyped] = useState('');
  const symbols = universe.data === undefined ? [] : tradedSymbols(universe.data);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label font-medium">
        Add a symbol
      </label>
      <Combobox.Root
        items={symbols}
        filter={(symbol: string, query) => symbol.includes(toSymbolCase(query.trim()))}
        autoHighlight
        value={null}
        onValueChange={(symbol: string | null) => {
          if (symbol !== null) onAdd(symbol);
          setTyped('');
        }}
        inputValue={typed}
        onInputValueChange={(text, { reason }) => setTyped(reason === 'input-change' ? toSymbolCase(text) : '')}
      >
        <div className="relative">
          <Combobox.Input id={id} className="input pr-8" placeholder="Search" spellCheck={false} />
          <SymbolTrigger />
        </div>
        <SymbolOptions emptyText="No match. Try another name." />
      </Combobox.Root>
    </div>
  );
}
