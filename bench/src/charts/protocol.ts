/** The page and its suite, which are checked apart: the page knows the styles and the types of the web. */
export const chartMakers = ['sextant', 'lightweight-charts', 'klinecharts'] as const;
export type ChartMaker = (typeof chartMakers)[number];

export interface MeasuredChart {
  firstMs: number;
  /** Time of each frame, milliseconds. */
  times: number[];
}

declare global {
  interface Window {
    /** First draw of a chart from columns, and frame times while the view moves back and forth. */
    measureChart: (maker: ChartMaker, candles: number, frames: number) => Promise<MeasuredChart>;
    /** Draws a chart with many drawings over all candles. */
    openDrawings: (candles: number, drawings: number) => Promise<void>;
    /** Frame times, milliseconds, while one of the drawings is dragged. */
    dragFrames: (frames: number) => Promise<number[]>;
    /** The same while the view moves. */
    panFrames: (frames: number) => Promise<number[]>;
    /** @returns whether a drawing followed the pointer */
    closeDrawings: () => boolean;
  }
}
