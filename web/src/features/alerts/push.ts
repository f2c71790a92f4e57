import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { addBrowser, readPushKey, removeBrowser } from '../../api/alerts.ts';
import { messageOf } from '../../api/failure.ts';
import { SERVICE_WORKER } from '../../state/offlineCopy.ts';

/** `unsupported`: this browser has no push. `denied`: the user blocked notifications here. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && typeof Notification !== 'undefined';

const subscriptionHere = async (): Promise<PushSubscription | null> => {
  const registration = await navigator.serviceWorker.getRegistration(SERVICE_WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
};

/** State of this browser. @param endpoints browsers that the server knows */
export async function readPushState(endpoints: readonly string[]): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await subscriptionHere();
  return subscription !== null && endpoints.includes(subscription.endpoint) ? 'on' : 'off';
}

/** `Chrome on Linux`, to recognise a browser in the list. */
export function browserName(agent: string): string {
  const browser =
    /(?<name>Edg|OPR|Firefox|Chrome|Safari)\/[\d.]+(?!.*(Edg|OPR)\/)/.exec(agent)?.groups?.['name'] ?? 'Browser';
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0] ?? 'this device';
  return `${names[browser] ?? browser} on ${system === 'Mac OS X' ? 'macOS' : system}`;
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
};

/** Requests the permission and subscribes this browser. Call it from a press only: browsers block requests without one. */
export async function allowPush(): Promise<Result<null, string>> {
  if (!isSupported()) return failWith('This browser has no push notifications. Use another channel.');
  const permission = await Notification.requestPermission();
  if (permission !== 'granted')
    return failWith(
      permission === 'denied'
        ? 'Notifications are blocked. Allow them in the site settings of the address bar, then reload.'
        : 'Not allowed yet. Press again and choose Allow.',
    );
  try {
    await navigator.serviceWorker.register(SERVICE_WORKER, { scope: '/' });
    const registration = await navigator.serviceWorker.ready;
    const applicationServerKey = bytesOf(await readPushKey());
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    const { endpoint, keys } = subscription.toJSON();
    await addBrowser({
      endpoint: endpoint ?? '',
      keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
      label: browserName(navigator.userAgent),
    });
    return ok(null);
  } catch (failure) {
    return failWith(messageOf(failure, 'The push service of this browser did not respond. Try again.'));
  }
}

/** Ends the subscription, on the server also when the browser has none any more. */
export async function endPush(endpoint: string): Promise<void> {
  const subscription = isSupported() ? await subscriptionHere() : null;
  if (subscription?.endpoint === endpoint) await subscription.unsubscribe();
  await removeBrowser(endpoint);
}

/** Longest wait for the end of a subscription at sign-out. */
const END_MS = 3000;

/** Ends pushes to this browser, if it receives any. Never rejects: signing out must not depend on a push service. */
export async function endPushHere(): Promise<void> {
  const end = async (): Promise<void> => {
    const subscription = isSupported() ? await subscriptionHere() : null;
    if (subscription !== null) await endPush(subscription.endpoint);
  };
  const waited = new Promise<void>((resolve) => setTimeout(resolve, END_MS));
  await Promise.race([end().catch(() => undefined), waited]);
}
