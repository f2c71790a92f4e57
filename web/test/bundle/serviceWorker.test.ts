import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { readServiceWorker } from '../../bundle/serviceWorker.ts';

type Listener = (event: object) => void;

/** Runs the built service worker in a scope that records what it does. */
let source: string;
beforeAll(async () => {
  source = await readServiceWorker();
});

function start() {
  const listeners = new Map<string, Listener>();
  const shown: { title: string; options: { body: string; tag?: string; data: { url: string } } }[] = [];
  const opened: string[] = [];
  const pages: { url: string; focus: () => Promise<object>; navigate: (url: string) => Promise<void> }[] = [];
  const scope = {
    URL,
    location: { origin: 'https://sextant.example' },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    skipWaiting: () => Promise.resolve(),
    registration: {
      showNotification: (title: string, options: (typeof shown)[number]['options']) => {
        shown.push({ title, options });
        return Promise.resolve();
      },
    },
    clients: {
      claim: () => Promise.resolve(),
      matchAll: () => Promise.resolve(pages),
      openWindow: (url: string) => Promise.resolve(opened.push(url)),
    },
  };
  runInContext(source, createContext(scope));
  const fire = async (type: string, event: object): Promise<void> => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(type)?.({ ...event, waitUntil: (lasting: Promise<unknown>) => (work = lasting) });
    await work;
  };
  const push = (json: () => unknown) => fire('push', { data: { json } });
  const press = (url: string) => fire('notificationclick', { notification: { data: { url }, close: () => undefined } });
  return { shown, opened, pages, push, press };
}

describe('the service worker', () => {
  it('DESK-085 shows a push with its place', async () => {
    const { shown, push } = start();
    await push(() => ({
      title: 'Alert: BTCUSDT crosses 70,000',
      body: 'Sell half',
      tag: 'r1',
      url: '/?tab=dashboard',
    }));
    expect(shown).toMatchObject([
      {
        title: 'Alert: BTCUSDT crosses 70,000',
        options: { body: 'Sell half', tag: 'r1', data: { url: '/?tab=dashboard' } },
      },
    ]);
  });

  it('DESK-085 shows a general text for an unreadable push, and no foreign link', async () => {
    const { shown, push } = start();
    await push(() => {
      throw new SyntaxError('no JSON');
    });
    await push(() => ({ title: 'x', body: '', url: 'https://elsewhere.example/' }));
    expect(shown.map(({ options }) => options.data.url)).toEqual([
      '/?tab=dashboard&page=alerts',
      '/?tab=dashboard&page=alerts',
    ]);
  });

  it('DESK-085 a press opens the place in an open page, else in a new window', async () => {
    const { opened, pages, press } = start();
    await press('/?tab=dashboard');
    expect(opened).toEqual(['/?tab=dashboard']);
    const visited: string[] = [];
    const page = {
      url: 'https://sextant.example/',
      focus: () => Promise.resolve(page),
      navigate: (url: string) => Promise.resolve(void visited.push(url)),
    };
    pages.push(page);
    await press('https://elsewhere.example/');
    expect(visited).toEqual(['/?tab=dashboard&page=alerts']);
  });
});
