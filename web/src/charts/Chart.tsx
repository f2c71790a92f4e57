import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { useSnapshot } from 'valtio';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { themeState } from '../state/theme.ts';
import { timeZoneState } from '../state/timeZone.ts';
import type { ChartModel } from './chartModel.ts';
import { ChartStack } from './chartStack.ts';

export interface ChartHandle {
  picture: () => Promise<Blob | null>;
}

interface Props {
  model: ChartModel;
  /** Index into model.trades of the trade to mark and bring into view. */
  selectedTrade?: number | null;
  /** Candle under a hovered table row: the crosshair follows it. */
  pointedIndex?: number | null;
  /** In a page that scrolls: the wheel stays with the page, only the keyboard moves the view. */
  isEmbedded?: boolean;
  className?: string;
  ref?: Ref<ChartHandle>;
}

/** Candles and the lines below them. A chart that cannot be drawn says so in its own place. */
export function Chart(props: Props) {
  return (
    <ErrorBoundary place="panel">
      <Stack {...props} />
    </ErrorBoundary>
  );
}

/** The React side of a chart stack: builds it once, then tells it what changed. */
function Stack(props: Props) {
  const { model, selectedTrade = null, pointedIndex = null, isEmbedded = false, className = '', ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const stack = useRef<ChartStack | null>(null);
  const { theme, palette } = useSnapshot(themeState);
  const { zone } = useSnapshot(timeZoneState);
  useImperativeHandle(ref, () => ({ picture: async () => (await stack.current?.picture()) ?? null }), []);

  useEffect(() => {
    if (host.current === null) return;
    stack.current ??= new ChartStack(host.current, model, !isEmbedded);
    stack.current.show(model);
  }, [model, isEmbedded]);
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
  }, []);
  useEffect(() => stack.current?.select(selectedTrade), [selectedTrade, model]);
  useEffect(() => stack.current?.point(pointedIndex), [pointedIndex]);
  useEffect(() => stack.current?.restyle(), [theme, palette, zone]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey && stack.current?.key(event.key) === true) event.preventDefault();
  };
  return (
    <div
      ref={host}
      role="group"
      tabIndex={0}
      aria-label="Price chart. Plus and minus zoom, arrow keys move, Home resets."
      className={`chart min-h-0 min-w-0 overflow-hidden ${className}`}
      onKeyDown={onKeyDown}
    />
  );
}
