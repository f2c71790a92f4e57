import { useSnapshot } from 'valtio';
import { navigation, openPage } from '../../state/navigation.ts';
import { TabPanel, Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { CreditsSection } from './credits/CreditsSection.tsx';
import { type AccountPageId, accountPages, pageOf } from './pages.ts';
import { PrivacySection } from './privacy/PrivacySection.tsx';
import { SecuritySection } from './security/SecuritySection.tsx';
import { isDirty } from './trading/tradingForm.ts';
import { tradingState } from './trading/tradingState.ts';
import { TradingSection } from './trading/TradingSection.tsx';

const TAB = 'account';

const sections: Record<AccountPageId, () => React.ReactNode> = {
  security: SecuritySection,
  trading: TradingSection,
  credits: CreditsSection,
  privacy: PrivacySection,
};

export function AccountTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const { draft, saved } = useSnapshot(tradingState);
  const id = useTabsId();
  const isUnsaved = draft !== null && saved !== null && isDirty(draft, saved);
  const items = accountPages.map((each) =>
    each.id === 'trading' && isUnsaved ? { ...each, label: `${each.label} (unsaved)` } : each,
  );
  const Section = sections[page];
  return (
    <>
      <h1 className="sr-only">Account settings</h1>
      <Tabs
        label="Account settings"
        items={items}
        active={page}
        idBase={id}
        onSelect={(next) => openPage(TAB, next)}
        className="h-10 shrink-0 overflow-x-auto border-b border-line bg-panel px-2"
      />
      <TabPanel idBase={id} id={page} className="mx-auto w-full max-w-240 p-4 max-md:p-3">
        <Section />
      </TabPanel>
    </>
  );
}
