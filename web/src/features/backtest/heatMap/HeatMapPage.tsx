import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { Play, Square } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { formatCount, formatMany, NO_VALUE } from '../../../format/number.ts';
import { CheckBox } from '../../../ui/CheckBox.tsx';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { type Draft, draft } from '../backtestState.ts';
import { chosenRules } from '../own/chosenRules.ts';
import { useRulesText } from '../own/textState.ts';
import {
  type CellColour,
  cellColours,
  type CellScale,
  type HeatMapCell,
  problemsOfCells,
  scaleOfCells,
  summaryOfCells,
  textOfCell,
  tintOfCell,
} from './heatMapCells.ts';
import {
  cancelHeatMap,
  changeHeatMap,
  chooseCellColour,
  heatMapDraft,
  heatMapState,
  openCell,
  runHeatMap,
  setupText,
} from './heatMapState.ts';
import { type MapSymbols, SymbolFields, useMapSymbols } from './SymbolFields.tsx';

/** Runs the current rules on several symbols and intervals; a cell opens its run. */
export function HeatMapPage() {
  const { status, cells, error, setup } = useSnapshot(heatMapState);
  const form = useSnapshot(draft) as Draft;
  const chosen = useMapSymbols();
  const isStale = setup !== null && status === 'idle' && setup !== setupText(form, chosenRules());
  return (
    <div className="flex flex-col">
      <HeatMapForm chosen={chosen} />
      <div className="flex flex-col gap-3 p-3" aria-busy={status === 'running'}>
        {error !== null && (
          <ErrorState text={error} onRetry={() => void ('error' in chosen ? undefined : runHeatMap(chosen.symbols))} />
        )}
        {isStale && <Notice tone="info">Rules, costs or dates changed since these cells. Run again.</Notice>}
        {cells.length === 0 && error === null && (
          <EmptyState
            text="Test the current rules on up to 128 markets and every interval."
            ghost={['Symbol', '15m', '1h', '4h']}
          />
        )}
        {cells.length > 0 && <HeatMap cells={cells} />}
      </div>
    </div>
  );
}

function HeatMapForm({ chosen: read }: { chosen: MapSymbols }) {
  const { intervals: chosen } = useSnapshot(heatMapDraft);
  const count = 'error' in read ? 0 : read.symbols.length;
  return (
    <form
      aria-label="Heat map"
      className="flex flex-col gap-3 border-b border-line bg-panel p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!('error' in read)) void runHeatMap(read.symbols);
      }}
    >
      <SymbolFields chosen={read} />
      <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <legend className="mb-1 text-label font-medium">Intervals</legend>
        {intervals.map((interval) => (
          <CheckBox
            key={interval}
            label={interval}
            isOn={chosen.includes(interval)}
            onToggle={(isOn) =>
              changeHeatMap({
                intervals: intervals.filter((each) => (each === interval ? isOn : chosen.includes(each))),
              })
            }
          />
        ))}
      </fieldset>
      <RunBar count={count * chosen.length} />
    </form>
  );
}

function RunBar({ count }: { count: number }) {
  const { status, done, total } = useSnapshot(heatMapState);
  const { strategy } = useSnapshot(draft);
  const { checked } = useRulesText();
  const hasError = strategy === 'own' && !checked.ok;
  const isBusy = status !== 'idle';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <button type="submit" className="btn btn-primary max-md:flex-1" disabled={isBusy || count === 0 || hasError}>
        <Play size={14} aria-hidden="true" /> Run {formatMany(count, 'cell')}
      </button>
      {isBusy && (
        <button type="button" className="btn" onClick={cancelHeatMap}>
          <Square size={12} aria-hidden="true" /> Cancel
        </button>
      )}
      {/* Fixed height, so that the map below does not move. */}
      <div className="flex min-h-9 min-w-60 flex-1 flex-col justify-center gap-1 text-label text-muted tabular-nums">
        {isBusy ? (
          <>
            <progress className="progress" aria-label="Cells done" value={done} max={total} />
            <span>
              {formatCount(done)} of {formatMany(total, status === 'judging' ? 'verdict' : 'cell')}
            </span>
            <ExchangeWait />
          </>
        ) : hasError ? (
          'Correct your rules under Strategy Parameters first.'
        ) : (
          'Uses your current rules, costs and window. Cells skip 1-minute data; opened runs use it.'
        )}
      </div>
    </div>
  );
}

const colourNames: Record<CellColour, string> = { net: 'Net, USDT', drawdown: 'Drawdown', verdict: 'Verdict' };

function HeatMap({ cells }: { cells: readonly HeatMapCell[] }) {
  const { colour } = useSnapshot(heatMapDraft);
  const symbols = [...new Set(cells.map(({ symbol }) => symbol))];
  const columns = [...new Set(cells.map(({ interval }) => interval))];
  const byKey = new Map(cells.map((cell) => [`${cell.symbol} ${cell.interval}`, cell]));
  const scale = scaleOfCells(cells);
  const problems = problemsOfCells(cells);
  const shown = cells.filter(({ figures }) => figures !== null).length;
  return (
    <Panel
      title="Rules by market"
      aside={`${formatCount(shown)} of ${formatMany(cells.length, 'cell')}`}
      bodyClassName=""
    >
      <div className="flex flex-col gap-2 p-3">
        <Segments
          label="Cells show"
          options={cellColours}
          value={colour}
          nameOf={(each) => colourNames[each]}
          onSelect={chooseCellColour}
        />
        <p className="text-label text-muted tabular-nums" data-testid="heat-map-summary">
          {summaryOfCells(cells)}
        </p>
        <p className="text-label text-muted" data-testid="heat-map-family">
          {formatMany(shown, 'result')} on the same dates: each verdict counts all of them as tries.
        </p>
      </div>
      <ScrollSideways label="Heat map">
        <table
          className="w-full table-fixed border-collapse text-label tabular-nums"
          style={{ minWidth: 144 + 80 * columns.length }}
        >
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="w-36 p-2 text-left font-medium text-muted">
                Symbol
              </th>
              {columns.map((interval) => (
                <th key={interval} scope="col" className="p-2 text-center font-medium text-muted">
                  {interval}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {symbols.map((symbol) => (
              <tr key={symbol}>
                <th scope="row" className="truncate p-2 text-left font-medium">
                  {symbol}
                </th>
                {columns.map((interval) => (
                  <td key={interval} className="border border-line p-0">
                    <Cell cell={byKey.get(`${symbol} ${interval}`)} colour={colour} scale={scale} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      {problems.length > 0 && (
        <ul aria-label="Cells without a result" className="flex flex-col gap-1 px-3 pt-3 text-label text-warn">
          {problems.map((text) => (
            <li key={text} className="wrap-anywhere">
              {text}
            </li>
          ))}
        </ul>
      )}
      <p className="p-3 text-label text-muted">
        {colour === 'verdict'
          ? 'Blue: holds up. Amber: luck or unclear.'
          : colour === 'net'
            ? 'Blue: gain. Amber: loss.'
            : 'Deeper amber: deeper drawdown.'}{' '}
        Press a cell to open its run.
      </p>
    </Panel>
  );
}

const tones = { good: 'var(--series-1)', bad: 'var(--series-2)' };

/** A cell has the same height before and after its figure arrives. */
function Cell({ cell, colour, scale }: { cell: HeatMapCell | undefined; colour: CellColour; scale: CellScale }) {
  if (cell === undefined) return null;
  const text = textOfCell(cell, colour);
  const tint = tintOfCell(cell, colour, scale);
  const style =
    tint === null ? {} : { backgroundColor: `color-mix(in srgb, ${tones[tint.tone]} ${tint.percent}%, transparent)` };
  if (cell.figures === null)
    return (
      <span className="flex h-8 items-center justify-center text-muted pointer-coarse:h-11" title={cell.problem}>
        {cell.problem === '' ? '…' : NO_VALUE}
        <span className="sr-only"> {cell.problem === '' ? 'waiting' : cell.problem}</span>
      </span>
    );
  return (
    <button
      type="button"
      className="flex h-8 w-full min-w-20 items-center justify-center px-2 font-mono hover:underline pointer-coarse:h-11"
      style={style}
      title={cell.problem === '' ? formatMany(cell.figures.tradeCount, 'trade') : cell.problem}
      aria-label={`Open ${cell.symbol} ${cell.interval}: ${text ?? 'no verdict yet'}`}
      onClick={() => void openCell(cell)}
    >
      {text ?? '…'}
    </button>
  );
}
