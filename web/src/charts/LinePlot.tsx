import { useEffect, useRef, useState } from 'react';
import { formatMoment } from '../format/time.ts';
import { useStore } from '../state/store.ts';
import { themeState } from '../state/theme.ts';
import { timeZoneState } from '../state/timeZone.ts';
import type { LinePane } from './chartModel.ts';
import { readColours } from './colours.ts';
import { linePane } from './linePane.ts';
import { lineAxisWidth } from './paneOptions.ts';

interface Props {
  /** Name of the line for screen readers. */
  label: string;
  /** Epoch ms of each value, rising. */
  time: Float64Array;
  line: Omit<LinePane, 'id' | 'weight'>;
  heightPx: number;
}

const LABEL_SPACE_PX = 24;
let count = 0;

/** One line over time without candles; above it the value under the pointer, or the last one. */
export function LinePlot({ label, time, line, heightPx }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const { theme, palette } = useStore(themeState);
  const { zone } = useStore(timeZoneState);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const pane = { ...line, id: 'line', weight: 1 };
    const axisPx = lineAxisWidth(line);
    const context = {
      colours: readColours(),
      time,
      zone,
      syncKey: `line-${++count}`,
      hasTimeLabels: true,
      labelSpacePx: LABEL_SPACE_PX,
      format: line.format,
      valueAxisPx: () => axisPx,
    };
    const size = () => ({ width: Math.max(50, element.clientWidth), height: heightPx });
    const plot = linePane(element, context, size(), () => pane, setPointed);
    plot.setScale('x', { min: -0.5, max: time.length - 0.5 });
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [line, time, heightPx, theme, palette, zone]);
  const at = pointed ?? line.values.findLastIndex((value) => value !== null);
  return (
    <figure className="relative">
      <figcaption className="chart-readout">
        {formatMoment(time[at] ?? null, zone)[0]} <b>{line.format(line.values[at])}</b>
      </figcaption>
      <div
        ref={host}
        role="img"
        aria-label={label}
        className="chart min-w-0 overflow-hidden border border-line bg-panel"
        style={{ height: heightPx }}
      />
    </figure>
  );
}
