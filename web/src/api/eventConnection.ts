import { retryDelayMs } from './retry.ts';

/** The part of EventSource that is used; a test brings its own. */
interface EventSourceLike {
  addEventListener: (name: string, listener: (event: MessageEvent<string>) => void) => void;
  close: () => void;
}

export type EventData = Record<string, unknown>;

interface EventConnectionOptions {
  openSource: (path: string) => EventSourceLike;
  /** Id to resume after at the first connection; empty when the page has asked nothing yet that events would renew. */
  startId?: string;
  /** Every event by its name, `ready` and `resync` too. */
  names: readonly string[];
  onEvent: (name: string, data: EventData) => void;
  /** Whether events arrive at the moment. */
  onLive: (isLive: boolean) => void;
}

interface EventConnection {
  /** Connects, or connects anew when the symbols are others than before: what was missed between is sent again. */
  open: (symbols: readonly string[]) => void;
  /** Leaves until the next `open`, which resumes where this stopped. */
  close: () => void;
}

/** Later tries stay as far apart as the last delay of the retry helper. */
const LAST_RETRY = 5;

/**
 * One stream of events that comes back by itself. EventSource would retry too, but not after a refusal, not with a growing
 * delay, and not at another address.
 */
export function createEventConnection({
  openSource,
  startId = '',
  names,
  onEvent,
  onLive,
}: EventConnectionOptions): EventConnection {
  let source: EventSourceLike | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = startId;
  let failureCount = 0;
  let wanted = '';

  function connect(): void {
    const query = new URLSearchParams();
    if (wanted !== '') query.set('symbols', wanted);
    if (lastId !== '') query.set('last_event_id', lastId);
    const opened = openSource(`/api/events?${query.toString()}`);
    source = opened;
    for (const name of names) {
      opened.addEventListener(name, (event) => {
        // What an abandoned connection still had under way was taken up by its successor.
        if (source !== opened) return;
        if (event.lastEventId !== '') lastId = event.lastEventId;
        failureCount = 0;
        onLive(true);
        onEvent(name, JSON.parse(event.data) as EventData);
      });
    }
    opened.addEventListener('error', () => {
      if (source !== opened) return;
      leave();
      timer = setTimeout(connect, retryDelayMs(Math.min(failureCount, LAST_RETRY)));
      failureCount += 1;
    });
  }

  function leave(): void {
    clearTimeout(timer);
    timer = undefined;
    source?.close();
    source = undefined;
    onLive(false);
  }

  return {
    open: (symbols) => {
      const next = [...new Set(symbols)].sort().join(',');
      const isSame = next === wanted && (source !== undefined || timer !== undefined);
      wanted = next;
      if (isSame) return;
      leave();
      connect();
    },
    close: leave,
  };
}
