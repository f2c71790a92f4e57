import { FileDown } from 'lucide-react';
import { downloadText } from '../../../ui/download.ts';
import type { Run } from '../backtestState.ts';
import { resultsCsv, runJson } from './exportRun.ts';
import { tradesCsv } from './tradesCsv.ts';

/** `BTCUSDT-1h`, from which every exported file is named. */
export const fileNameOf = ({ loaded }: Pick<Run, 'loaded'>): string =>
  `${loaded.label.replace(/\.csv$/i, '')}-${loaded.interval}`;

/** Trades and results as files: numbers in full, no text that a spreadsheet would run. */
export function ExportButtons({ run }: { run: Run }) {
  const name = fileNameOf(run);
  const { trades } = run.result;
  return (
    <span className="flex gap-1">
      <button
        type="button"
        className="btn btn-ghost btn-small"
        disabled={trades.length === 0}
        onClick={() => downloadText(`${name}-trades.csv`, tradesCsv(trades))}
      >
        <FileDown size={14} aria-hidden="true" /> Trades CSV
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        onClick={() => downloadText(`${name}-results.csv`, resultsCsv(run))}
      >
        Results CSV
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        onClick={() => downloadText(`${name}.json`, runJson(run), 'application/json')}
      >
        JSON
      </button>
    </span>
  );
}
