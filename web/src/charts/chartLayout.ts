import { CHART_INDICATORS_MAX, type PriceScale, priceScales } from '@sextant/workers/src/core/chartDrawings.ts';
import { proxy, subscribe } from 'valtio';
import { readSaved, save } from '../state/storage.ts';
import { onUserReset } from '../state/userReset.ts';

/** Charts with a separate layout: the lab needs other lines than the small chart of a position. */
const chartPlaces = [
  'lab',
  'market',
  'market2',
  'market3',
  'market4',
  'position',
  'replay',
  'signal',
  'vision',
] as const;
export type ChartPlace = (typeof chartPlaces)[number];

export const paneSizes = ['small', 'medium', 'large'] as const;
export type PaneSize = (typeof paneSizes)[number];

export interface ChartLayout {
  /** Scale of prices. */
  scale: PriceScale;
  /** Ids of the engine's registry, in the order in which they were chosen. */
  indicators: string[];
  /** Height of the panes below the candles. */
  paneSize: PaneSize;
}

const startLayout = (): ChartLayout => ({ scale: 'linear', indicators: [], paneSize: 'medium' });
const keyOf = (place: ChartPlace): string => `chart.${place}`;

/** As earlier versions of this page stored it. */
interface Stored extends Partial<ChartLayout> {
  isLog?: boolean;
}

/** Parses a stored layout; the default when there is none or another version of this page wrote it. */
export function readLayout(text: string | null): ChartLayout {
  try {
    const { scale, isLog, indicators, paneSize } = JSON.parse(text ?? 'null') as Stored;
    const isList = Array.isArray(indicators) && indicators.every((id) => typeof id === 'string');
    return {
      scale: priceScales.find((each) => each === scale) ?? (isLog === true ? 'log' : 'linear'),
      indicators: isList ? [...new Set(indicators)].slice(0, CHART_INDICATORS_MAX) : [],
      paneSize: paneSizes.find((each) => each === paneSize) ?? 'medium',
    };
  } catch {
    return startLayout();
  }
}

const layouts = new Map<ChartPlace, ChartLayout>();

/** The stored layout of a place. Changes to it are saved. */
export function layoutOf(place: ChartPlace): ChartLayout {
  const known = layouts.get(place);
  if (known !== undefined) return known;
  const layout = proxy(readLayout(readSaved(keyOf(place))));
  layouts.set(place, layout);
  subscribe(layout, () => save(keyOf(place), JSON.stringify(layout)));
  return layout;
}

/** Switches to a scale of prices, and back to the linear one. */
export function toggleScale(layout: ChartLayout, scale: PriceScale): void {
  layout.scale = layout.scale === scale ? 'linear' : scale;
}

export function setPaneSize(layout: ChartLayout, size: PaneSize): void {
  layout.paneSize = size;
}

/** Shows an indicator, or hides it. */
export function toggleIndicator(layout: ChartLayout, id: string): void {
  layout.indicators = layout.indicators.includes(id)
    ? layout.indicators.filter((each) => each !== id)
    : [...layout.indicators, id].slice(-CHART_INDICATORS_MAX);
}

onUserReset(() => {
  for (const place of chartPlaces) {
    save(keyOf(place), null);
    const layout = layouts.get(place);
    if (layout !== undefined) Object.assign(layout, startLayout());
  }
});
