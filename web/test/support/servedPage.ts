import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

/** Stubs the browser globals that the modules of the lab need: the origin of `server`, and storage in memory. */
export async function openPageOf(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cache = new Map<string, string>();
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: `http://127.0.0.1:${port}` } }));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => cache.get(key) ?? null,
    setItem: (key: string, value: string) => cache.set(key, value),
    removeItem: (key: string) => cache.delete(key),
  });
}
