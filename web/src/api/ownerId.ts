/** Owner of the records that are read and written (localDatabase.ts); empty for a visitor. */
export const localOwner = { id: '' };
const listeners = new Set<() => void>();

/** Calls `changed` when the records become another user's. */
export function onLocalOwner(changed: () => void): () => void {
  listeners.add(changed);
  return () => void listeners.delete(changed);
}

export function setOwner(userId: string): void {
  if (localOwner.id === userId) return;
  localOwner.id = userId;
  for (const changed of listeners) changed();
}
