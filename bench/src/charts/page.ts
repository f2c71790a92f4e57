import { dispose, init } from 'klinecharts';
import { CandlestickSeries, createChart, type UTCTimestamp } from 'lightweight-charts';
import type { DrawingKind } from '@sextant/workers/src/core/chartDrawings.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { ChartModel } from '../../../web/src/charts/chartModel.ts';
import { ChartStack } from '../../../web/src/charts/chartStack.ts';
import { createDrawing } from '../../../web/src/charts/drawings/drawing.ts';
import { DrawingSet } from '../../../web/src/charts/drawings/drawingSet.ts';
import { createTools } from '../../../web/src/charts/drawings/drawingTools.ts';
import type { ChartMaker, MeasuredChart } from './protocol.ts';

/** A page of the bench: the product's chart beside two libraries, on the same candles. */
const HOUR = 3_600_000;
const START = Date.UTC(2014, 0, 1);
const WIDTH_PX = 1200;
const HEIGHT_PX = 600;
/** Candles in sight while the view is moved. */
const SEEN = 500;

/** Hourly candles of a random walk with a fixed seed. */
function makeCandles(count: number): Candles {
  let seed = 20_240_101;
  const next = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const column = () => new Float64Array(count);
  const candles = { time: column(), open: column(), high: column(), low: column(), close: column(), volume: column() };
  let price = 1000;
  for (let i = 0; i < count; i++) {
    const close = price * (1 + (next() - 0.5) * 0.01);
    candles.time[i] = START + i * HOUR;
    candles.open[i] = price;
    candles.close[i] = close;
    candles.high[i] = Math.max(price, close) * (1 + next() * 0.003);
    candles.low[i] = Math.min(price, close) * (1 - next() * 0.003);
    candles.volume[i] = 1000 * next();
    price = close;
  }
  return candles;
}

const rowsOf = ({ time, open, high, low, close, volume }: Candles) =>
  Array.from(time, (timestamp, i) => ({
    timestamp,
    open: open[i] ?? 0,
    high: high[i] ?? 0,
    low: low[i] ?? 0,
    close: close[i] ?? 0,
    volume: volume[i] ?? 0,
  }));

/** One chart in the page. */
interface Drawn {
  /** Zooms to SEEN candles in the middle. */
  zoom: () => void;
  /** Moves the view by some candles. */
  pan: (forward: boolean) => void;
  close: () => void;
}

const PAN_PX = 24;
/** Each press zooms in by a fifth. */
const PAN_PRESSES = 2;

function drawOwn(host: HTMLElement, candles: Candles): Drawn {
  host.className = 'chart';
  const model: ChartModel = { candles, priceDecimals: 2, scoredFrom: 0, trades: [], panes: [] };
  const stack = new ChartStack(host, model);
  return {
    zoom: () => {
      // A press zooms by a factor of 0.8 about the middle.
      const presses = Math.round(Math.log(SEEN / candles.time.length) / Math.log(0.8));
      for (let i = 0; i < presses; i++) stack.key('+');
    },
    pan: (forward) => {
      const deltaX = forward ? PAN_PX : -PAN_PX;
      host.querySelector('.chart-pane')?.dispatchEvent(new WheelEvent('wheel', { deltaX, cancelable: true }));
    },
    close: () => stack.destroy(),
  };
}

function drawLightweight(host: HTMLElement, candles: Candles): Drawn {
  const rows = rowsOf(candles).map(({ timestamp, open, high, low, close }) => ({
    time: (timestamp / 1000) as UTCTimestamp,
    open,
    high,
    low,
    close,
  }));
  const chart = createChart(host, { width: WIDTH_PX, height: HEIGHT_PX });
  chart.addSeries(CandlestickSeries).setData(rows);
  const middle = candles.time.length / 2;
  const step = (PAN_PX * SEEN) / WIDTH_PX;
  let from = middle - SEEN / 2;
  const show = () => chart.timeScale().setVisibleLogicalRange({ from, to: from + SEEN });
  return {
    zoom: show,
    pan: (forward) => {
      from += forward ? step : -step;
      show();
    },
    close: () => chart.remove(),
  };
}

function drawKline(host: HTMLElement, candles: Candles): Drawn {
  const rows = rowsOf(candles);
  const chart = init(host);
  if (chart === null) throw new Error('klinecharts made no chart');
  chart.setSymbol({ ticker: 'BENCH', pricePrecision: 2, volumePrecision: 0 });
  chart.setPeriod({ span: 1, type: 'hour' });
  chart.setDataLoader({ getBars: ({ callback }) => callback(rows, false) });
  return {
    zoom: () => {
      chart.setBarSpace(WIDTH_PX / SEEN);
      chart.scrollToDataIndex(candles.time.length / 2 + SEEN / 2);
    },
    pan: (forward) => chart.scrollByDistance(forward ? -PAN_PX : PAN_PX),
    close: () => dispose(chart),
  };
}

const drawers: Record<ChartMaker, (host: HTMLElement, candles: Candles) => Drawn> = {
  sextant: drawOwn,
  'lightweight-charts': drawLightweight,
  klinecharts: drawKline,
};

function addHost(): HTMLElement {
  const host = document.createElement('div');
  host.style.width = `${WIDTH_PX}px`;
  host.style.height = `${HEIGHT_PX}px`;
  document.body.replaceChildren(host);
  return host;
}

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** The next frame, once it was made. */
async function painted(): Promise<number> {
  await frame();
  await new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });
  return performance.now();
}

/** Times of frames in which `act` changed something, milliseconds. */
async function timeFrames(count: number, act: (at: number) => void): Promise<number[]> {
  const times: number[] = [];
  let before = await frame();
  for (let at = 0; at < count; at++) {
    act(at);
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times;
}

let cached: Candles | null = null;
const candlesOf = (count: number): Candles => {
  if (cached?.time.length !== count) cached = makeCandles(count);
  return cached;
};

/** First draw of a chart from columns, and frame times while the view moves back and forth. */
async function measureChart(maker: ChartMaker, count: number, frames: number): Promise<MeasuredChart> {
  const candles = candlesOf(count);
  const host = addHost();
  await painted();
  const start = performance.now();
  const drawn = drawers[maker](host, candles);
  const firstMs = (await painted()) - start;
  drawn.zoom();
  await painted();
  const times = await timeFrames(frames, (at) => drawn.pan(Math.floor(at / 40) % 2 === 0));
  drawn.close();
  return { firstMs, times };
}

const kinds: readonly DrawingKind[] = [
  'trend',
  'horizontal',
  'rectangle',
  'fibonacci',
  'ray',
  'measure',
  'long',
  'text',
];

/** The first row of a column where the pointer is over a drawing: the cursor says so. */
function grabAt(over: HTMLElement, x: number, pointer: PointerEventInit): number {
  const { top, bottom } = over.getBoundingClientRect();
  for (let y = Math.ceil(top) + 4; y < bottom; y += 2) {
    over.dispatchEvent(new PointerEvent('pointermove', { ...pointer, clientX: x, clientY: y }));
    if (over.style.cursor !== '') return y;
  }
  throw new Error('no drawing lies in the middle of the plot');
}

/** A chart with drawings, for frames that are measured from outside. */
interface DrawnOver {
  drag: (frames: number) => Promise<number[]>;
  pan: (frames: number) => Promise<number[]>;
  /** @returns whether a drawing followed the pointer */
  close: () => boolean;
}
let drawnOver: DrawnOver | null = null;

/** Draws a chart of all candles with many drawings over them. */
async function openDrawings(count: number, drawings: number): Promise<void> {
  const candles = candlesOf(count);
  const host = addHost();
  host.className = 'chart';
  const model: ChartModel = { candles, priceDecimals: 2, scoredFrom: 0, trades: [], panes: [] };
  const stack = new ChartStack(host, model);
  const none = () => Promise.reject(new Error('the bench has no server'));
  const set = new DrawingSet('BENCHUSDT', { read: none, change: none });
  const anchor = (index: number, shift: number) => ({
    time: candles.time[index] ?? 0,
    price: (candles.close[index] ?? 0) * (1 + shift),
  });
  const made = Array.from({ length: drawings }, (_, i) => {
    const from = Math.floor((i / drawings) * (count - 2000));
    return createDrawing(kinds[i % kinds.length] ?? 'trend', [anchor(from, 0.01), anchor(from + 1500, -0.01)]);
  });
  set.put(...made);
  stack.drawings.attach({ set, tools: createTools() });
  stack.fit();
  await painted();
  await painted();
  const over = host.querySelector<HTMLElement>('.u-over');
  if (over === null) throw new Error('nothing is drawn');
  const box = over.getBoundingClientRect();
  const pointer = { bubbles: true, cancelable: true, isPrimary: true, button: 0, pointerId: 1 };
  const x = box.left + box.width / 2;
  const y = grabAt(over, x, pointer);
  drawnOver = {
    drag: async (frames) => {
      over.dispatchEvent(new PointerEvent('pointerdown', { ...pointer, buttons: 1, clientX: x, clientY: y }));
      const times = await timeFrames(frames, (i) =>
        window.dispatchEvent(
          new PointerEvent('pointermove', { ...pointer, buttons: 1, clientX: x, clientY: y + 60 * Math.sin(i / 12) }),
        ),
      );
      window.dispatchEvent(new PointerEvent('pointerup', { ...pointer, clientX: x, clientY: y + 30 }));
      return times;
    },
    pan: async (frames) => {
      // In from all candles, so that there is room to move; most of the drawings stay in sight.
      for (let i = 0; i < PAN_PRESSES; i++) stack.key('+');
      await painted();
      const pane = host.querySelector('.chart-pane');
      return timeFrames(frames, (at) => {
        const deltaX = Math.floor(at / 40) % 2 === 0 ? PAN_PX : -PAN_PX;
        pane?.dispatchEvent(new WheelEvent('wheel', { deltaX, cancelable: true }));
      });
    },
    close: () => {
      const moved = made.some((drawing) => set.find(drawing.id) !== drawing);
      set.stop();
      stack.destroy();
      return moved;
    },
  };
}

const opened = (): DrawnOver => {
  if (drawnOver === null) throw new Error('no drawings are open');
  return drawnOver;
};

window.measureChart = measureChart;
window.openDrawings = openDrawings;
window.dragFrames = (frames) => opened().drag(frames);
window.panFrames = (frames) => opened().pan(frames);
window.closeDrawings = () => opened().close();
