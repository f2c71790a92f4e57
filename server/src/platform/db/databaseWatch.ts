import type pg from 'pg';

export interface DatabaseWatch {
  /** Opens the connection that is watched. Until then nothing is rejected. */
  start: () => void;
  /** `unknown` before the first response; `frozen`: connected, and no response; `down`: no connection. */
  state: () => DatabaseState;
  /** The result of a query, or a rejection as soon as the database is frozen. Queries of a frozen database are rejected at once. */
  guard: <T>(query: () => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

export type DatabaseState = 'unknown' | 'ok' | 'frozen' | 'down';

export interface DatabaseWatchOptions {
  /** Unconnected client with a connection timeout and without a query timeout. */
  newClient: () => Pick<pg.Client, 'connect' | 'query' | 'end' | 'on'>;
  /** Repeats a step. Tests step by hand. */
  every?: (ms: number, step: () => void) => () => void;
}

const stepMs = 200;
/** Steps between a response and the next query. */
const idleSteps = 2;
/** Steps without a response after which the database is frozen: with those before the query, 2 s after its last response. */
const frozenSteps = 7;
/** A connection that has not responded for this long is replaced: its other end may be gone without a trace. */
const replaceSteps = 40;

const everyStep = (ms: number, step: () => void): (() => void) => {
  const timer = setInterval(step, ms).unref();
  return () => clearInterval(timer);
};

/** Starts like a message of the driver, so that it is translated, and its connection closed, like a lost one. */
const frozenError = (): Error => new Error('Query read timeout: the database has not responded for 2 s');

/**
 * Queries the database twice a second on a connection of its own. A database that accepts connections and does not respond would otherwise
 * hold every request until its query times out. Time is counted in turns of the event loop: a process that was blocked itself has had one
 * turn, in which the response is read, and proves nothing.
 */
export function createDatabaseWatch({ newClient, every = everyStep }: DatabaseWatchOptions): DatabaseWatch {
  const waiting = new Set<(error: Error) => void>();
  let state: DatabaseState = 'unknown';
  let client: ReturnType<typeof newClient> | undefined;
  let isConnected = false;
  /** Steps since the query was sent, or since the last response. */
  let steps = 0;
  let isQuerying = false;
  let stop: (() => void) | undefined;

  function enter(next: DatabaseState): void {
    state = next;
    if (next !== 'frozen') return;
    for (const reject of waiting) reject(frozenError());
    waiting.clear();
  }

  function forget(lost: typeof client): void {
    if (client !== lost) return;
    client = undefined;
    isConnected = false;
    isQuerying = false;
    steps = 0;
    void lost?.end().catch(() => undefined);
  }

  function connect(): void {
    const opened = newClient();
    client = opened;
    steps = 0;
    const lose = (): void => {
      if (client !== opened) return;
      forget(opened);
      // A rejected connection is no frozen database: queries fail by themselves, at once.
      enter('down');
    };
    opened.on('error', lose);
    opened.on('end', lose);
    opened.connect().then(
      () => {
        if (client === opened) isConnected = true;
      },
      () => {
        if (state === 'frozen') forget(opened);
        else lose();
      },
    );
  }

  function query(opened: NonNullable<typeof client>): void {
    isQuerying = true;
    steps = 0;
    opened.query('select 1').then(
      () => {
        if (client !== opened) return;
        isQuerying = false;
        steps = 0;
        enter('ok');
      },
      () => forget(opened),
    );
  }

  function step(): void {
    steps += 1;
    if (client === undefined) {
      connect();
      return;
    }
    if (!isConnected) {
      if (steps >= replaceSteps) forget(client);
      return;
    }
    if (!isQuerying) {
      if (state !== 'ok' || steps >= idleSteps) query(client);
      return;
    }
    if (steps >= frozenSteps && state !== 'frozen') enter('frozen');
    if (steps >= replaceSteps) forget(client);
  }

  return {
    state: () => state,
    start() {
      stop ??= every(stepMs, step);
    },
    guard<T>(run: () => Promise<T>): Promise<T> {
      if (stop === undefined) return run();
      if (state === 'frozen') return Promise.reject(frozenError());
      return new Promise<T>((resolve, reject) => {
        waiting.add(reject);
        run()
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      });
    },
    async close() {
      stop?.();
      stop = undefined;
      waiting.clear();
      const open = client;
      client = undefined;
      await open?.end().catch(() => undefined);
    },
  };
}
