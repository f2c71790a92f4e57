import { metricRegistry } from '@sextant/engine-as/abi/metrics.ts';

type Entry = (typeof metricRegistry)[number];

/** Every figure on screen by its id: name, meaning, formula, unit and what it needs, as the engine's registry has them. */
export const metricDefinitions = Object.fromEntries(metricRegistry.map((entry) => [entry.id, entry])) as {
  [Id in Entry['id']]: Extract<Entry, { id: Id }>;
};
