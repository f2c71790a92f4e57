import type { TabId } from '../api/types.ts';

const built = new Set<TabId>();

/** The shell says once which tabs it has, so that a feature can lead to another one only when it is there. */
export function registerTabs(ids: readonly TabId[]): void {
  for (const id of ids) built.add(id);
}

export const isTabBuilt = (id: TabId): boolean => built.has(id);
