import { DRAWINGS_IN_CHANGE_MAX } from '@sextant/workers/src/core/chartDrawings.ts';
import { api, dataOf } from '../../api/client.ts';
import { ApiFailure, isUnreachable } from '../../api/failure.ts';
import { localOwner } from '../../api/ownerId.ts';
import { onDrawingsChanged } from '../../data/chartEvents.ts';
import { readSaved, save } from '../../state/storage.ts';
import { createStore, type Store } from '../../state/store.ts';
import { toast, toastFailure } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import type { Drawing } from './drawing.ts';

/** Drags end in one change; a burst of others is sent together. */
const SEND_AFTER_MS = 500;
const RETRY_MS = 15_000;
const UNDO_MAX = 100;

interface SetState {
  /** In the order of drawing: later ones lie on top. */
  list: readonly Drawing[];
  canUndo: boolean;
  canRedo: boolean;
  /** Changes that the server does not have yet; `isOffline` after a failed attempt. */
  waitingCount: number;
  isOffline: boolean;
}

/** Values of drawings by id before and after a step; null: not there. */
interface Step {
  before: Map<string, Drawing | null>;
  after: Map<string, Drawing | null>;
}

interface Stored {
  version: number;
  list: Drawing[];
  /** Ids of changes that were not sent. */
  pending: string[];
}

export interface DrawingsBackend {
  read: (symbol: string) => Promise<{ version: number; drawings: readonly Drawing[] }>;
  change: (
    symbol: string,
    body: { version: number; put: Drawing[]; remove: string[] },
  ) => Promise<{ version: number; drawings: readonly Drawing[] | null; overwritten: readonly string[] }>;
}

const server: DrawingsBackend = {
  read: (symbol) => dataOf(api.GET('/api/charts/drawings/{symbol}', { params: { path: { symbol } } })),
  change: (symbol, body) => dataOf(api.PATCH('/api/charts/drawings/{symbol}', { params: { path: { symbol } }, body })),
};

const keyOf = (symbol: string): string => `drawings.${symbol}`;

/** Parses what this browser stored; nothing when another version of this page wrote it. */
export function parseStored(text: string | null): Stored {
  const none: Stored = { version: 0, list: [], pending: [] };
  try {
    const { version, list, pending } = JSON.parse(text ?? 'null') as Partial<Stored>;
    const isWhole = Number.isInteger(version) && Array.isArray(list) && Array.isArray(pending);
    return isWhole && list.every(isDrawing) ? { version: version ?? 0, list, pending: pending.filter(isText) } : none;
  } catch {
    return none;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isDrawing = (value: unknown): value is Drawing => {
  const { id, kind, anchors } = (value ?? {}) as Partial<Drawing>;
  return isText(id) && isText(kind) && Array.isArray(anchors);
};

/**
 * The drawings on one symbol: changed here at once, stored in this browser, and sent to the server. Offline they wait; what another page
 * changed meanwhile is merged per drawing, and the last write wins.
 */
export class DrawingSet {
  readonly store: Store<SetState>;
  readonly #symbol: string;
  readonly #backend: DrawingsBackend;
  #version: number;
  #pending: Set<string>;
  #undo: Step[] = [];
  #redo: Step[] = [];
  #isSending = false;
  #isLoaded = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(symbol: string, backend: DrawingsBackend = server) {
    this.#symbol = symbol;
    this.#backend = backend;
    const stored = parseStored(readSaved(keyOf(symbol)));
    this.#version = stored.version;
    this.#pending = new Set(stored.pending);
    const waitingCount = stored.pending.length;
    this.store = createStore<SetState>({
      list: stored.list,
      canUndo: false,
      canRedo: false,
      waitingCount,
      isOffline: false,
    });
  }

  get version(): number {
    return this.#version;
  }

  find(id: string | null): Drawing | undefined {
    return this.store.current.list.find((drawing) => drawing.id === id);
  }

  /** Adds or replaces drawings, as one step of undo. */
  put(...drawings: Drawing[]): void {
    this.#step(new Map(drawings.map((drawing) => [drawing.id, drawing])));
  }

  /** Removes drawings, as one step of undo. */
  remove(...ids: string[]): void {
    this.#step(new Map(ids.map((id) => [id, null])));
  }

  undo(): void {
    const step = this.#undo.pop();
    if (step === undefined) return;
    this.#redo.push(step);
    this.#apply(step.before);
  }

  redo(): void {
    const step = this.#redo.pop();
    if (step === undefined) return;
    this.#undo.push(step);
    this.#apply(step.after);
  }

  /** Reads what the server has and merges it with the changes that wait here. Rejects when it cannot be read. */
  async load(): Promise<void> {
    const { version, drawings } = await this.#backend.read(this.#symbol);
    if (this.#hasStopped()) return;
    // A response that is older than the last change would undo it here. The first one counts, whatever this browser stored.
    if (this.#isLoaded && version < this.#version) return;
    this.#isLoaded = true;
    this.#merge(version, drawings);
    if (this.#pending.size > 0) this.#sendLater(0);
  }

  /** Sends what waits, now. */
  async send(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#hasStopped() || this.#isSending || this.#pending.size === 0 || localOwner.id === '') return;
    this.#isSending = true;
    const ids = [...this.#pending].slice(0, DRAWINGS_IN_CHANGE_MAX);
    const sent = new Map(ids.map((id) => [id, this.find(id)]));
    const put = [...sent.values()].filter((drawing) => drawing !== undefined);
    const remove = ids.filter((id) => sent.get(id) === undefined);
    try {
      const result = await this.#backend.change(this.#symbol, { version: this.#version, put, remove });
      if (this.#hasStopped()) return;
      // What changed again while it was sent waits for the next change.
      for (const [id, drawing] of sent) if (this.find(id) === drawing) this.#pending.delete(id);
      this.#merge(result.version, result.drawings ?? this.store.current.list);
      if (result.overwritten.length > 0) toast('These drawings were changed on another page too. Yours were stored.');
      this.#isSending = false;
      if (this.#pending.size > 0) this.#sendLater(0);
    } catch (failure) {
      this.#isSending = false;
      if (!this.#hasStopped()) await this.#onFailure(failure, ids);
    }
  }

  /** For a change of user: what is still on its way is neither stored nor repeated. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #hasStopped(): boolean {
    return this.#isStopped;
  }

  /** Offline and overloaded: retries later. A rejected change is given up: the drawings of the server replace it. */
  async #onFailure(failure: unknown, ids: readonly string[]): Promise<void> {
    const status = failure instanceof ApiFailure ? failure.status : 0;
    if (isUnreachable(failure) || status >= 500 || status === 429 || status === 401) {
      this.store.set({ isOffline: true });
      this.#sendLater(RETRY_MS);
      return;
    }
    for (const id of ids) this.#pending.delete(id);
    toastFailure('Could not store the drawings', failure);
    await this.load().catch(() => this.store.set({ isOffline: true }));
  }

  #step(after: Map<string, Drawing | null>): void {
    const before = new Map([...after.keys()].map((id) => [id, this.find(id) ?? null]));
    this.#undo = [...this.#undo, { before, after }].slice(-UNDO_MAX);
    this.#redo = [];
    this.#apply(after);
  }

  #apply(values: Map<string, Drawing | null>): void {
    const { list } = this.store.current;
    const known = new Set(list.map(({ id }) => id));
    const changed = list.flatMap((drawing) => {
      const value = values.get(drawing.id);
      return value === undefined ? [drawing] : value === null ? [] : [value];
    });
    const added = [...values].flatMap(([id, value]) => (value === null || known.has(id) ? [] : [value]));
    for (const id of values.keys()) this.#pending.add(id);
    this.#show([...changed, ...added]);
    this.#sendLater(SEND_AFTER_MS);
  }

  /** The drawings of the server, with those that wait here in their place. */
  #merge(version: number, drawings: readonly Drawing[]): void {
    this.#version = version;
    const own = this.store.current.list.filter(({ id }) => this.#pending.has(id));
    const ownById = new Map(own.map((drawing) => [drawing.id, drawing]));
    const theirs = new Set(drawings.map(({ id }) => id));
    const merged = drawings.flatMap((drawing) =>
      this.#pending.has(drawing.id) ? (ownById.get(drawing.id) ?? []) : drawing,
    );
    this.store.set({ isOffline: false });
    this.#show([...merged, ...own.filter(({ id }) => !theirs.has(id))]);
  }

  #show(list: readonly Drawing[]): void {
    if (this.#hasStopped()) return;
    const waitingCount = this.#pending.size;
    this.store.set({ list, waitingCount, canUndo: this.#undo.length > 0, canRedo: this.#redo.length > 0 });
    const stored = { version: this.#version, list, pending: [...this.#pending] };
    save(keyOf(this.#symbol), list.length === 0 && waitingCount === 0 ? null : JSON.stringify(stored));
  }

  #sendLater(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#hasStopped()) return;
    this.#timer = setTimeout(() => void this.send(), ms);
  }
}

const sets = new Map<string, DrawingSet>();

/** The drawings on a symbol, shared by its charts. Reads them from the server with the first chart. */
export function drawingsOf(symbol: string): DrawingSet {
  const known = sets.get(symbol);
  if (known !== undefined) return known;
  const made = new DrawingSet(symbol);
  sets.set(symbol, made);
  // Offline the drawings of this browser are shown; the event stream reports when the server is back.
  made.load().catch(() => made.store.set({ isOffline: true }));
  return made;
}

onDrawingsChanged((symbol, version) => {
  for (const [own, set] of sets) {
    if (symbol !== undefined && (own !== symbol || version === set.version)) continue;
    set.load().catch(() => set.store.set({ isOffline: true }));
  }
});

if (typeof window !== 'undefined')
  window.addEventListener('online', () => {
    for (const set of sets.values()) void set.send();
  });

onUserReset(() => {
  for (const set of sets.values()) set.stop();
  sets.clear();
});
