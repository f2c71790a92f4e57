/** A page is listed from the day it works. */
export const accountPages = [
  { id: 'security', label: 'Security' },
  { id: 'trading', label: 'Trading' },
  { id: 'credits', label: 'Credits & Billing' },
  { id: 'privacy', label: 'Privacy & Data' },
  { id: 'notifications', label: 'Notifications' },
] as const;

export type AccountPageId = (typeof accountPages)[number]['id'];

/** Names under which the same pages are known elsewhere. */
const aliases: Record<string, AccountPageId> = { preferences: 'trading', billing: 'credits' };

/** The page for a saved or asked-for name; anything else opens the first. */
export function pageOf(name: string | undefined): AccountPageId {
  const found = accountPages.find(({ id }) => id === name);
  return found?.id ?? aliases[name ?? ''] ?? accountPages[0].id;
}
