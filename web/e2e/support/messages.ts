import { expect, type Page } from '@playwright/test';

interface Message {
  id: number;
  text: string;
  atMs: number;
}

/** Messages of a page that an earlier wait has consumed, and those before them. */
const result = new WeakMap<Page, Set<string>>();
const keyOf = ({ id, atMs }: Message): string => `${id} ${atMs}`;

/**
 * Waits for a message that no wait of this page has found yet. A toast is on screen for 3.5 s only, which a busy machine can miss: the list
 * under the bell stores it, and is read from the storage it survives a reload in. Opening the list would move the focus and could close
 * what the test checks.
 */
export async function expectMessage(page: Page, text: string | RegExp, timeout = 60_000): Promise<void> {
  const isMeant = (reported: string): boolean =>
    typeof text === 'string' ? reported.includes(text) : text.test(reported);
  const seen = result.get(page) ?? new Set();
  result.set(page, seen);
  let upToIt: Message[] = [];
  await expect(async () => {
    const stored = await page.evaluate(() => sessionStorage.getItem('sextant.messages') ?? '[]');
    // Newest first.
    const messages = JSON.parse(stored) as Message[];
    const at = messages.findLastIndex((each) => !seen.has(keyOf(each)) && isMeant(each.text.replace(/\s+/g, ' ')));
    expect(at, `no message "${String(text)}" in ${stored}`).toBeGreaterThanOrEqual(0);
    upToIt = messages.slice(at);
  }).toPass({ timeout });
  // After the wait and not in it: a look that ends after its wait was given up leaves the message to the next wait.
  for (const each of upToIt) seen.add(keyOf(each));
}
