import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Colours, readColours } from '../../../charts/colours.ts';
import { startSlices, type Steps } from '../../../state/slices.ts';

export interface Plot {
  ctx: CanvasRenderingContext2D;
  colours: Colours;
  /** CSS pixels; the context is scaled already. */
  width: number;
  height: number;
}

export type Paint = (plot: Plot) => void;

/** Canvas size needed before painting. */
export interface CanvasSize {
  /** CSS pixels */
  width: number;
  height: number;
  /** Canvas pixels per CSS pixel. */
  unit: number;
}

/**
 * A canvas that fills its parent, repainted when the size, the theme or the picture changes. A slow picture is prepared in slices, and the
 * previous one stays until then. @param picture keep it stable
 */
export function usePlotCanvas(
  picture: (size: CanvasSize) => Paint | Steps<Paint>,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const host = canvas.current?.parentElement;
    if (!host) return;
    const sizes = new ResizeObserver(() => setSize({ width: host.clientWidth, height: host.clientHeight }));
    sizes.observe(host);
    const themes = new MutationObserver(() => setTheme((count) => count + 1));
    themes.observe(document.documentElement, { attributes: true });
    return () => {
      sizes.disconnect();
      themes.disconnect();
    };
  }, []);
  useEffect(() => {
    const element = canvas.current;
    const ctx = element?.getContext('2d');
    if (!element || !ctx || size.width === 0) return undefined;
    const unit = devicePixelRatio;
    const show = (paint: Paint): void => {
      element.width = Math.round(size.width * unit);
      element.height = Math.round(size.height * unit);
      ctx.setTransform(unit, 0, 0, unit, 0, 0);
      ctx.clearRect(0, 0, size.width, size.height);
      paint({ ctx, colours: readColours(), ...size });
    };
    const made = picture({ ...size, unit });
    if (typeof made !== 'function') return startSlices(made, show);
    show(made);
    return undefined;
  }, [picture, size, theme]);
  return canvas;
}
