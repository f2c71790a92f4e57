import { useSnapshot } from 'valtio';
import { navigation } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { CreditsSection } from './credits/CreditsSection.tsx';
import { NotificationsSection } from './notifications/NotificationsSection.tsx';
import { type AccountPageId, accountPages, pageOf } from './pages.ts';
import { PrivacySection } from './privacy/PrivacySection.tsx';
import { SecuritySection } from './security/SecuritySection.tsx';
import { tradingForm } from './trading/tradingForm.ts';
import { TradingSection } from './trading/TradingSection.tsx';

const TAB = 'account';

const sections: Record<AccountPageId, () => React.ReactNode> = {
  security: SecuritySection,
  trading: TradingSection,
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
