import type { PriceScale } from '@sextant/workers/src/core/chartDrawings.ts';
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSnapshot } from 'valtio';
import { useStore } from '../state/store.ts';
import { themeState } from '../state/theme.ts';
import { timeZoneState } from '../state/timeZone.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Guarded } from '../ui/Guarded.tsx';
import { late } from '../ui/late.tsx';
import { type ChartPlace, layoutOf } from './chartLayout.ts';
import type { ChartModel } from './chartModel.ts';
import { ChartToolbar } from './ChartToolbar.tsx';
import { ChartStack } from './chartStack.ts';
import type { DrawingSet } from './drawings/drawingSet.ts';
import { createTools, toolKeys, type ToolStore } from './drawings/drawingTools.ts';
import { useDrawings } from './drawings/useDrawings.ts';
import { linkChart } from './linkedCharts.ts';
import { type ChartMarket, type PriceAction, priceActionsOf, type PriceSpot } from './priceActions.ts';
import { engineChoices, usePositioningPanes } from './positioningPanes.ts';
import { useIndicators } from './useIndicators.ts';

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
  /** Shares the time of its crosshair with the other linked charts. */
  isLinked?: boolean;
  className?: string;
  ref?: Ref<ChartHandle>;
}

/** Candles and the lines below them. A chart that fails to render shows an error in its place. */
export function Chart({ place, ...props }: Props) {
  return (
    <ErrorBoundary place="panel">
      {place === undefined ? <Stack {...props} /> : <WithLayout place={place} {...props} />}
    </ErrorBoundary>
  );
}

/** The chart under its toolbar, with the indicators that were chosen there. */
function WithLayout({ place, className = '', model, ...props }: Omit<Props, 'place'> & { place: ChartPlace }) {
  const layout = layoutOf(place);
  const { scale, indicators, paneSize } = useSnapshot(layout);
  const stack = useRef<ChartStack | null>(null);
  const { market = null } = props;
  const set = useDrawings(market?.symbol ?? null);
  const [tools] = useState(createTools);
  const drawing = useMemo(() => (set === null ? null : { set, tools }), [set, tools]);
  const { overlays, panes, failure } = useIndicators(model.candles, engineChoices(indicators), model.priceDecimals);
  const positioning = usePositioningPanes(market, indicators, model.candles.time);
  const shown = useMemo(
    () => ({
      ...model,
      overlays: [...(model.overlays ?? []), ...overlays],
      panes: [...model.panes, ...panes, ...positioning.panes].map((pane) => ({
        ...pane,
        weight: pane.weight * paneFactors[paneSize],
      })),
    }),
    [model, overlays, panes, positioning.panes, paneSize],
  );
  const bars = useBars({ set, tools, market, priceDecimals: model.priceDecimals, stack });
  return (
    <div className={`flex min-h-0 min-w-0 flex-col ${className}`}>
      <Toolbar
        layout={layout}
        failure={failure ?? positioning.failure}
        hasMarket={market !== null}
        onFit={bars.fit}
        onReset={bars.reset}
      >
        {bars.menu}
      </Toolbar>
      {bars.bar}
      <Stack
        {...props}
        model={shown}
        scale={scale}
        stackRef={stack}
        viewKey={viewKeyOf(place, market)}
        drawing={drawing}
        className="flex-1"
      />
    </div>
  );
}

// A slider of the lab makes a model at each step: the bars are rendered only when they change.
const Toolbar = memo(ChartToolbar);

interface BarsProps {
  set: DrawingSet | null;
  tools: ToolStore;
  market: ChartMarket | null;
  priceDecimals: number;
  stack: RefObject<ChartStack | null>;
}

/** Drawing menu, drawing bar and the toolbar's view commands, memoised so that the toolbar renders only on a change. */
function useBars({ set, tools, market, priceDecimals, stack }: BarsProps) {
  const fit = useCallback(() => stack.current?.fit(), [stack]);
  const reset = useCallback(() => stack.current?.reset(), [stack]);
  const menu = useMemo(
    () =>
      set !== null && (
        <Guarded>
          <drawingMenu.View
            set={set}
            tools={tools}
            priceDecimals={priceDecimals}
            onTool={() => stack.current?.focus()}
          />
        </Guarded>
      ),
    [set, tools, priceDecimals, stack],
  );
  const bar = useMemo(
    () =>
      set !== null &&
      market !== null && (
        <Guarded>
          <drawingBar.View set={set} tools={tools} market={market} />
        </Guarded>
      ),
    [set, tools, market],
  );
  return { fit, reset, menu, bar };
}

/** Key of the stored zoom and position: charts of a market only. Others open on their trade or result. */
const viewKeyOf = (place: ChartPlace, market: ChartMarket | null): string | null =>
  !place.startsWith('market') || market === null ? null : `${place} ${market.symbol} ${market.interval}`;

interface Drawing {
  set: DrawingSet;
  tools: ToolStore;
}

interface StackProps extends Omit<Props, 'place'> {
  scale?: PriceScale;
  /** Lets the toolbar fit and reset the view. */
  stackRef?: RefObject<ChartStack | null>;
  /** Key under which zoom and position are stored; absent: not stored. */
  viewKey?: string | null;
  /** Drawings and drawing tools; absent: drawing is off. */
  drawing?: Drawing | null;
}

/** React wrapper of a chart stack: builds it once, then passes changes on. */
function Stack(props: StackProps) {
  const {
    model,
    selectedTrade = null,
    pointedIndex = null,
    isEmbedded = false,
    scale = 'linear',
    className = '',
  } = props;
  const {
    ref,
    stackRef,
    onMoveLevel = null,
    market = null,
    priceActions = [],
    drawing = null,
    viewKey = null,
    isLinked = false,
  } = props;
  const [spot, setSpot] = useState<PriceSpot | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const own = useRef<ChartStack | null>(null);
  const stack = stackRef ?? own;
  const { theme, palette } = useStore(themeState);
  const { zone } = useStore(timeZoneState);
  useImperativeHandle(ref, () => ({ picture: async () => (await stack.current?.picture()) ?? null }), [stack]);

  useEffect(() => {
    if (host.current === null) return;
    stack.current ??= new ChartStack(host.current, model, { hasPointer: !isEmbedded, scale, viewKey });
    stack.current.setViewKey(viewKey);
    stack.current.setScale(scale);
    stack.current.show(model);
  }, [stack, model, isEmbedded, scale, viewKey]);
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
  useEffect(() => (isLinked && stack.current !== null ? linkChart(stack.current) : undefined), [stack, isLinked]);
  useEffect(() => stack.current?.setMenu(setSpot), [stack]);
  useEffect(() => stack.current?.drawings.attach(drawing), [stack, drawing]);
  useEffect(() => stack.current?.setLevelMover(onMoveLevel), [stack, onMoveLevel]);
  useEffect(() => stack.current?.select(selectedTrade), [stack, selectedTrade, model]);
  useEffect(() => stack.current?.point(pointedIndex), [stack, pointedIndex]);
  useEffect(() => stack.current?.restyle(), [stack, theme, palette, zone]);

  const drawHere: PriceAction = {
    id: 'horizontal',
    label: () => 'Draw horizontal line here',
    run: (price, time) => stack.current?.drawings.draw('horizontal', [{ time, price }]),
  };
  const openAtCrosshair = () => setSpot(stack.current?.spotAtCrosshair() ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    // Fields and buttons inside the chart handle their own keys.
    if (event.target !== host.current || stack.current === null) return;
    if (onChartKeys(event, stack.current, drawing)) event.preventDefault();
    else if (event.key === 'Enter') {
      event.preventDefault();
      openAtCrosshair();
    }
  };
  // Handles the menu key; a right click on the candles is handled by the chart stack.
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
            actions={[...priceActions, ...priceActionsOf(market), ...(drawing === null ? [] : [drawHere])]}
            chart={host}
            onClose={() => setSpot(null)}
          />
        </Guarded>
      )}
    </>
  );
}

/** @returns whether the key was used */
function onChartKeys(event: KeyboardEvent, stack: ChartStack, drawing: Drawing | null): boolean {
  const { key, code, shiftKey, altKey } = event;
  const tool = altKey && drawing !== null ? toolKeys[code] : undefined;
  if (tool !== undefined) {
    drawing?.tools.set({ tool, selectedId: null, handle: null });
    return true;
  }
  if (!event.ctrlKey && !event.metaKey) return stack.key(key, shiftKey);
  const letter = key.toLowerCase();
  if (letter === 'z' && !shiftKey) stack.drawings.undo();
  else if (letter === 'y' || letter === 'z') stack.drawings.redo();
  else return false;
  return true;
}

const drawingMenu = late(
  async () => (await import('./drawings/DrawingMenu.tsx')).DrawingMenu,
  <span className="btn btn-ghost btn-small">Draw</span>,
);
const drawingBar = late(async () => (await import('./drawings/DrawingBar.tsx')).DrawingBar);
const priceMenu = late(async () => (await import('./PriceMenu.tsx')).PriceMenu);

/** Factors of the heights of the panes below the candles. */
const paneFactors = { small: 0.6, medium: 1, large: 1.7 } as const;
