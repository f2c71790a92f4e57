import type { Page } from '@playwright/test';

interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/**
 * Chromium of a test has no push service: from the next load on, the page's subscription is one of the simulated service, with the keys of
 * a browser there. Needs a session, and service workers.
 * @returns reads the pushes that this browser received, oldest first
 */
export async function subscribeToFake(page: Page): Promise<() => Promise<string[]>> {
  const settings = (await (await page.request.get('/api/notifications')).json()) as { practice_receiver: string };
  const { origin } = new URL(settings.practice_receiver);
  const made = await page.request.post(`${origin}/push/__control/browsers`, { data: {} });
  const subscription = (await made.json()) as Subscription;
  await page.addInitScript((given: Subscription) => {
    // Headless Chromium blocks notifications, whatever a test grants.
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = () => Promise.resolve((permission = 'granted') as NotificationPermission);
    let isOn = false;
    const asSubscription = { ...given, toJSON: () => given, unsubscribe: () => Promise.resolve(!(isOn = false)) };
    PushManager.prototype.subscribe = () => {
      isOn = true;
      return Promise.resolve(asSubscription as unknown as PushSubscription);
    };
    PushManager.prototype.getSubscription = () =>
      Promise.resolve(isOn ? (asSubscription as unknown as PushSubscription) : null);
  }, subscription);
  type Received = { received: { endpoint: string; text: string }[] };
  return async () => {
    const { received } = (await (await page.request.get(`${origin}/push/__control/received`)).json()) as Received;
    return received.filter(({ endpoint }) => endpoint === subscription.endpoint).map(({ text }) => text);
  };
}
