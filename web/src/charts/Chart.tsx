import type { Candles, IndicatorSeries } from '@sextant/workers/src/protocol/backtest.ts';
import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../api/failure.ts';
import { useStore } from '../state/store.ts';
import { themeState } from '../state/theme.ts';
import { timeZoneState } from '../state/timeZone.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Guarded } from '../ui/Guarded.tsx';
import { late } from '../ui/late.tsx';
import { type ChartLayout, type ChartPlace, layoutOf, toggleLog } from './chartLayout.ts';
import type { ChartModel } from './chartModel.ts';
import { ChartStack } from './chartStack.ts';
import type { IndicatorLines } from './indicatorLines.ts';
import { type ChartMarket, type PriceAction, priceActionsOf, type PriceSpot } from './priceActions.ts';

export interface ChartHandle {
  picture: () => Promise<Blob | null>;
}

interface Props {
  model: ChartModel;
  /** Layout to use: indicators and scale, stored between visits. Without one the chart has no toolbar. */
  place?: ChartPlace;
  /** Index into model.trades of the trade to mark and bring into view. */
  selectedTrade?: number | null;
  /** Candle under a hovered table row: the crosshair follows it. */
  pointedIndex?: number | null;
  /** Lets the named levels of the model be dragged: called with the price under the pointer. */
  onMoveLevel?: (id: string, price: number) => void;
  /** The market of the candles, for the price menu; absent for candles of a file. */
  market?: ChartMarket | null;
  /** Entries of the price menu that only this view has. They come first. */
  priceActions?: readonly PriceAction[];
  /** In a page that scrolls: the wheel stays with the page, only the keyboard moves the view. */
  isEmbedded?: boolean;
  className?: string;
  ref?: Ref<ChartHandle>;
}

/** Candles and the lines below them. A chart that fails to render shows an error in its place. */
export function Chart({ place, ...props }: Props) {
  return (
    <ErrorBoundary place="panel">
      {place === undefined ? <Stack {...props} /> : <WithLayout layout={layoutOf(place)} {...props} />}
    </ErrorBoundary>
  );
}

/** The chart under its toolbar, with the indicators that were chosen there. */
function WithLayout({ layout, className = '', model, ...props }: Omit<Props, 'place'> & { layout: ChartLayout }) {
  const { isLog, indicators } = useSnapshot(layout);
  const stack = useRef<ChartStack | null>(null);
  const { overlays, panes, failure } = useIndicators(model.candles, indicators, model.priceDecimals);
  const shown = useMemo(
    () => ({ ...model, overlays: [...(model.overlays ?? []), ...overlays], panes: [...model.panes, ...panes] }),
    [model, overlays, panes],
  );
  return (
    <div className={`flex min-h-0 min-w-0 flex-col ${className}`}>
      <ChartToolbar
        layout={layout}
        failure={failure}
        onFit={() => stack.current?.fit()}
        onReset={() => stack.current?.reset()}
      />
      <Stack {...props} model={shown} isLog={isLog} stackRef={stack} className="flex-1" />
    </div>
  );
}

interface StackProps extends Omit<Props, 'place'> {
  isLog?: boolean;
  /** For a toolbar, which moves the view. */
  stackRef?: RefObject<ChartStack | null>;
}

/** React wrapper of a chart stack: builds it once, then passes changes on. */
function Stack(props: StackProps) {
  const { model, selectedTrade = null, pointedIndex = null, isEmbedded = false, isLog = false, className = '' } = props;
  const { ref, stackRef, onMoveLevel = null, market = null, priceActions = [] } = props;
  const [spot, setSpot] = useState<PriceSpot | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const own = useRef<ChartStack | null>(null);
  const stack = stackRef ?? own;
  const { theme, palette } = useStore(themeState);
  const { zone } = useStore(timeZoneState);
  useImperativeHandle(ref, () => ({ picture: async () => (await stack.current?.picture()) ?? null }), [stack]);

  useEffect(() => {
    if (host.current === null) return;
    stack.current ??= new ChartStack(host.current, model, { hasPointer: !isEmbedded, isLog });
    stack.current.setLog(isLog);
    stack.current.show(model);
  }, [stack, model, isEmbedded, isLog]);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => stack.current?.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      stack.current?.destroy();
      stack.current = null;
    };
  }, [stack]);
  useEffect(() => stack.current?.setMenu(setSpot), [stack]);
  useEffect(() => stack.current?.setLevelMover(onMoveLevel), [stack, onMoveLevel]);
  useEffect(() => stack.current?.select(selectedTrade), [stack, selectedTrade, model]);
  useEffect(() => stack.current?.point(pointedIndex), [stack, pointedIndex]);
  useEffect(() => stack.current?.restyle(), [stack, theme, palette, zone]);

  const openAtCrosshair = () => setSpot(stack.current?.spotAtCrosshair() ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') openAtCrosshair();
    else if (stack.current?.key(event.key, event.shiftKey) !== true) return;
    event.preventDefault();
  };
  // The menu key; a pointer over the candles opens the menu itself.
  const onContextMenu = (event: MouseEvent) => {
    if (event.target !== host.current) return;
    event.preventDefault();
    openAtCrosshair();
  };
  return (
    <>
      <div
        ref={host}
        role="group"
        tabIndex={0}
        aria-label="Price chart. Plus and minus zoom, arrow keys move, Home resets. Shift and arrow keys move the crosshair, Enter opens its price menu."
        className={`chart min-h-0 min-w-0 overflow-hidden ${className}`}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      />
      {spot !== null && (
        <Guarded>
          <priceMenu.View
            spot={spot}
            priceDecimals={model.priceDecimals}
            actions={[...priceActions, ...priceActionsOf(market)]}
            chart={host}
            onClose={() => setSpot(null)}
          />
        </Guarded>
      )}
    </>
  );
}

const priceMenu = late(async () => (await import('./PriceMenu.tsx')).PriceMenu);

const none: IndicatorLines = { overlays: [], panes: [] };

interface Computed {
  candles: Candles;
  key: string;
  series: IndicatorSeries;
}

type Lines = typeof import('./indicatorLines.ts');

/** Lines of the chosen indicators over candles. The registry and the engine are fetched with the first choice. */
function useIndicators(
  candles: Candles,
  ids: readonly string[],
  decimals: number,
): IndicatorLines & { failure: string | null } {
  const [lines, setLines] = useState<Lines | null>(null);
  const [computed, setComputed] = useState<Computed | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const key = ids.join();
  useEffect(() => {
    if (key === '') return undefined;
    let isCurrent = true;
    const isStale = () => !isCurrent;
    const compute = async () => {
      const module = await import('./indicatorLines.ts');
      if (isStale()) return;
      setLines(module);
      const series = await module.computeIndicators(candles, key.split(','));
      if (isStale()) return;
      setComputed({ candles, key, series });
      setFailure(null);
    };
    compute().catch((fault: unknown) => {
      if (isCurrent) setFailure(messageOf(fault, 'the engine stopped.'));
    });
    return () => {
      isCurrent = false;
    };
  }, [candles, key]);
  const shown = useMemo(() => {
    if (key === '' || lines === null) return none;
    const isCurrent = computed?.candles === candles && computed.key === key;
    return lines.linesOf(key.split(','), decimals, isCurrent ? computed.series : undefined);
  }, [lines, computed, candles, key, decimals]);
  return { ...shown, failure: key === '' ? null : failure };
}

const indicatorMenu = late(
  async () => (await import('./IndicatorMenu.tsx')).IndicatorMenu,
  <span className="btn btn-ghost btn-small">Indicators</span>,
);

interface ToolbarProps {
  layout: ChartLayout;
  /** Why the indicators are not drawn. */
  failure: string | null;
  onFit: () => void;
  onReset: () => void;
}

/** Chart settings: indicators, price scale, and buttons to reset the view. */
function ChartToolbar({ layout, failure, onFit, onReset }: ToolbarProps) {
  const { isLog } = useSnapshot(layout);
  return (
    <div
      role="toolbar"
      aria-label="Chart"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-1 border-b border-line px-1"
    >
      <Guarded>
        <indicatorMenu.View layout={layout} />
      </Guarded>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        aria-pressed={isLog}
        title="Logarithmic: equal distances are equal percentages"
        onClick={() => toggleLog(layout)}
      >
        Log
      </button>
      <button type="button" className="btn btn-ghost btn-small" title="Show all candles" onClick={onFit}>
        Fit
      </button>
      <button
        type="button"
        className="btn btn-ghost btn-small"
        title="Reset the view (or double-click)"
        onClick={onReset}
      >
        Reset
      </button>
      {failure !== null && (
        <span role="status" className="px-1 text-label text-warn">
          Indicators failed: {failure}
        </span>
      )}
    </div>
  );
}
