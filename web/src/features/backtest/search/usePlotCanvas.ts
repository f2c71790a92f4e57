import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Colours, readColours } from '../../../charts/colours.ts';

export interface Plot {
  ctx: CanvasRenderingContext2D;
  colours: Colours;
  /** CSS pixels; the context is scaled already. */
  width: number;
  height: number;
}

/** A canvas that fills its parent, drawn again when the size, the theme or what is drawn changes. @param draw keep it stable */
export function usePlotCanvas(draw: (plot: Plot) => void): RefObject<HTMLCanvasElement | null> {
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
    if (!element || !ctx || size.width === 0) return;
    element.width = Math.round(size.width * devicePixelRatio);
    element.height = Math.round(size.height * devicePixelRatio);
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    ctx.clearRect(0, 0, size.width, size.height);
    draw({ ctx, colours: readColours(), ...size });
  }, [draw, size, theme]);
  return canvas;
}
