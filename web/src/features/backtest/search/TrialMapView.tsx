import { type PointerEvent, useCallback, useMemo, useState } from 'react';
import { formatCount } from '../../../format/number.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { drawMap } from './drawMap.ts';
import { cellAt, mapOf, trialAt } from './mapModel.ts';
import { figuresOf, type Measure, parameters } from './searchDefinitions.ts';
import type { SearchRun } from './searchState.ts';
import { trialName } from './TrialTable.tsx';
import { type Plot, usePlotCanvas } from './usePlotCanvas.ts';

const modes = ['points', 'medians'] as const;
const modeNames = { points: 'Every set', medians: 'Median of cells' };
const byId = <M extends Measure>(list: readonly M[], id: string): M => {
  const found = list.find((each) => each.id === id) ?? list[0];
  if (found === undefined) throw new Error('there is nothing to choose from');
  return found;
};

interface Props {
  run: SearchRun;
  best: number;
  selected: number | null;
  onSelect: (trial: number) => void;
}

/** Any two parameters against any figure: single sets, or the median of each cell, where a plateau shows as an area. */
export function TrialMapView({ run, best, selected, onSelect }: Props) {
  const { trials } = run;
  const [mode, setMode] = useState<(typeof modes)[number]>('points');
  const [ids, setIds] = useState({ x: 'stopLoss', y: 'takeProfit', figure: 'netPnl' });
  const figures = useMemo(() => figuresOf(trials), [trials]);
  const x = byId(parameters, ids.x);
  const y = byId(parameters, ids.y);
  const figure = byId(figures, ids.figure);
  const map = useMemo(() => mapOf(trials, x, y, figure), [trials, x, y, figure]);
  const [said, setSaid] = useState('');
  const draw = useCallback(
    (plot: Plot) => {
      const chosen = selected === null || selected === best ? [] : [{ trial: selected, isBest: false }];
      drawMap(plot, map, { mode, figure, x, y, marks: [{ trial: best, isBest: true }, ...chosen] });
    },
    [map, mode, figure, x, y, best, selected],
  );
  const canvas = usePlotCanvas(draw);

  const placeOf = (event: PointerEvent) => ({ x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY });
  const frameOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight });
  const wordsAt = (event: PointerEvent<HTMLCanvasElement>): string => {
    const frame = frameOf(event.currentTarget);
    const trial = trialAt(map, frame, placeOf(event), mode);
    if (trial === null) return '';
    const where = `${x.name} ${x.format(map.x[trial] ?? 0)}, ${y.name} ${y.format(map.y[trial] ?? 0)}`;
    const cell = mode === 'medians' ? cellAt(map, frame, placeOf(event)) : undefined;
    return cell === undefined
      ? `${trialName(trials, trial)}: ${figure.name} ${figure.format(map.values[trial] ?? 0)}, ${where}`
      : `Median ${figure.format(cell.median)} of ${formatCount(cell.count)} sets, best at ${where}`;
  };
  const choose = (event: PointerEvent<HTMLCanvasElement>) => {
    const trial = trialAt(map, frameOf(event.currentTarget), placeOf(event), mode);
    if (trial !== null) onSelect(trial);
  };
  return (
    <div className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-end gap-3">
        <Choice label="Across" list={parameters} value={x.id} onChange={(id) => setIds({ ...ids, x: id })} />
        <Choice label="Up" list={parameters} value={y.id} onChange={(id) => setIds({ ...ids, y: id })} />
        <Choice label="Colour" list={figures} value={figure.id} onChange={(id) => setIds({ ...ids, figure: id })} />
        <Segments label="Show" options={modes} value={mode} nameOf={(each) => modeNames[each]} onSelect={setMode} />
      </div>
      <div className="relative h-80">
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${formatCount(trials.count)} sets: ${x.name} across, ${y.name} up, ${figure.name} as colour. The table lists the same sets.`}
          className="absolute inset-0 size-full cursor-crosshair"
          onPointerMove={(event) => setSaid(wordsAt(event))}
          onPointerLeave={() => setSaid('')}
          onPointerUp={choose}
        />
      </div>
      <p className="min-h-4 text-label text-muted tabular-nums">
        {said === ''
          ? `Colours from ${figure.format(map.low)} to ${figure.format(map.high)}${map.low < 0 ? '; dash: below 0' : ''}; ring: best set; square: the set on the sliders. Click a set to open it.`
          : said}
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
