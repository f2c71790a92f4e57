import { useSnapshot } from 'valtio';
import { navigation } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { ApiAccessSection } from './ApiAccessSection.tsx';
import { CreditsSection } from './CreditsSection.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PrivacySection } from './PrivacySection.tsx';
import { SecuritySection } from './security/SecuritySection.tsx';
import { TradingSection } from './trading/TradingSection.tsx';
import { tradingForm } from './trading/tradingForm.ts';

/** A page is listed from the day it works. */
const accountPages = [
  { id: 'security', label: 'Security' },
  { id: 'trading', label: 'Trading' },
  { id: 'credits', label: 'Credits & Billing' },
  { id: 'api', label: 'API Access' },
  { id: 'privacy', label: 'Privacy & Data' },
  { id: 'notifications', label: 'Notifications' },
] as const;

type AccountPageId = (typeof accountPages)[number]['id'];

/** Names under which the same pages are known elsewhere. */
const aliases: Record<string, AccountPageId> = { preferences: 'trading', billing: 'credits' };

/** The page for a saved or asked-for name; anything else opens the first. */
export function pageOf(name: string | undefined): AccountPageId {
  const found = accountPages.find(({ id }) => id === name);
  return found?.id ?? aliases[name ?? ''] ?? accountPages[0].id;
}

const TAB = 'account';

const sections: Record<AccountPageId, () => React.ReactNode> = {
  security: SecuritySection,
  trading: TradingSection,
  api: ApiAccessSection,
  credits: CreditsSection,
  privacy: PrivacySection,
  notifications: NotificationsSection,
};

export function AccountTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const { isUnsaved } = tradingForm.useDraft();
  const items = accountPages.map((each) =>
    each.id === 'trading' && isUnsaved ? { ...each, label: `${each.label} (unsaved)` } : each,
  );
  const Section = sections[page];
  return (
    <PagedTab tab={TAB} title="Account settings" pages={items} page={page} layout="reading">
      <Section />
    </PagedTab>
  );
}
