import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An installed Firefox: $FIREFOX, or that of Debian. Playwright's own is another build and is not installed here. */
export const firefoxPath: string | undefined = [
  process.env['FIREFOX'],
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
].find((path) => path !== undefined && path !== '' && existsSync(path));

/** A page of Firefox, driven by WebDriver BiDi (w3.org/TR/webdriver-bidi). */
export interface FirefoxPage {
  goto: (url: string) => Promise<void>;
  /** Waits for the element with this role and accessible name and presses it. */
  click: (role: string, name: string) => Promise<void>;
  /** Waits for the field of a CSS selector and types into it. */
  type: (selector: string, text: string) => Promise<void>;
  /** Waits until an expression of the page is truthy. @returns its value, which must be JSON */
  until: <T>(expression: string) => Promise<T>;
  close: () => Promise<void>;
}

const START_MS = 120_000;
/** Longest wait for the response to one command. */
const COMMAND_MS = 60_000;
/** Longer than the 90 s of the other specs: Firefox starts beside them, and paints without a graphics processor. */
const WAIT_MS = 180_000;
const STEP_MS = 100;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Received {
  id?: number;
  type: string;
  result?: unknown;
  message?: string;
}

/** Requests of one WebSocket by their number. */
function createClient(socket: WebSocket) {
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (failure: Error) => void }>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data)) as Received;
    const request = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || request === undefined) return;
    waiting.delete(id);
    if (type === 'success') request.resolve(result as never);
    else request.reject(new Error(message));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection'));
  });
  return <T>(method: string, params: object): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      setTimeout(() => {
        if (waiting.delete(id)) reject(new Error(`Firefox did not respond to ${method} ${JSON.stringify(params)}`));
      }, COMMAND_MS).unref();
      socket.send(JSON.stringify({ id, method, params }));
    });
}

/** Starts Firefox without a window. @returns its address for BiDi, and a function that ends it and removes its profile */
async function startFirefox(path: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'sextant-firefox-'));
  // No requests of its own.
  const settings = [
    'app.update.enabled',
    'browser.safebrowsing.malware.enabled',
    'network.captive-portal-service.enabled',
  ];
  await writeFile(join(profile, 'user.js'), settings.map((name) => `user_pref("${name}", false);`).join('\n'));
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
  const child = spawn(path, args, { env: { ...process.env, HOME: profile }, stdio: ['ignore', 'ignore', 'pipe'] });
  // A file that cannot be started ends by an error alone.
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      setTimeout(() => reject(new Error(`Firefox did not start: ${text.slice(-500)}`)), START_MS).unref();
      child.once('error', reject);
      child.stderr.on('data', (part: Buffer) => {
        text += part.toString();
        const match = /WebDriver BiDi listening on (ws:\S+)/.exec(text);
        if (match?.[1] !== undefined) resolve(match[1]);
      });
    });
    return { url, stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

const keysOf = (text: string) =>
  Array.from(text).flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);

/** In the page: scrolls an element into sight. @returns '' when it stands still and a press at its middle would hit it, otherwise why not */
const isPressable = `async (element) => {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const read = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const before = read();
  for (let frame = 0; frame < 10; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  const [x, y] = read();
  if (x !== before[0] || y !== before[1]) return 'it moved from ' + before + ' to ' + [x, y];
  const hit = document.elementFromPoint(x, y);
  return element.contains(hit) ? '' : 'a press at ' + [x, y] + ' hits ' + (hit?.outerHTML.slice(0, 200) ?? 'nothing');
}`;

/** A tab of a started Firefox, by a session of its own. @param url address for BiDi */
async function openTab(url: string) {
  const socket = new WebSocket(`${url}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('Firefox does not accept the connection')));
  });
  const send = createClient(socket);
  await send('session.new', { capabilities: {} });
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' });
  await send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } });
  return { socket, send, context };
}

/** Opens a page in a new Firefox. @throws Error when it does not start within two minutes; then none is left running */
export async function openFirefox(path: string): Promise<FirefoxPage> {
  const { url, stop } = await startFirefox(path);
  const { socket, send, context } = await openTab(url).catch(async (failure: unknown) => {
    await stop();
    throw failure;
  });

  /** Tries until it gives something; a page that loads rejects calls. */
  async function until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
    const endMs = Date.now() + WAIT_MS;
    let failure: unknown;
    while (Date.now() < endMs) {
      try {
        const result = await attempt();
        if (result !== undefined) return result;
      } catch (thrown) {
        failure = thrown;
      }
      await pause(STEP_MS);
    }
    throw new Error(`${what} did not come. ${failure instanceof Error ? failure.message : ''}`);
  }

  const evaluate = async <T>(expression: string): Promise<T | undefined> => {
    const { result, exceptionDetails } = await send<{
      result?: { value?: string };
      exceptionDetails?: { text: string };
    }>('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression})))()`,
      target: { context },
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result?.value === undefined ? undefined : (JSON.parse(result.value) as T);
  };

  const press = (sharedId: string): Promise<unknown> =>
    send('input.performActions', {
      context,
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    });

  /** The first enabled element that a locator finds, scrolled into sight. */
  const find = (locator: { type: string; value: unknown }): Promise<string> =>
    until(JSON.stringify(locator.value), async () => {
      const { nodes } = await send<{ nodes: { sharedId: string; value?: { attributes?: Record<string, string> } }[] }>(
        'browsingContext.locateNodes',
        { context, locator },
      );
      const [node] = nodes.filter(({ value }) => value?.attributes?.['disabled'] === undefined);
      if (node === undefined) throw new Error(nodes.length === 0 ? 'It is not there.' : 'It is disabled.');
      const { result } = await send<{ result?: { value?: string } }>('script.callFunction', {
        functionDeclaration: isPressable,
        arguments: [{ sharedId: node.sharedId }],
        target: { context },
        awaitPromise: true,
      });
      if (result?.value !== '') throw new Error(result?.value ?? 'It left the page.');
      return node.sharedId;
    });

  /** With the text of the page in the error: the locator alone does not say what was shown instead. */
  const click = async (role: string, name: string): Promise<void> => {
    const element = await find({ type: 'accessibility', value: { role, name } }).catch(async (failure: unknown) => {
      const text = await evaluate<string>(`(document.querySelector('[role=dialog]') ?? document.body).innerText`);
      throw new Error(
        `${failure instanceof Error ? failure.message : ''}\n${(text ?? '').replaceAll(/\s*\n\s*/g, ' | ').slice(0, 1500)}`,
      );
    });
    await press(element);
  };
  return {
    goto: async (to) => void (await send('browsingContext.navigate', { context, url: to, wait: 'interactive' })),
    click,
    type: async (selector, text) => {
      await press(await find({ type: 'css', value: selector }));
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions: keysOf(text) }] });
    },
    until: <T>(expression: string) =>
      until<T>(expression, async () => {
        const value = await evaluate<T>(expression);
        return value === null || value === false || value === '' ? undefined : value;
      }),
    close: async () => {
      socket.close();
      await stop();
    },
  };
}
