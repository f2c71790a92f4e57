/** Anchors of each kind of drawing: points of time and price. Server and page share them. */
export const drawingAnchors = {
  horizontal: 1,
  trend: 2,
  ray: 2,
  rectangle: 2,
  fibonacci: 2,
  measure: 2,
  text: 1,
  /** Entry, target and stop. */
  long: 3,
  short: 3,
} as const;

export type DrawingKind = keyof typeof drawingAnchors;

export const drawingKinds = Object.keys(drawingAnchors) as [DrawingKind, ...DrawingKind[]];

/** Drawings on one symbol, and symbols of an account with drawings. */
export const DRAWINGS_MAX = 300;
export const DRAWN_SYMBOLS_MAX = 300;
/** Drawings of an account: about 3 MB with the longest texts. */
export const DRAWINGS_OF_ACCOUNT_MAX = 3000;
/** Drawings in one change, written or removed. */
export const DRAWINGS_IN_CHANGE_MAX = 100;
/** Characters of the text of a drawing. */
export const DRAWING_TEXT_MAX = 120;

/** Layouts of an account, and charts of one. */
export const LAYOUTS_MAX = 30;
export const LAYOUT_CHARTS_MAX = 4;
/** Indicators of one chart. */
export const CHART_INDICATORS_MAX = 12;

export const priceScales = ['linear', 'log', 'percent'] as const;
export type PriceScale = (typeof priceScales)[number];
