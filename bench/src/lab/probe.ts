/** Recordings of the probe in the page, in milliseconds of the page's clock. */
export interface Seen {
  /** Start of each frame. */
  frames: number[];
  /** Times at which the timer of PROBE_MS fired; a late tick means that the main thread was blocked. */
  ticks: number[];
  /** Tasks of 50 ms and more, as the browser reports them. */
  longTasks: { start: number; duration: number }[];
  /** When the browser got each click and key, by its own stamp. */
  clicks: number[];
  keys: number[];
  /** When each drawing of a chart pane was finished. */
  chartDraws: number[];
}

export const PROBE_MS = 5;

declare global {
  interface Window {
    sextantProbe: {
      seen: Seen;
      reset: () => void;
      /** Resolves with the time of the first frame that shows an element for the selector. */
      painted: (selector: string) => Promise<number>;
    };
  }
}

/**
 * Runs in the page before its scripts and records the times of frames, tasks, input and chart drawings. Playwright serialises the function,
 * so it uses nothing from outside.
 */
export function installProbe(probeMs: number): void {
  const empty = (): Seen => ({ frames: [], ticks: [], longTasks: [], clicks: [], keys: [], chartDraws: [] });
  const probe = {
    seen: empty(),
    reset: () => {
      probe.seen = empty();
    },
    painted: (selector: string) =>
      new Promise<number>((resolve) => {
        const check = (): void => {
          if (document.querySelector(selector) === null) return;
          observer.disconnect();
          // A message that is sent in the frame is taken once the frame has been made.
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => resolve(performance.now());
            channel.port2.postMessage(null);
          });
        };
        const observer = new MutationObserver(check);
        observer.observe(document, { subtree: true, childList: true, attributes: true });
        check();
      }),
  };
  window.sextantProbe = probe;
  const frame = (now: number): void => {
    probe.seen.frames.push(now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const tick = (): void => {
    probe.seen.ticks.push(performance.now());
    setTimeout(tick, probeMs);
  };
  setTimeout(tick, probeMs);
  new PerformanceObserver((list) => {
    for (const { startTime: start, duration } of list.getEntries()) probe.seen.longTasks.push({ start, duration });
  }).observe({ type: 'longtask' });
  addEventListener('click', ({ timeStamp }) => probe.seen.clicks.push(timeStamp), { capture: true });
  addEventListener('keydown', ({ timeStamp }) => probe.seen.keys.push(timeStamp), { capture: true });
  const context = CanvasRenderingContext2D.prototype;
  // Each drawing starts by clearing the canvas and runs synchronously, so the microtask runs after it.
  const clear = Reflect.get(context, 'clearRect');
  context.clearRect = function clearRect(this: CanvasRenderingContext2D, ...box) {
    if (this.canvas.closest('.chart-pane') !== null)
      queueMicrotask(() => probe.seen.chartDraws.push(performance.now()));
    clear.apply(this, box);
  };
}
