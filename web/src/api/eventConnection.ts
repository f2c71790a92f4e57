import { retryDelayMs } from './retry.ts';

/** The part of EventSource that is used; a test brings its own. */
interface EventSourceLike {
  addEventListener: (name: string, listener: (event: MessageEvent<string>) => void) => void;
  close: () => void;
}

export type EventData = Record<string, unknown>;

interface EventConnectionOptions {
  openSource: (path: string) => EventSourceLike;
  /** Id to resume after at the first connection; empty when the page has fetched nothing yet that events would update. */
  startId?: string;
  /** All event names, including `ready` and `resync`. */
  names: readonly string[];
  onEvent: (name: string, data: EventData) => void;
  /** Whether events are arriving now. */
  onLive: (isLive: boolean) => void;
}

interface EventConnection {
  /** Connects, or reconnects when the symbols have changed: the server replays events missed in between. */
  open: (symbols: readonly string[]) => void;
  /** Disconnects until the next `open`, which resumes at the last event. */
  close: () => void;
}

/** Caps the retry delay at that of the retry helper's last step. */
const LAST_RETRY = 5;

/**
 * An event stream that reconnects. EventSource retries too, but not after an error response, not with a growing delay, and not at another
 * URL.
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
        // Late events of an abandoned connection: its successor receives them again.
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
