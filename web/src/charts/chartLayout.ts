import { proxy, subscribe } from 'valtio';
import { readSaved, save } from '../state/storage.ts';
import { onUserReset } from '../state/userReset.ts';

/** Charts with a separate layout: the lab needs other lines than the small chart of a position. */
const chartPlaces = ['lab', 'market', 'position', 'signal', 'vision'] as const;
export type ChartPlace = (typeof chartPlaces)[number];

export interface ChartLayout {
  /** A logarithmic scale of prices. */
  isLog: boolean;
  /** Ids of the engine's registry, in the order in which they were chosen. */
  indicators: string[];
}

const INDICATORS_MAX = 12;
const startLayout = (): ChartLayout => ({ isLog: false, indicators: [] });
const keyOf = (place: ChartPlace): string => `chart.${place}`;

/** Parses a stored layout; the default when there is none or another version of this page wrote it. */
export function readLayout(text: string | null): ChartLayout {
  try {
    const { isLog, indicators } = JSON.parse(text ?? 'null') as Partial<ChartLayout>;
    const isList = Array.isArray(indicators) && indicators.every((id) => typeof id === 'string');
    return {
      isLog: isLog === true,
      indicators: isList ? [...new Set(indicators)].slice(0, INDICATORS_MAX) : [],
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

/** Switches between the linear and the logarithmic price scale. */
export function toggleLog(layout: ChartLayout): void {
  layout.isLog = !layout.isLog;
}

/** Shows an indicator, or hides it. */
export function toggleIndicator(layout: ChartLayout, id: string): void {
  layout.indicators = layout.indicators.includes(id)
    ? layout.indicators.filter((each) => each !== id)
    : [...layout.indicators, id].slice(-INDICATORS_MAX);
}

onUserReset(() => {
  for (const place of chartPlaces) {
    save(keyOf(place), null);
    const layout = layouts.get(place);
    if (layout !== undefined) Object.assign(layout, startLayout());
  }
});
