import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import './uplot.css';
import { useStore } from '../state/store.ts';
import { themeState } from '../state/theme.ts';
import { readColours } from './colours.ts';
import { AXIS_FONT } from './paneOptions.ts';

const dotClass = { accent: 'bg-accent', warn: 'bg-warn', up: 'bg-up', down: 'bg-down' } as const;

interface Series {
  name: string;
  values: readonly number[];
  colour: keyof typeof dotClass;
}

interface Props {
  /** Description for screen readers; the figures are in a table beside it. */
  label: string;
  /** One label per pair. */
  labels: readonly string[];
  left: Series;
  right: Series;
}

const HEIGHT_PX = 180;
/** Width of a bar: share of the room between two labels, and most px. */
const barSize: [number, number] = [0.32, 28];

/** Two bars for each label, side by side. */
export function BarPairs({ label, labels, left, right }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { theme, palette } = useStore(themeState);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const size = () => ({ width: element.clientWidth, height: HEIGHT_PX });
    const plot = new uPlot({ ...barOptions(labels, [left, right]), ...size() }, barData(left, right), element);
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [labels, left, right, theme, palette]);
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap gap-4 text-label text-muted">
        {[left, right].map(({ name, colour }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${dotClass[colour]}`} />
            {name}
          </span>
        ))}
      </figcaption>
      <div ref={host} role="img" aria-label={label} className="min-w-0 overflow-hidden" style={{ height: HEIGHT_PX }} />
    </figure>
  );
}

const barData = (left: Series, right: Series): uPlot.AlignedData => [
  left.values.map((_value, at) => at),
  [...left.values],
  [...right.values],
];

function barOptions(labels: readonly string[], series: readonly Series[]): Omit<uPlot.Options, 'width' | 'height'> {
  const colours = readColours();
  const { bars } = uPlot.paths;
  const axis = { stroke: colours.muted, font: AXIS_FONT, ticks: { show: false } };
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 20, 0, 0],
    scales: {
      x: { time: false, range: () => [-0.6, labels.length - 0.4] },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        splits: () => labels.map((_label, at) => at),
        // Every second label in a narrow plot.
        values: (plot) => labels.map((text, at) => (plot.width < 560 && at % 2 === 1 ? '' : text)),
      },
      { ...axis, grid: { stroke: colours.grid, width: 1 } },
    ],
    series: [
      {},
      ...series.map(({ name, colour }, at): uPlot.Series => {
        const side = at === 0 ? -1 : 1;
        const look = { label: name, fill: colours[colour], width: 0, points: { show: false } };
        return bars === undefined ? look : { ...look, paths: bars({ size: barSize, align: side }) };
      }),
    ],
  };
}
