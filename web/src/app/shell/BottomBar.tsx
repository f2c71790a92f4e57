import { useSnapshot } from 'valtio';
import { navigation, openTab } from '../../state/navigation.ts';
import { bottomTabs, tabFor } from './tabs.ts';

/** Tabs within reach of the thumb, below 768 px. */
export function BottomBar() {
  const { activeTab } = useSnapshot(navigation);
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-20 flex h-[var(--bottom-bar-height)] border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {bottomTabs.map(({ id, label, icon: Icon }) => {
        const isActive = tabFor(activeTab).id === id;
        return (
          <button
            key={id}
            type="button"
            aria-current={isActive ? 'page' : undefined}
            onClick={() => openTab(id)}
            className={`flex flex-1 flex-col items-center justify-center gap-0.5 text-label ${isActive ? 'text-accent' : 'text-muted'}`}
          >
            <Icon size={18} aria-hidden="true" />
            {label}
          </button>
        );
      })}
    </nav>
  );
}
