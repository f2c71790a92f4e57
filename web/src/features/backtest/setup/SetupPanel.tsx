import { useSnapshot } from 'valtio';
import { Segments } from '../../../ui/Segments.tsx';
import { formatCount } from '../../../format/number.ts';
import { draft, runState, scoredOf, setupIntervals } from '../backtestState.ts';
import { loadAndRun } from '../runner.ts';
import { CostFields } from './CostFields.tsx';
import { CsvDrop } from './CsvDrop.tsx';
import { HistoryField } from './HistoryField.tsx';
import { SymbolField } from './SymbolField.tsx';
import { WindowStrip } from './WindowStrip.tsx';

const sources = ['exchange', 'csv'] as const;
const sourceNames = { exchange: 'Exchange candles', csv: 'Own CSV file' };

export function SetupPanel() {
  const { source } = useSnapshot(draft);
  return (
    <div className="flex flex-col gap-4 p-3">
      <Segments
        label="Candles from"
        options={sources}
        value={source}
        nameOf={(value) => sourceNames[value]}
        onSelect={(value) => {
          draft.source = value;
        }}
      />
      {source === 'exchange' ? <ExchangeFields /> : <CsvDrop />}
      <CostFields />
    </div>
  );
}

function ExchangeFields() {
  const { symbol, interval, historyCount } = useSnapshot(draft);
  /** With a result on screen another market is loaded at once; before the first run the Run button decides. */
  const changed = () => {
    if (runState.run !== null) void loadAndRun();
  };
  return (
    <div className="flex flex-col gap-3">
      <SymbolField
        value={symbol}
        onSelect={(next) => {
          draft.symbol = next;
          changed();
        }}
      />
      <div className="grid grid-cols-[1fr_auto] items-end gap-3">
        <div className="flex flex-col gap-1">
          <span className="text-label font-medium">Interval</span>
          <Segments
            label="Interval"
            options={setupIntervals}
            value={interval}
            onSelect={(next) => {
              draft.interval = next;
              changed();
            }}
          />
        </div>
        <div className="flex flex-col gap-1">
          <span className="text-label font-medium">Window</span>
          <p className="flex h-8 items-center rounded border border-line bg-row-hover px-3 pointer-coarse:h-11.5">
            {formatCount(scoredOf(historyCount))} candles
          </p>
        </div>
      </div>
      <HistoryField onChange={changed} />
      <WindowStrip />
    </div>
  );
}
