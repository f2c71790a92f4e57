import type uPlot from 'uplot';
import { formatMoment } from '../format/time.ts';
import type { PaneContext } from './paneOptions.ts';

/** Open time of a candle, also of the one that follows the last closed one. */
export function timeAt(time: ArrayLike<number>, index: number): number {
  const known = time[index];
  if (known !== undefined) return known;
  const last = time[time.length - 1] ?? NaN;
  return last + (last - (time[time.length - 2] ?? NaN)) * (index - time.length + 1);
}

function label(u: uPlot, className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = `chart-axis-label ${className}`;
  element.hidden = true;
  u.over.parentElement?.append(element);
  return element;
}

/** Where the crosshair meets the axes: the value under the pointer at the right of its pane, the time below the lowest pane. */
export function crosshairLabels({ format, time, zone, hasTimeLabels }: PaneContext): uPlot.Plugin {
  let value: HTMLElement | undefined;
  let moment: HTMLElement | undefined;
  const move = (u: uPlot): void => {
    const { left = -1, top = -1, idx } = u.cursor;
    const isOn = left >= 0 && idx != null;
    const plotLeft = u.bbox.left / devicePixelRatio;
    const plotTop = u.bbox.top / devicePixelRatio;
    if (value !== undefined) {
      // The panes share the time under the pointer, not the height.
      const isHere = isOn && top >= 0 && u.over.matches(':hover');
      value.hidden = !isHere;
      if (isHere) {
        value.textContent = format(u.posToVal(top, 'y'));
        value.style.transform = `translate(${plotLeft + u.over.clientWidth + 1}px, ${plotTop + top}px) translateY(-50%)`;
      }
    }
    if (moment === undefined) return;
    moment.hidden = !isOn;
    if (!isOn) return;
    moment.textContent = formatMoment(timeAt(time, idx), zone)[0];
    const half = moment.offsetWidth / 2;
    const centre = Math.min(Math.max(plotLeft + left, half), Math.max(half, u.width - half));
    moment.style.transform = `translate(${centre}px, ${plotTop + u.over.clientHeight + 2}px) translateX(-50%)`;
  };
  return {
    hooks: {
      init: (u) => {
        value = label(u, 'is-value');
        if (hasTimeLabels) moment = label(u, 'is-time');
      },
      setCursor: move,
    },
  };
}
