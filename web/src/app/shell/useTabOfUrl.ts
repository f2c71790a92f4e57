import { useEffect } from 'react';
import { openTab } from '../../state/navigation.ts';
import { shellTabs } from './tabs.ts';

/** `/?tab=funds`, as a payment service sends people back, is read once and taken out of the address. */
export function useTabOfUrl(): void {
  useEffect(() => {
    const url = new URL(location.href);
    const asked = url.searchParams.get('tab');
    if (asked === null) return;
    url.searchParams.delete('tab');
    history.replaceState(null, '', url);
    const tab = shellTabs.find(({ id }) => id === asked);
    if (tab !== undefined) openTab(tab.id);
  }, []);
}
