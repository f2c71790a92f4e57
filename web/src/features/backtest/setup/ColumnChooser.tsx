import { candleFields } from '@sextant/workers/src/candles/candleColumns.ts';
import type { ColumnMapping, FileColumn } from '@sextant/workers/src/candles/file/fileLayout.ts';
import { useState } from 'react';

const LABELS: Record<FileColumn, string> = {
  time: 'Time',
  open: 'Open',
  high: 'High',
  low: 'Low',
  close: 'Close',
  volume: 'Volume',
};

interface ChooserProps {
  /** Cells of the first line, and those of the next ones. */
  names: readonly string[];
  rows: readonly string[][];
  onChoose: (mapping: ColumnMapping) => void;
}

/** Shows the first rows of a file whose columns have other names, and lets the user name them. */
export function ColumnChooser({ names, rows, onChoose }: ChooserProps) {
  const [chosen, setChosen] = useState<Partial<Record<FileColumn, number>>>({});
  const { time, open, high, low, close, volume } = chosen;
  const isWhole =
    time !== undefined &&
    open !== undefined &&
    high !== undefined &&
    low !== undefined &&
    close !== undefined &&
    volume !== undefined &&
    new Set(Object.values(chosen)).size === candleFields.length;
  return (
    <form
      aria-label="Choose the columns"
      className="flex flex-col gap-2 rounded border border-line p-2 text-label"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onChoose({ time, open, high, low, close, volume });
      }}
    >
      <p className="font-medium">Choose the column of each value</p>
      <div className="overflow-x-auto" role="region" aria-label="First rows of the file" tabIndex={0}>
        <table className="w-full text-left">
          <thead>
            <tr>
              {names.map((name, at) => (
                <th key={at} scope="col" className="px-1 font-medium whitespace-nowrap">
                  {name === '' ? `Column ${at + 1}` : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, line) => (
              <tr key={line}>
                {names.map((_, at) => (
                  <td key={at} className="px-1 whitespace-nowrap text-muted">
                    {cells[at] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="grid grid-cols-2 gap-2">
        {candleFields.map((column) => (
          <label key={column} className="flex flex-col gap-0.5">
            <span className="text-muted">{LABELS[column]}</span>
            <select
              className="input"
              value={chosen[column] ?? ''}
              onChange={(event) => {
                const { value } = event.target;
                const { [column]: _, ...others } = chosen;
                setChosen(value === '' ? others : { ...others, [column]: Number(value) });
              }}
            >
              <option value="">Choose</option>
              {names.map((name, at) => (
                <option key={at} value={at}>
                  {name === '' ? `Column ${at + 1}` : name}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <button type="submit" disabled={!isWhole} className="btn">
        Read the file
      </button>
    </form>
  );
}
