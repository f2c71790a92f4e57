import { Search } from 'lucide-react';
import { useSnapshot } from 'valtio';
import type { User } from '../../api/types.ts';
import { navigation, openTab } from '../../state/navigation.ts';
import { Logo } from '../../ui/Logo.tsx';
import { ThemeToggle } from '../../ui/ThemeToggle.tsx';
import { useBarVisibility } from '../../ui/useBarVisibility.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { DataAge } from './DataAge.tsx';
import { CreditsBadge } from './CreditsBadge.tsx';
import { MessageLog } from './MessageLog.tsx';
import { MoreMenu } from './MoreMenu.tsx';
import { showDialog } from './palette/paletteState.ts';
import { mainTabs, tabFor } from './tabs.ts';

export function TopBar({ user }: { user: User }) {
  const { activeTab } = useSnapshot(navigation);
  const { isHidden } = useBarVisibility();
  return (
    <header
      data-hidden={isHidden}
      inert={isHidden}
      className={`sticky top-0 z-20 flex h-[var(--bar-height)] shrink-0 items-center gap-1 border-b border-line bg-panel px-3 transition-transform duration-150 ease-out ${
        isHidden ? '-translate-y-full' : ''
      }`}
    >
      <span className="mr-3 max-md:mr-0 flex items-center gap-2 text-section font-semibold">
        <Logo /> <span className="max-md:sr-only">Sextant</span>
      </span>
      <nav aria-label="Tabs" className="flex h-full max-md:hidden">
        {mainTabs.map(({ id, label, preload }) => (
          <button
            key={id}
            type="button"
            className="tab"
            aria-current={tabFor(activeTab).id === id ? 'page' : undefined}
            onClick={() => openTab(id)}
            onPointerEnter={() => void preload().catch(() => undefined)}
          >
            {label}
          </button>
        ))}
      </nav>
      <MoreMenu />
      <div className="ml-auto flex items-center gap-1">
        <button
          type="button"
          className="btn btn-ghost btn-small"
          aria-label="Search tabs, symbols and commands, Ctrl K"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => showDialog('palette')}
        >
          <Search size={14} aria-hidden="true" /> <kbd className="kbd max-lg:hidden">Ctrl K</kbd>
        </button>
        <CreditsBadge />
        <DataAge />
        <MessageLog />
        <ThemeToggle />
        <AccountMenu user={user} />
      </div>
    </header>
  );
}
