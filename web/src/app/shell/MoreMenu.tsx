import { Menu } from '@base-ui/react/menu';
import { ChevronDown, ExternalLink, Menu as MenuIcon } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { navigation, openTab } from '../../state/navigation.ts';
import { useIsWide } from '../../ui/useMedia.ts';
import { bottomTabs, mainTabs, moreTabs, tabFor } from './tabs.ts';

export const documentationPath = '/api-documentation';

/** The tabs that are not in the bar; below 768 px also those that do not fit at the bottom. */
export function MoreMenu() {
  const { activeTab } = useSnapshot(navigation);
  const isWide = useIsWide('tablet');
  const tabs = isWide ? moreTabs : [...mainTabs.filter((tab) => !bottomTabs.includes(tab)), ...moreTabs];
  const current = tabs.find((tab) => tab.id === tabFor(activeTab).id);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="tab gap-1" aria-current={current === undefined ? undefined : 'page'}>
        {isWide ? (
          <>
            {current?.label ?? 'More'} <ChevronDown size={14} aria-hidden="true" />
          </>
        ) : (
          <MenuIcon size={18} aria-label="More" />
        )}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} className="z-40">
          <Menu.Popup className="popup w-56 p-1 outline-none">
            {tabs.map(({ id, label, icon: Icon }) => (
              <Menu.Item key={id} className="menu-item" onClick={() => openTab(id)}>
                <Icon size={14} aria-hidden="true" /> {label}
              </Menu.Item>
            ))}
            <Menu.Item className="menu-item" render={<a href={documentationPath} target="_blank" rel="noopener" />}>
              <ExternalLink size={14} aria-hidden="true" /> API documentation
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
