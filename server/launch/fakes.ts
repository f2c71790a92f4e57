import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { StartError } from './startError.ts';

export interface Fakes {
  /** Base URL of a server that speaks the exchanges' formats. */
  exchangesUrl: string;
  /** A mail server that stores what it receives, and the URL to read it. */
  smtpUrl: string;
  mailboxUrl: string;
  /** Base URL of a Bot API, and of the links that open its bot. */
  telegramUrl: string;
  /** A receiver of webhooks. */
  webhooksUrl: string;
  /** Origin of the payment providers and their practice wallet. */
  paymentsUrl: string;
  /** Origin of news feeds and the X API, and the feeds. */
  feedsUrl: string;
  feeds: { name: string; url: string }[];
  /** Name of the replayed world: equal names have equal candles. Undefined: none is replayed. */
  replayWorld: string | undefined;
  stop: () => Promise<void>;
}

const program = join(import.meta.dirname, '../fakes/main.ts');
const startMs = 30_000;

interface Listening {
  type: 'listening';
  exchanges: string;
  smtp: string;
  mailbox: string;
  telegram: string;
  webhooks: string;
  payments: string;
  news: string;
  feeds: { name: string; url: string }[];
  replayWorld: string | null;
}
const isListening = (message: unknown): message is Listening =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'listening';

/** Starts the fakes as a child that ends with us: it loses its channel whatever happens to this process. */
function forkFakes(env: Record<string, string>): ChildProcess {
  // In a group of its own: Ctrl-C reaches us alone, and requests that are running still find their market.
  return fork(program, [], { env, detached: true, stdio: ['ignore', 'inherit', 'pipe', 'ipc'], serialization: 'json' });
}

async function listening(child: ChildProcess): Promise<Listening> {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2000)));
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new StartError(`the simulated market did not start: ${reason}`));
    const timer = setTimeout(() => fail('it took too long'), startMs);
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => fail(complaint.trim() === '' ? 'it ended' : complaint.trim()));
    child.on('message', (message) => {
      clearTimeout(timer);
      if (isListening(message)) resolve(message);
    });
  }).finally(() => child.removeAllListeners('exit')) as Promise<Listening>;
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** Runs the fakes and restarts them on the same port if they die. `given` is the whole environment they get. */
export async function startFakes(given: Record<string, string>, report: (line: string) => void): Promise<Fakes> {
  const env = { ...given, EXCHANGES_STARTED_AT: String(Date.now()) };
  let isStopping = false;
  let child = forkFakes(env);
  const urls = await listening(child);
  const portOf = (url: string): string => new URL(url).port;
  const watch = (): void => {
    child.once('exit', () => {
      if (isStopping) return;
      report('the simulated market stopped; starting it again');
      child = forkFakes({
        ...env,
        EXCHANGES_PORT: portOf(urls.exchanges),
        SMTP_PORT: portOf(urls.smtp),
        MAILBOX_PORT: portOf(urls.mailbox),
        TELEGRAM_PORT: portOf(urls.telegram),
        WEBHOOKS_PORT: portOf(urls.webhooks),
        PAYMENTS_PORT: portOf(urls.payments),
        FEEDS_PORT: portOf(urls.news),
      });
      listening(child).then(watch, (error: unknown) => report(error instanceof Error ? error.message : String(error)));
    });
  };
  watch();
  return {
    exchangesUrl: urls.exchanges,
    smtpUrl: urls.smtp,
    mailboxUrl: urls.mailbox,
    telegramUrl: urls.telegram,
    webhooksUrl: urls.webhooks,
    paymentsUrl: urls.payments,
    feedsUrl: urls.news,
    feeds: urls.feeds,
    replayWorld: urls.replayWorld ?? undefined,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), 3000);
      await ended(child);
      clearTimeout(cut);
    },
  };
}
