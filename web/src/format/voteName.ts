import { voteEntries } from '@sextant/engine-as/abi/indicators/votes.ts';

const titles: ReadonlyMap<string, string> = new Map([
  ...voteEntries.map(({ id, title }): [string, string] => [id, title]),
  // Weighed by the scanner but not computed by the engine.
  ['news', 'News'],
]);

/** The title of a vote in the engine's registry; an unknown id is shown unchanged. */
export const voteName = (id: string): string => titles.get(id) ?? id;
