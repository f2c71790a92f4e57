import { isOwnRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { type PointerEvent, useCallback, useEffect, useMemo, useState } from 'react';
import type { Colours } from '../../../charts/colours.ts';
import { formatCount } from '../../../format/number.ts';
import { startSlices, type Steps } from '../../../state/slices.ts';
import { Segments } from '../../../ui/Segments.tsx';
import {
  cellAt,
  cellBox,
  type CellStatistic,
  cellStatistics,
  type HeatCell,
  heatSteps,
  mapSteps,
  margin,
  pointOf,
  scaleOf,
  trialAt,
  type TrialMap,
  valueOfCell,
} from './mapModel.ts';
import { type Choices, legendOf, type MapMode, type ShownMap, statisticNames, wordsOf } from './mapWords.ts';
import { figuresOf, type Measure, parametersOf } from './searchDefinitions.ts';
import type { SearchRun } from './searchState.ts';
import type { Trials } from './trials.ts';
import { type CanvasSize, type Paint, type Plot, usePlotCanvas } from './usePlotCanvas.ts';

interface MapLook extends Choices {
  mode: MapMode;
  /** Trials to mark: the best one and the one on the sliders. */
  marks: { trial: number; isBest: boolean }[];
}

/**
 * Gain and loss have two colours; a figure that is never negative has one. Pale for ordinary values, but always visible on a white panel.
 */
function shade(value: number, { low, high }: Pick<TrialMap, 'low' | 'high'>, colours: Colours): string {
  const isSigned = low < 0;
  const span = isSigned ? Math.max(-low, high) : high - low;
  const share = span > 0 ? Math.min(1, Math.abs(isSigned ? value : value - low) / span) : 0;
  const colour = isSigned ? (value < 0 ? colours.down : colours.up) : colours.accent;
  return `color-mix(in srgb, ${colour} ${Math.round(30 + 70 * Math.sqrt(share))}%, ${colours.panel})`;
}

function* mapPicture(map: TrialMap, look: MapLook, size: CanvasSize): Steps<Paint> {
  const paintSets = yield* setsPicture(map, look.mode, size);
  return (plot) => drawMap(plot, map, look, paintSets);
}

function* setsPicture(map: TrialMap, mode: MapMode, size: CanvasSize): Steps<Paint> {
  if (mode !== 'points') {
    const cells = yield* heatSteps(map);
    return (plot) => drawCells(plot, { map, cells, statistic: mode });
  }
  if (map.values.length <= MANY) return (plot) => drawPoints(plot, map);
  const shades = yield* pointShades(map, size);
  return (plot) => drawShades(plot, map, shades);
}

function drawMap(plot: Plot, map: TrialMap, look: MapLook, paintSets: Paint): void {
  const { ctx } = plot;
  ctx.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  paintSets(plot);
  for (const { trial, isBest } of look.marks) drawMark(plot, map, trial, isBest);
  drawAxes(plot, map, look);
}

interface Cells {
  map: TrialMap;
  cells: readonly (HeatCell | undefined)[];
  statistic: CellStatistic;
}

function drawCells({ ctx, colours, ...frame }: Plot, { map, cells, statistic }: Cells): void {
  cells.forEach((cell, at) => {
    if (cell === undefined) return;
    const box = cellBox(at % map.axes.x.bins, Math.floor(at / map.axes.x.bins), map, frame);
    const value = valueOfCell(map, cell, statistic);
    ctx.fillStyle = shade(value, map, colours);
    ctx.fillRect(box.x + 0.5, box.y + 0.5, Math.max(1, box.width - 1), Math.max(1, box.height - 1));
    if (value >= 0) return;
    ctx.fillStyle = colours.panel;
    ctx.fillRect(box.x + 0.3 * box.width, box.y + 0.5 * box.height - 1, 0.4 * box.width, 2);
  });
}

const SHADES = 48;
/** Above this many points the picture is drawn by pixel. */
const MANY = 5000;
/** A loss is drawn as a dash, so that colour alone does not distinguish it from a gain. */
const heightOf = (value: number, width: number): number => (value < 0 ? Math.ceil(0.4 * width) : width);

function drawPoints({ ctx, colours, ...frame }: Plot, map: TrialMap): void {
  const size = 5;
  const span = map.high - map.low || 1;
  // Setting a colour costs more than drawing many points: each of a few dozen shades is set once. The highest come last, on top.
  const trialsOf = Array.from({ length: SHADES + 1 }, (): number[] => []);
  map.values.forEach((value, trial) => {
    if (Number.isFinite(value)) trialsOf[Math.round(((value - map.low) / span) * SHADES)]?.push(trial);
  });
  trialsOf.forEach((trials, step) => {
    ctx.fillStyle = shade(map.low + (step / SHADES) * span, map, colours);
    for (const trial of trials) {
      const { x, y } = pointOf(trial, map, frame);
      const height = heightOf(map.values[trial] ?? 0, size);
      ctx.fillRect(x - size / 2, y - height / 2, size, height);
    }
  });
}

/**
 * For each pixel of the canvas one more than the highest shade of its points, 0 without points: hundreds of thousands of points cost as
 * much as a picture of that size. Cached per map and size.
 */
function* pointShades(map: TrialMap, size: CanvasSize): Steps<Uint8Array> {
  const [width, height] = [Math.round(size.width * size.unit), Math.round(size.height * size.unit)];
  const cached = shadesByMap.get(map);
  if (cached?.width === width && cached.height === height) return cached.shades;
  const shades = new Uint8Array(width * height);
  for (let from = 0; from < map.values.length; from += STEP_POINTS) {
    shadePoints(shades, map, size, from);
    yield;
  }
  shadesByMap.set(map, { width, height, shades });
  return shades;
}

const STEP_POINTS = 10_000;
const shadesByMap = new WeakMap<TrialMap, { width: number; height: number; shades: Uint8Array }>();

function shadePoints(shades: Uint8Array, map: TrialMap, frame: CanvasSize, from: number): void {
  const { unit } = frame;
  const width = Math.round(frame.width * unit);
  const { x, y } = scaleOf(map, frame);
  const span = map.high - map.low || 1;
  const size = Math.max(1, Math.round(2 * unit));
  const end = Math.min(from + STEP_POINTS, map.values.length);
  for (let trial = from; trial < end; trial++) {
    const value = map.values[trial] ?? NaN;
    if (!Number.isFinite(value)) continue;
    const step = 1 + Math.round(((value - map.low) / span) * SHADES);
    const left = Math.round((x.start + x.step * (map.x[trial] ?? 0)) * unit - size / 2);
    const top = Math.round((y.start + y.step * (map.y[trial] ?? 0)) * unit - size / 2);
    const rows = heightOf(value, size);
    for (let row = top; row < top + rows; row++) {
      for (let at = row * width + left; at < row * width + left + size; at++)
        if ((shades[at] ?? 255) < step) shades[at] = step;
    }
  }
}

function drawShades({ ctx, colours }: Plot, map: TrialMap, shades: Uint8Array): void {
  const palette = shadesOf(map, colours);
  const picture = ctx.createImageData(ctx.canvas.width, ctx.canvas.height);
  const pixels = new Uint32Array(picture.data.buffer);
  for (let at = 0; at < shades.length; at++) {
    const shade = shades[at] ?? 0;
    if (shade > 0) pixels[at] = palette[shade - 1] ?? 0;
  }
  ctx.putImageData(picture, 0, 0);
}

/** The shades as pixels, lowest value first. */
function shadesOf(map: TrialMap, colours: Colours): Uint32Array {
  const strip = new OffscreenCanvas(SHADES + 1, 1).getContext('2d');
  if (strip === null) throw new Error('the browser gives no canvas');
  const span = map.high - map.low || 1;
  for (let step = 0; step <= SHADES; step++) {
    strip.fillStyle = shade(map.low + (step / SHADES) * span, map, colours);
    strip.fillRect(step, 0, 1, 1);
  }
  return new Uint32Array(strip.getImageData(0, 0, SHADES + 1, 1).data.buffer);
}

function drawMark({ ctx, colours, ...frame }: Plot, map: TrialMap, trial: number, isBest: boolean): void {
  const { x, y } = pointOf(trial, map, frame);
  ctx.strokeStyle = isBest ? colours.accent : colours.text;
  ctx.lineWidth = 2;
  ctx.beginPath();
  if (isBest) ctx.arc(x, y, 7, 0, 2 * Math.PI);
  else ctx.rect(x - 6, y - 6, 12, 12);
  ctx.stroke();
}

function drawAxes({ ctx, colours, width, height }: Plot, { axes }: TrialMap, { x, y }: MapLook): void {
  ctx.fillStyle = colours.muted;
  ctx.textBaseline = 'middle';
  const bottom = height - margin.bottom / 2;
  const across = width - margin.left - margin.right;
  for (const share of [0, 0.5, 1]) {
    ctx.textAlign = share === 0 ? 'left' : share === 1 ? 'right' : 'center';
    ctx.fillText(x.format(axes.x.min + share * (axes.x.max - axes.x.min)), margin.left + share * across, bottom);
    ctx.textAlign = 'right';
    const place = margin.top + (1 - share) * (height - margin.top - margin.bottom);
    const inside = Math.min(height - margin.bottom - 6, Math.max(margin.top + 6, place));
    ctx.fillText(y.format(axes.y.min + share * (axes.y.max - axes.y.min)), margin.left - 6, inside);
  }
  ctx.strokeStyle = colours.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(margin.left + 0.5, margin.top + 0.5, across, height - margin.top - margin.bottom);
}

const modes = ['cells', 'points'] as const;
const modeNames = { cells: 'Cells', points: 'Every set' };
const byId = <M extends Measure>(list: readonly M[], id: string): M => {
  const match = list.find((each) => each.id === id) ?? list[0];
  if (match === undefined) throw new Error('no figure to choose from');
  return match;
};

/** First axes; for own rules the first two parameters of the text. */
function startAxes({ input }: SearchRun): { x: string; y: string } {
  if (input.rules === undefined) return { x: 'stopLoss', y: 'takeProfit' };
  if (!isOwnRules(input.rules.strategy)) return { x: 'stop', y: 'target' };
  const [first, second = first] = parametersOf(input);
  return { x: first?.id ?? '', y: second?.id ?? '' };
}

/** The map of these choices, or the previous one while it is computed; null until a search has one. */
function useTrialMap(trials: Trials, choices: Choices): ShownMap | null {
  const [shown, setShown] = useState<ShownMap | null>(null);
  useEffect(
    () => startSlices(mapSteps(trials, choices), (map) => setShown({ trials, choices, map })),
    [trials, choices],
  );
  return shown?.trials === trials ? shown : null;
}

interface Props {
  run: SearchRun;
  best: number;
  selected: number | null;
  onSelect: (trial: number) => void;
}

/** Any two parameters against any figure: the median of each cell, where a plateau shows as an area, or single sets. */
export function TrialMapView({ run, best, selected, onSelect }: Props) {
  const { trials } = run;
  const [isOfCells, setOfCells] = useState(true);
  const [statistic, setStatistic] = useState<CellStatistic>('median');
  const mode = isOfCells ? statistic : 'points';
  const parameters = useMemo(() => parametersOf(run.input), [run]);
  const [ids, setIds] = useState({ ...startAxes(run), figure: 'netPnl' });
  const figures = useMemo(() => figuresOf(run), [run]);
  const x = byId(parameters, ids.x);
  const y = byId(parameters, ids.y);
  const figure = byId(figures, ids.figure);
  const choices = useMemo(() => ({ x, y, figure }), [x, y, figure]);
  const shown = useTrialMap(trials, choices);
  const [said, setSaid] = useState('');
  const picture = useCallback(
    (size: CanvasSize) => {
      if (shown === null) return () => undefined;
      const chosen = selected === null || selected === best ? [] : [{ trial: selected, isBest: false }];
      const marks = [{ trial: best, isBest: true }, ...chosen];
      return mapPicture(shown.map, { ...shown.choices, mode, marks }, size);
    },
    [shown, mode, best, selected],
  );
  const canvas = usePlotCanvas(picture);

  const placeOf = (event: PointerEvent) => ({ x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY });
  const frameOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight });
  const trialOf = (event: PointerEvent<HTMLCanvasElement>): number | null =>
    shown === null ? null : trialAt(shown.map, frameOf(event.currentTarget), placeOf(event), mode);
  const wordsAt = (event: PointerEvent<HTMLCanvasElement>): string => {
    const trial = trialOf(event);
    if (shown === null || trial === null) return '';
    const cell = mode === 'points' ? undefined : cellAt(shown.map, frameOf(event.currentTarget), placeOf(event));
    return wordsOf(shown, trial, mode === 'points' || cell === undefined ? undefined : { cell, statistic: mode });
  };
  const choose = (event: PointerEvent<HTMLCanvasElement>) => {
    const trial = trialOf(event);
    if (trial !== null) onSelect(trial);
  };
  return (
    <div className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-end gap-3">
        <Choice label="Across" list={parameters} value={x.id} onChange={(id) => setIds({ ...ids, x: id })} />
        <Choice label="Up" list={parameters} value={y.id} onChange={(id) => setIds({ ...ids, y: id })} />
        <Choice label="Colour" list={figures} value={figure.id} onChange={(id) => setIds({ ...ids, figure: id })} />
        <Segments
          label="Show"
          options={modes}
          value={isOfCells ? 'cells' : 'points'}
          nameOf={(each) => modeNames[each]}
          onSelect={(each) => setOfCells(each === 'cells')}
        />
        {isOfCells && (
          <Segments
            label="Cell shows"
            options={cellStatistics}
            value={statistic}
            nameOf={(each) => statisticNames[each]}
            onSelect={setStatistic}
          />
        )}
      </div>
      <div className="relative h-80">
        <canvas
          ref={canvas}
          role="img"
          aria-busy={shown === null}
          aria-label={`${formatCount(trials.count)} sets: ${x.name} across, ${y.name} up, ${figure.name} as colour. The table lists the same sets.`}
          className="absolute inset-0 size-full cursor-crosshair"
          onPointerMove={(event) => setSaid(wordsAt(event))}
          onPointerLeave={() => setSaid('')}
          onPointerUp={choose}
        />
      </div>
      <p className="min-h-4 text-label text-muted tabular-nums">
        {said === '' && shown !== null ? legendOf(shown, mode) : said}
      </p>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  list: readonly Measure[];
  value: string;
  onChange: (id: string) => void;
}

function Choice({ label, list, value, onChange }: ChoiceProps) {
  return (
    <label className="flex flex-col gap-1 text-label font-medium">
      {label}
      <select className="input w-40" value={value} onChange={(event) => onChange(event.target.value)}>
        {list.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
