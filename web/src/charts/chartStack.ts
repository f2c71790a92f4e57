// Long because it is the one owner of a chart's canvases: what shows, moves or measures one concerns all of them.
import type { PriceScale } from '@sextant/workers/src/core/chartDrawings.ts';
import type uPlot from 'uplot';
import { formatFixed } from '../format/number.ts';
import { timeZoneState } from '../state/timeZone.ts';
import { candlePane, candlePaneData, type Drawn } from './candlePane.ts';
import type { ChartModel } from './chartModel.ts';
import { readColours } from './colours.ts';
import { isCrosshairKey, moveCrosshair, spotAt, spotAtCrosshair } from './crosshair.ts';
import { DrawingLayer } from './drawings/DrawingLayer.ts';
import { LevelHandles } from './levelHandles.ts';
import { type LinkedChart, publishTime } from './linkedCharts.ts';
import { linePane, linePaneData } from './linePane.ts';
import {
  type Bounds,
  clampViewport,
  listenToPointer,
  type Navigated,
  onChartKey,
  reveal,
  type Viewport,
} from './navigate.ts';
import { AXIS_FONT, type PaneContext, valueAxisWidth } from './paneOptions.ts';
import type { PriceSpot } from './priceActions.ts';
import { listenToMenu } from './pricePointer.ts';
import { readCandle, readLine, timeAt } from './readout.ts';
import { indexOfTime } from './timeScale.ts';
import { pictureOf } from './picture.ts';
import { firstClose, hasLog, hasSamePanes, isSameLine, longestLabel } from './stackShape.ts';
import { isSameBelow } from './stillLayer.ts';
import { countOf, recallView, rememberView, SPAN_MIN, startView, viewAfter } from './view.ts';

const TIME_AXIS_ROOM_PX = 26;
const PANE_MIN_PX = 40;
const PRICE_LABEL_SPACE_PX = 30;
const LINE_LABEL_SPACE_PX = 18;

type OnCursor = (index: number | null) => void;

interface Pane {
  plot: uPlot;
  box: HTMLElement;
  weight: number;
  /** Writes the values of a candle over the pane; null: of the last. */
  read: OnCursor;
  stopListening: () => void;
}

interface StackOptions {
  hasPointer?: boolean;
  scale?: PriceScale;
  viewKey?: string | null;
}

let stackCount = 0;

/**
 * Candles and the lines below them: a canvas each, one time axis, one crosshair. uPlot draws; this class controls it and owns canvases,
 * listeners and a frame request that destroy() must release.
 */
export class ChartStack implements LinkedChart {
  readonly #host: HTMLElement;
  readonly #syncKey = `chart-${++stackCount}`;
  readonly #drawn: Drawn;
  readonly #hasPointer: boolean;
  readonly #view: Navigated;
  #scale: PriceScale;
  #panes: Pane[] = [];
  #viewport: Viewport;
  #viewKey: string | null;
  #isFollowing = false;
  #frame = 0;
  #valueAxisPx = 0;
  #openMenu: ((spot: PriceSpot) => void) | null = null;

  /**
   * @param hasPointer wheel, drag and pinch move the view; without it they stay with the page
   * @param scale of prices
   * @param viewKey of the view that is remembered; none when absent
   */
  constructor(
    host: HTMLElement,
    model: ChartModel,
    { hasPointer = true, scale = 'linear', viewKey = null }: StackOptions = {},
  ) {
    this.#host = host;
    this.#scale = scale;
    this.#hasPointer = hasPointer;
    this.#drawn = { model, selectedTrade: null, handles: new LevelHandles(), drawings: new DrawingLayer() };
    this.#viewport = viewKey === null ? startView(model) : recallView(viewKey, model);
    this.#viewKey = viewKey;
    this.#view = {
      viewport: () => this.#viewport,
      bounds: () => this.#bounds(),
      apply: (next) => {
        this.#viewport = next;
        this.#frame ||= requestAnimationFrame(() => this.#draw());
      },
      reset: () => this.#view.apply(startView(this.#drawn.model)),
    };
    this.restyle();
    // A canvas does not wait for a font, nor is it drawn again when the font arrives.
    document.fonts.load(AXIS_FONT).then(
      (faces) => {
        if (faces.length > 0 && this.#panes.length > 0) for (const { plot } of this.#panes) plot.redraw(false, true);
      },
      // Without the font the labels use the system font.
      () => undefined,
    );
  }

  /** Draws another model. The view is preserved unless the candles differ. */
  show(model: ChartModel): void {
    const before = this.#drawn.model;
    if (before === model) return;
    this.#drawn.model = model;
    const isOtherData = before.candles !== model.candles;
    const isOtherSpan = countOf(before) !== countOf(model) || before.scoredFrom !== model.scoredFrom;
    if (isOtherData || isOtherSpan) this.#viewport = viewAfter(this.#viewport, before, model);
    if (isOtherData || !hasSamePanes(before, model)) {
      this.restyle();
      return;
    }
    const axisPx = valueAxisWidth(longestLabel(model));
    const isWider = axisPx !== this.#valueAxisPx;
    this.#valueAxisPx = axisPx;
    const isSameView = !isOtherSpan && !isWider;
    this.#panes.forEach(({ plot, read }, at) => {
      const line = model.panes[at - 1];
      if (isSameView && this.#isShown(before, at)) return;
      plot.setData(line === undefined ? candlePaneData(model) : linePaneData(line.values, countOf(model)), false);
      plot.setScale('x', this.#viewport);
      if (isWider) plot.redraw(false, true);
      read(plot.cursor.idx ?? null);
    });
  }

  /** Whether a pane shows the model already, or did once its trades were drawn again: a slider changes little else. */
  #isShown(before: ChartModel, at: number): boolean {
    const { model, still } = this.#drawn;
    const [plot, line] = [this.#panes[at]?.plot, model.panes[at - 1]];
    if (line !== undefined) return isSameLine(before.panes[at - 1], line);
    return plot !== undefined && isSameBelow(before, model) && still?.repaint(plot) === true;
  }

  setScale(scale: PriceScale): void {
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.restyle();
  }

  /** Sets the key under which the view is stored when the chart closes; null: none. */
  setViewKey(key: string | null): void {
    this.#viewKey = key;
  }

  /** Puts the crosshair on the candle of a time, for a chart that shares it; null removes it. */
  showTime(ms: number | null): void {
    const { time } = this.#drawn.model.candles;
    const index = ms === null || time.length < 2 ? null : Math.floor(indexOfTime(time, ms) + 1e-9);
    this.#isFollowing = true;
    this.point(index !== null && index >= 0 && index < countOf(this.#drawn.model) ? index : null);
    this.#isFollowing = false;
  }

  /** Lets named levels be dragged; null: none. */
  setLevelMover(onMove: ((id: string, price: number) => void) | null): void {
    const { handles, model } = this.#drawn;
    handles.setMover(onMove);
    const plot = this.#panes[0]?.plot;
    if (plot !== undefined) handles.place(plot, model.levels ?? []);
  }

  /** Called where the price menu is requested by pointer; null: the browser's menu. */
  setMenu(open: ((spot: PriceSpot) => void) | null): void {
    this.#openMenu = open;
  }

  /** Price and candle at the crosshair; at the last price where there is none. */
  spotAtCrosshair(): PriceSpot | null {
    const plot = this.#panes[0]?.plot;
    return plot === undefined ? null : spotAtCrosshair(plot, this.#drawn.model);
  }

  /** Gives the chart the keyboard. */
  focus(): void {
    this.#host.focus({ preventScroll: true });
  }

  /** What is drawn over the candles. */
  get drawings(): DrawingLayer {
    return this.#drawn.drawings;
  }

  /** All candles in sight. */
  fit(): void {
    const { count } = this.#bounds();
    this.#view.apply(clampViewport({ min: 0, max: count }, this.#bounds()));
  }

  /** Restores the chart's initial view. */
  reset(): void {
    this.#view.reset();
  }

  /** Marks a trade and brings it into view. */
  select(trade: number | null): void {
    if (trade === this.#drawn.selectedTrade) return;
    this.#drawn.selectedTrade = trade;
    const chosen = trade === null ? undefined : this.#drawn.model.trades[trade];
    if (chosen !== undefined)
      this.#view.apply(reveal(this.#viewport, chosen.entryIndex, chosen.exitIndex, this.#bounds()));
    this.#panes[0]?.plot.redraw(false);
  }

  /** Puts the crosshair on a candle; null removes it. */
  point(index: number | null): void {
    for (const { plot } of this.#panes) {
      const isShown = index !== null;
      plot.setCursor({
        left: isShown ? plot.valToPos(index, 'x') : -10,
        top: isShown ? plot.over.clientHeight / 2 : -10,
      });
    }
  }

  /** @param isShifted moves the crosshair in place of the view @returns whether the key meant something to the chart */
  key(key: string, isShifted = false): boolean {
    const plot = this.#panes[0]?.plot;
    if (isShifted && isCrosshairKey(key) && plot !== undefined) {
      moveCrosshair(plot, this.#drawn.model, key);
      this.#drawn.drawings.follow(this.spotAtCrosshair());
      return true;
    }
    return this.#drawn.drawings.key(key, () => this.spotAtCrosshair()) || onChartKey(key, this.#view);
  }

  resize(): void {
    const { clientWidth: width, clientHeight } = this.#host;
    if (width === 0 || clientHeight === 0) return;
    const total = this.#panes.reduce((sum, pane) => sum + pane.weight, 0);
    this.#panes.forEach(({ plot, weight }, at) => {
      const axis = at === this.#panes.length - 1 ? TIME_AXIS_ROOM_PX : 0;
      const height = Math.floor(((clientHeight - TIME_AXIS_ROOM_PX) * weight) / total) + axis;
      plot.setSize({ width, height: Math.max(PANE_MIN_PX, height) });
    });
  }

  /** Rebuilds the canvases in the selected colours and time zone. */
  restyle(): void {
    this.#closePanes();
    const { model } = this.#drawn;
    this.#valueAxisPx = valueAxisWidth(longestLabel(model));
    const size = { width: Math.max(this.#host.clientWidth, 50), height: PANE_MIN_PX };
    const shared = {
      colours: readColours(),
      time: model.candles.time,
      candleCount: countOf(model),
      zone: timeZoneState.current.zone,
      syncKey: this.#syncKey,
      valueAxisPx: () => this.#valueAxisPx,
    };
    const contextOf = (at: number, format: PaneContext['format']): PaneContext => ({
      ...shared,
      hasTimeLabels: at === model.panes.length,
      labelSpacePx: at === 0 ? PRICE_LABEL_SPACE_PX : LINE_LABEL_SPACE_PX,
      format,
    });
    const isLog = this.#scale === 'log' && hasLog(model);
    const base = (u: uPlot) => firstClose(u, this.#drawn.model);
    const context = contextOf(0, (value) => formatFixed(value, model.priceDecimals));
    const price = this.#scale === 'percent' ? { ...context, percentBase: base } : { ...context, isLog };
    this.#addPane(
      1,
      (box, onCursor, readout) => candlePane(box, price, size, this.#drawn, onCursor, readout),
      (index) => readCandle(this.#drawn.model, index),
    );
    model.panes.forEach((pane, at) =>
      this.#addPane(
        pane.weight,
        (box, onCursor) =>
          linePane(box, contextOf(at + 1, pane.format), size, () => this.#drawn.model.panes[at] ?? pane, onCursor),
        (index) => readLine(this.#drawn.model, at, index),
      ),
    );
    this.resize();
    this.#draw();
  }

  picture(): Promise<Blob | null> {
    return pictureOf(
      this.#host,
      this.#panes.map(({ plot }) => plot.ctx.canvas),
    );
  }

  destroy(): void {
    if (this.#viewKey !== null) rememberView(this.#viewKey, this.#viewport, this.#drawn.model);
    cancelAnimationFrame(this.#frame);
    this.#drawn.handles.destroy();
    this.#drawn.drawings.destroy();
    this.#closePanes();
  }

  #addPane(
    weight: number,
    make: (box: HTMLElement, onCursor: OnCursor, readout: HTMLElement) => uPlot,
    read: (at: number | null) => Node[],
  ) {
    const box = document.createElement('div');
    box.className = 'chart-pane';
    const readout = document.createElement('p');
    readout.className = 'chart-readout';
    const isFirst = this.#panes.length === 0;
    const write: OnCursor = (index) => {
      readout.replaceChildren(...read(index));
      if (isFirst && !this.#isFollowing)
        publishTime(this, index === null ? null : timeAt(this.#drawn.model.candles.time, index));
    };
    // The plot measures its readout: both are in the page before it is built.
    box.append(readout);
    this.#host.append(box);
    write(null);
    const plot = make(box, write, readout);
    const stopMoving = this.#hasPointer ? listenToPointer(box, plot.over, this.#view) : () => undefined;
    const stopMenu = isFirst ? this.#listenToMenu(box, plot) : () => undefined;
    const stopDrawing = isFirst ? this.#drawn.drawings.listen(plot) : () => undefined;
    const stopListening = () => {
      stopMoving();
      stopMenu();
      stopDrawing();
    };
    this.#panes.push({ plot, box, weight, read: write, stopListening });
  }

  #listenToMenu(box: HTMLElement, plot: uPlot): () => void {
    plot.over.addEventListener('pointermove', () => delete plot.root.dataset['keys']);
    return listenToMenu(box, (clientX, clientY) => {
      const spot = spotAt(plot, this.#drawn.model, clientX, clientY);
      if (spot !== null) this.#openMenu?.(spot);
    });
  }

  #closePanes(): void {
    for (const { plot, box, stopListening } of this.#panes) {
      stopListening();
      plot.destroy();
      box.remove();
    }
    this.#panes = [];
  }

  #draw(): void {
    this.#frame = 0;
    for (const { plot } of this.#panes) plot.setScale('x', this.#viewport);
  }

  #bounds(): Bounds {
    return { count: countOf(this.#drawn.model), spanMin: SPAN_MIN };
  }
}
