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
  const pending = new Set<(error: Error) => void>();
  const connection = new WatchedConnection(newClient, () => {
    for (const reject of pending) reject(frozenError());
    pending.clear();
  });
  let stop: (() => void) | undefined;
  return {
    state: () => connection.state,
    start() {
      stop ??= every(stepMs, () => connection.step());
    },
    guard<T>(run: () => Promise<T>): Promise<T> {
      if (stop === undefined) return run();
      if (connection.state === 'frozen') return Promise.reject(frozenError());
      return new Promise<T>((resolve, reject) => {
        pending.add(reject);
        run()
          .then(resolve, reject)
          .finally(() => pending.delete(reject));
      });
    },
    async close() {
      stop?.();
      stop = undefined;
      await connection.close();
    },
  };
}

type Client = ReturnType<DatabaseWatchOptions['newClient']>;

/** The connection that is queried, and what its responses say. */
class WatchedConnection {
  state: DatabaseState = 'unknown';
  readonly #newClient: () => Client;
  readonly #onFrozen: () => void;
  #client: Client | undefined;
  #isConnected = false;
  #isQuerying = false;
  /** Since the query was sent, or since the last response. */
  #steps = 0;

  constructor(newClient: () => Client, onFrozen: () => void) {
    this.#newClient = newClient;
    this.#onFrozen = onFrozen;
  }

  step(): void {
    this.#steps += 1;
    const client = this.#client;
    if (client === undefined) this.#connect();
    else if (this.#isQuerying) this.#await(client);
    else if (this.#isConnected && (this.state !== 'ok' || this.#steps >= idleSteps)) this.#query(client);
    else if (!this.#isConnected && this.#steps >= replaceSteps) this.#forget(client);
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #await(client: Client): void {
    if (this.#steps >= frozenSteps && this.state !== 'frozen') {
      this.state = 'frozen';
      this.#onFrozen();
    }
    if (this.#steps >= replaceSteps) this.#forget(client);
  }

  #forget(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#isConnected = false;
    this.#isQuerying = false;
    this.#steps = 0;
    void client.end().catch(() => undefined);
  }

  #connect(): void {
    const client = this.#newClient();
    this.#client = client;
    this.#steps = 0;
    const lose = (): void => {
      if (this.#client !== client) return;
      this.#forget(client);
      // A lost connection is no frozen database: queries fail by themselves, at once.
      this.state = 'down';
    };
    client.on('error', lose);
    client.on('end', lose);
    client.connect().then(
      () => {
        if (this.#client === client) this.#isConnected = true;
      },
      () => {
        // One that timed out says nothing new about a frozen database.
        if (this.state === 'frozen') this.#forget(client);
        else lose();
      },
    );
  }

  #query(client: Client): void {
    this.#isQuerying = true;
    this.#steps = 0;
    client.query('select 1').then(
      () => {
        if (this.#client !== client) return;
        this.#isQuerying = false;
        this.#steps = 0;
        this.state = 'ok';
      },
      () => this.#forget(client),
    );
  }
}
