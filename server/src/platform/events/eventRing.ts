import type { EventNotice } from './topics.ts';

export interface StoredEvent extends EventNotice {
  /** `node-sequence`: only the node that issued it can resume from it. */
  id: string;
}

export interface EventRing {
  add: (notice: EventNotice) => StoredEvent;
  /** Events a user missed since `id`, oldest first; undefined when the ring no longer holds them. */
  since: (id: string, userId: string) => StoredEvent[] | undefined;
  /** Id to resume from when nothing was missed so far. */
  lastId: () => string;
}

export const isFor = (notice: EventNotice, userId: string): boolean =>
  notice.userId === null || notice.userId === userId;

/**
 * The last events of this node, from which a page replays what it missed during a short disconnect.
 * @param node     unique per process: another process's sequence is meaningless here
 * @param capacity number of stored events of all users together
 */
export function createEventRing({ node, capacity }: { node: string; capacity: number }): EventRing {
  const retained: StoredEvent[] = [];
  let lastSequence = 0;
  const idOf = (sequence: number): string => `${node}-${sequence}`;
  return {
    add: (notice) => {
      lastSequence += 1;
      const stored = { ...notice, id: idOf(lastSequence) };
      // Overwrites the oldest event: shifting would copy the whole ring at each event.
      retained[lastSequence % capacity] = stored;
      return stored;
    },
    since: (id, userId) => {
      const [, ofNode, digits] = /^([0-9a-z]+)-(\d{1,15})$/.exec(id) ?? [];
      const sequence = Number(digits);
      const oldest = Math.max(1, lastSequence - capacity + 1);
      if (ofNode !== node || sequence > lastSequence || sequence < oldest - 1) return undefined;
      const missed: StoredEvent[] = [];
      for (let each = sequence + 1; each <= lastSequence; each++) {
        const stored = retained[each % capacity];
        if (stored !== undefined && isFor(stored, userId)) missed.push(stored);
      }
      return missed;
    },
    lastId: () => idOf(lastSequence),
  };
}
