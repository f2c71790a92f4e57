/** The page and its suite, which are checked apart: the page knows the styles and the types of the web. */
export const chartMakers = ['sextant', 'lightweight-charts', 'klinecharts'] as const;
export type ChartMaker = (typeof chartMakers)[number];

export interface MeasuredChart {
  firstMs: number;
  /** Of each frame, milliseconds. */
  times: number[];
}

export interface MeasuredDrag {
  times: number[];
  /** Whether a drawing followed the pointer. */
  moved: boolean;
}

declare global {
  interface Window {
    /** First draw of a chart from columns, and frame times while the view moves back and forth. */
    measureChart: (maker: ChartMaker, candles: number, frames: number) => Promise<MeasuredChart>;
    /** Frame times while one of many drawings over all candles is dragged. */
    measureDrag: (candles: number, drawings: number, frames: number) => Promise<MeasuredDrag>;
  }
}
