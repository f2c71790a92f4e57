import { formingWords } from '@sextant/workers/src/candles/closedCandles.ts';
import { type CsvProblem, problemText } from '@sextant/workers/src/candles/file/csvText.ts';
import { textOfFile } from '@sextant/workers/src/candles/file/fileBytes.ts';
import type { ColumnMapping } from '@sextant/workers/src/candles/file/fileLayout.ts';
import {
  type FileCandles,
  type FileResult,
  parseCandleFile,
} from '@sextant/workers/src/candles/file/parseCandleFile.ts';
import type { RowsProblem } from '@sextant/workers/src/candles/file/readRows.ts';
import { FILE_BYTES_MAX, FILE_CANDLES_MAX } from '@sextant/workers/src/core/limits.ts';
import { failWith } from '@sextant/workers/src/core/result.ts';
import { SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { formatCount, formatFixed, formatMany, formatPrice } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { draft, runState } from '../backtestState.ts';
import { openCsv } from '../csvStore.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { WindowStrip } from './WindowStrip.tsx';

const mib = (bytes: number): string => `${formatFixed(bytes / 1024 / 1024, 1)} MiB`;
const rejectFile = (text: string): FileResult => failWith({ problems: [{ line: 0, text }] });

/**
 * Candles of a dropped file, also in a ZIP archive. Size and kind are checked before parsing; `line: 0` refers to the file.
 * @param mapping columns that the user has named
 */
export async function readCsvFile(file: File, nowMs: number, mapping?: ColumnMapping): Promise<FileResult> {
  if (file.size > FILE_BYTES_MAX)
    return rejectFile(`the file has ${mib(file.size)}; the limit is ${mib(FILE_BYTES_MAX)}`);
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return rejectFile('the file did not open');
  }
  const text = await textOfFile(bytes);
  return text.ok ? parseCandleFile(text.value, nowMs, { mapping }) : rejectFile(text.error);
}

/** A file that was not read. */
interface Unread extends RowsProblem {
  file: File;
}

/** Own candles: dropped or chosen, parsed in the browser, uploaded only for a verification on the server. */
export function CsvDrop() {
  const { csv } = useSnapshot(runState);
  const [unread, setUnread] = useState<Unread | null>(null);
  const [isOver, setOver] = useState(false);
  const [isReading, setReading] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const read = async (file: File | undefined, mapping?: ColumnMapping) => {
    if (file === undefined) return;
    setReading(true);
    const outcome = await readCsvFile(file, Date.now(), mapping);
    setReading(false);
    setUnread(outcome.ok ? null : { file, ...outcome.error });
    if (outcome.ok) await openCsv(file.name, outcome.value);
  };
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void read(event.dataTransfer.files[0]);
    },
  };
  return (
    <div className="flex flex-col gap-3">
      <button
        type="button"
        {...drag}
        disabled={isReading}
        onClick={() => input.current?.click()}
        className={`flex flex-col items-center gap-1 rounded border border-dashed px-3 py-4 text-center ${
          isOver ? 'border-accent bg-accent-soft' : 'border-muted hover:border-accent'
        }`}
      >
        <FileUp size={18} aria-hidden="true" className="text-muted" />
        <span className="font-medium">{isReading ? 'Reading…' : 'Drop a CSV file, or choose one'}</span>
        <span className="text-label text-muted">
          CSV or ZIP with time, open, high, low, close, volume. Up to {formatCount(FILE_CANDLES_MAX)} rows. Stays in
          this browser.
        </span>
      </button>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.zip,text/csv,application/zip"
        aria-label="CSV file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      {unread !== null && <Problems fileName={unread.file.name} list={unread.problems} />}
      {unread?.sample !== undefined && (
        <ColumnChooser
          key={unread.file.name}
          {...unread.sample}
          onChoose={(mapping) => void read(unread.file, mapping)}
        />
      )}
      {csv !== null && unread === null && <Preview fileName={csv.fileName} parsed={csv.parsed as FileCandles} />}
    </div>
  );
}

function Problems({ fileName, list }: { fileName: string; list: readonly CsvProblem[] }) {
  return (
    <Notice tone="error">
      <p className="font-medium">{fileName} was not read</p>
      <ul className="mt-1 flex max-h-48 flex-col gap-1 overflow-y-auto text-label">
        {list.map((problem) => (
          <li key={`${problem.line}-${problem.column ?? ''}-${problem.text}`}>
            {problem.line === 0 ? `${problem.text}.` : `${problemText(problem)}.`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Preview({ fileName, parsed }: { fileName: string; parsed: FileCandles }) {
  const { csvScored } = useSnapshot(draft);
  const { candles, interval, gapCount, missingCount, firstGapMs, ignoredColumns, timeUnit, formingMs = null } = parsed;
  const assumed = parsed.assumed ?? [];
  const count = candles.time.length;
  const last = count - 1;
  return (
    <div className="flex flex-col gap-2 rounded border border-line p-2 text-label">
      <p className="truncate font-medium" title={fileName}>
        {fileName}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
        <dt className="text-muted">Candles</dt>
        <dd className="text-right">
          {formatCount(count)} of {interval}
        </dd>
        <dt className="text-muted">From</dt>
        <dd className="text-right">{formatUtc(candles.time[0])}</dd>
        <dt className="text-muted">To</dt>
        <dd className="text-right">{formatUtc(candles.time[last])}</dd>
        <dt className="text-muted">First open, last close</dt>
        <dd className="text-right">
          {formatPrice(candles.open[0])}, {formatPrice(candles.close[last])}
        </dd>
        <dt className="text-muted">Time format</dt>
        <dd className="text-right">{timeUnit}</dd>
      </dl>
      {assumed.length > 0 && (
        <ul aria-label="Assumed about the file" className="flex flex-col gap-0.5 text-warn">
          {assumed.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
      {formingMs !== null && <p className="text-warn">{formingWords(1, formingMs)}</p>}
      {gapCount > 0 && (
        <p className="text-warn">
          {formatMany(missingCount, 'candle')} missing in {formatMany(gapCount, 'gap')}, the first after{' '}
          {formatUtc(firstGapMs)}. Gaps stay open.
        </p>
      )}
      {ignoredColumns.length > 0 && <p className="text-muted">Not used: {ignoredColumns.join(', ')}</p>}
      <Segments
        label="Scored candles"
        options={['window', 'all'] as const}
        value={csvScored}
        nameOf={(value) => (value === 'window' ? `Last ${SCORED_DEFAULT} scored` : 'All scored')}
        onSelect={(value) => {
          draft.csvScored = value;
        }}
        isSmall
      />
      <WindowStrip />
    </div>
  );
}
