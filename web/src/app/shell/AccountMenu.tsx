import { Menu } from '@base-ui/react/menu';
import { Check, CircleUserRound, LogOut } from 'lucide-react';
import { useSnapshot } from 'valtio';
import type { User } from '../../api/types.ts';
import { themeState, togglePalette } from '../../state/theme.ts';
import { timeZoneState, toggleTimeZone } from '../../state/timeZone.ts';
import { useLogOut } from './useLogOut.ts';

export function AccountMenu({ user }: { user: User }) {
  const { palette } = useSnapshot(themeState);
  const { zone } = useSnapshot(timeZoneState);
  const leave = useLogOut();
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="btn btn-ghost btn-icon" aria-label="Account" title={user.email}>
          <CircleUserRound size={16} aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={6} className="z-40">
            <Menu.Popup className="popup w-60 p-1 outline-none">
              <p className="truncate px-2.5 py-1.5 text-label text-muted">{user.email}</p>
              <Option
                text="Blue and orange for gain and loss"
                isOn={palette === 'blue-orange'}
                onToggle={togglePalette}
              />
              <Option text="Times in UTC" isOn={zone === 'utc'} onToggle={toggleTimeZone} />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <button
        type="button"
        className="btn btn-ghost"
        disabled={leave.isPending}
        onClick={() => leave.mutate()}
        title={`Signed in as ${user.email}`}
      >
        <LogOut size={14} aria-hidden="true" className="max-md:hidden" /> Logout
      </button>
    </>
  );
}

/** Stays open when chosen: the effect is on the screen behind it. */
function Option({ text, isOn, onToggle }: { text: string; isOn: boolean; onToggle: () => void }) {
  return (
    <Menu.CheckboxItem className="menu-item" checked={isOn} onCheckedChange={onToggle} closeOnClick={false}>
      <span className="grid size-4 place-items-center">
        <Menu.CheckboxItemIndicator>
          <Check size={14} aria-hidden="true" />
        </Menu.CheckboxItemIndicator>
      </span>
      {text}
    </Menu.CheckboxItem>
  );
}
