import { Menu } from '@base-ui/react/menu';
import { Popover } from '@base-ui/react/popover';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  Bell,
  Check,
  ChevronDown,
  CircleUserRound,
  Coins,
  ExternalLink,
  LogOut,
  Menu as MenuIcon,
  Search,
} from 'lucide-react';
import { useSnapshot } from 'valtio';
import { signOut } from '../../api/auth.ts';
import { useCredits } from '../../api/credits.ts';
import { messageOf } from '../../api/failure.ts';
import { PRICE_POLL_MS, usePrices, useWatchedSymbols } from '../../data/market.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { User } from '../../api/types.ts';
import { formatCount, formatMany } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { navigation, openTab } from '../../state/navigation.ts';
import { useStore } from '../../state/store.ts';
import { themeState, togglePalette } from '../../state/theme.ts';
import { timeZoneState, toggleTimeZone } from '../../state/timeZone.ts';
import { clearMessages, toastRejection, toastState } from '../../state/toasts.ts';
import { ErrorHelp } from '../../ui/HelpLink.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { ToneIcon } from '../../ui/Notice.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { Logo, ThemeToggle, useBarVisibility } from '../../ui/Bar.tsx';
import { intoView } from '../../ui/intoView.ts';
import { useIsWide } from '../../ui/useMedia.ts';
import { showDialog } from './CommandPalette.tsx';
import { bottomTabs, documentationPath, mainTabs, moreTabs, tabFor } from './tabs.ts';

type DataAgeState = 'waiting' | 'live' | 'stale' | 'offline';

interface Known {
  /** Time of the exchange's last confirmation of the shown data, epoch ms; null before the first response. */
  confirmedAtMs: number | null;
  isFailing: boolean;
  nowMs: number;
  /** Interval between refetches. */
  intervalMs: number;
}

/** Live up to an age of two intervals, then stale; offline when requests fail and the shown data is old. */
export function dataAgeState({ confirmedAtMs, isFailing, nowMs, intervalMs }: Known): DataAgeState {
  if (confirmedAtMs === null) return isFailing ? 'offline' : 'waiting';
  const isOld = nowMs - confirmedAtMs > 2 * intervalMs;
  if (!isOld) return 'live';
  return isFailing ? 'offline' : 'stale';
}

export function TopBar({ user }: { user: User }) {
  const { activeTab } = useSnapshot(navigation);
  const { isHidden } = useBarVisibility();
  return (
    <header
      data-hidden={isHidden}
      inert={isHidden}
      className={`sticky top-0 z-20 flex h-[var(--bar-height)] shrink-0 items-center gap-1 border-b border-line bg-panel px-3 max-[374px]:px-1 transition-transform duration-150 ease-out ${
        isHidden ? '-translate-y-full' : ''
      }`}
    >
      <span className="mr-3 max-lg:mr-0 flex items-center gap-2 text-section font-semibold">
        <Logo /> <span className="max-lg:sr-only">Sextant</span>
      </span>
      {/* In a window too narrow for all tabs they scroll: the controls at their right stay reachable. */}
      <nav aria-label="Tabs" className="bar-tabs flex h-full min-w-0 overflow-x-auto max-md:hidden">
        {mainTabs.map(({ id, label, preload }) => (
          <button
            key={id}
            type="button"
            className="tab"
            ref={tabFor(activeTab).id === id ? intoView : undefined}
            aria-current={tabFor(activeTab).id === id ? 'page' : undefined}
            onClick={() => openTab(id)}
            onPointerEnter={preload}
            onFocus={preload}
          >
            {label}
          </button>
        ))}
      </nav>
      <MoreMenu />
      <div className="ml-auto flex shrink-0 items-center gap-1 max-[374px]:gap-0">
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

/** Fixed like the bar: its popups do not scroll away with the page. */
const besideBar = { positionMethod: 'fixed', className: 'z-40' } as const;

function AccountMenu({ user }: { user: User }) {
  const { palette } = useStore(themeState);
  const { zone } = useStore(timeZoneState);
  const leave = useLogOut();
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="btn btn-ghost btn-icon" aria-label="Account" title={user.email}>
          <CircleUserRound size={16} aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner {...besideBar} align="end" sideOffset={6}>
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
        <LogOut size={14} aria-hidden="true" className="max-md:min-[375px]:hidden" />
        <span className="md:max-lg:sr-only max-[374px]:sr-only">Logout</span>
      </button>
    </>
  );
}

/** Stays open when chosen: the effect is on the screen behind it. */
function Option({ text, isOn, onToggle }: { text: string; isOn: boolean; onToggle: () => void }) {
  return (
    <Menu.CheckboxItem className="menu-item" checked={isOn} onCheckedChange={onToggle} closeOnClick={false}>
      <span className="grid size-4 shrink-0 place-items-center">
        <Menu.CheckboxItemIndicator>
          <Check size={14} aria-hidden="true" />
        </Menu.CheckboxItemIndicator>
      </span>
      {text}
    </Menu.CheckboxItem>
  );
}

/** The available credits, from the ledger. While loading it is invisible at its usual width, so that nothing beside it moves. */
function CreditsBadge() {
  const { data } = useCredits();
  if (data === undefined)
    return (
      <span aria-hidden="true" className="btn btn-ghost btn-small invisible">
        <Coins size={14} />
        <span className="tabular">00</span>
      </span>
    );
  const lines = [
    `${formatMany(data.balance, 'credit')} to spend.`,
    ...(data.held > 0 ? [`${formatCount(data.held)} reserved for running work.`] : []),
    <button key="add" type="button" className="btn btn-small" onClick={() => openTab('funds', 'purchase')}>
      Add Credits
    </button>,
  ];
  return (
    <Hint isFixed label={formatMany(data.balance, 'credit')} lines={lines} className="btn btn-ghost btn-small">
      <Coins size={14} aria-hidden="true" />
      <span className="tabular">{formatCount(data.balance)}</span>
    </Hint>
  );
}

const looks = {
  waiting: { dot: 'bg-muted', text: 'Waiting' },
  live: { dot: 'bg-up', text: 'Live' },
  stale: { dot: 'bg-warn', text: 'Stale' },
  offline: { dot: 'bg-down', text: 'Offline' },
} as const;

/** Age of the prices on screen. The tooltip lists the age of each source and any failure. */
function DataAge() {
  const prices = usePrices(useWatchedSymbols());
  const nowMs = useNow(1000);
  const confirmedAtMs = prices.data?.confirmedAtMs ?? null;
  const isFailing = prices.error !== null;
  const state = dataAgeState({ confirmedAtMs, isFailing, nowMs, intervalMs: PRICE_POLL_MS });
  const age = confirmedAtMs === null ? null : formatDuration(nowMs - confirmedAtMs);
  const { dot, text } = looks[state];
  const lines = [
    age === null
      ? 'Waiting for the first price.'
      : `Prices from ${prices.data?.exchange ?? 'the exchange'}, ${age} old.`,
    `Requested every ${formatDuration(PRICE_POLL_MS)}; amber from ${formatDuration(2 * PRICE_POLL_MS)} on.`,
    ...(isFailing ? [messageOf(prices.error, 'The last request failed.')] : []),
  ];
  return (
    <Hint isFixed label={`Data: ${text}`} lines={lines} className="btn btn-ghost btn-small">
      <span aria-hidden="true" className={`size-2 rounded-full ${dot}`} />
      <span className="min-w-12 text-left max-lg:hidden">{text}</span>
    </Hint>
  );
}

/** Every toast of this visit, newest first, for reading again. */
function MessageLog() {
  const { messages, unreadCount } = useSnapshot(toastState);
  const label = unreadCount === 0 ? 'Messages' : `Messages, ${unreadCount} new`;
  return (
    <Popover.Root
      onOpenChange={() => {
        toastState.unreadCount = 0;
      }}
    >
      <Popover.Trigger className="btn btn-ghost btn-icon relative" aria-label={label}>
        <Bell size={16} aria-hidden="true" />
        {unreadCount > 0 && (
          <span aria-hidden="true" className="absolute top-1.5 right-1.5 size-2 rounded-full bg-accent" />
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner {...besideBar} align="end" sideOffset={6} collisionPadding={8}>
          <Popover.Popup className="popup flex w-[min(360px,calc(100vw-16px))] flex-col outline-none">
            <header className="flex min-h-10 items-center justify-between gap-3 border-b border-line px-3">
              <Popover.Title className="font-semibold">Messages</Popover.Title>
              {messages.length > 0 && (
                <button type="button" className="btn btn-ghost btn-small" onClick={clearMessages}>
                  Clear {formatMany(messages.length, 'message')}
                </button>
              )}
            </header>
            {messages.length === 0 ? (
              <p className="p-3 text-muted">No messages yet. Past messages appear here.</p>
            ) : (
              <ol aria-label="Messages" className="max-h-[min(420px,60dvh)] overflow-y-auto">
                {messages.map(({ id, text, tone, atMs, code }) => (
                  <li key={id} className="flex items-start gap-2 border-b border-line px-3 py-2 last:border-0">
                    <ToneIcon tone={tone} isNamed />
                    <span className="min-w-0 flex-1 break-words">
                      {text} {code !== undefined && <ErrorHelp code={code} />}
                      <span className="block text-label text-muted">
                        <Time at={atMs} />
                      </span>
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The tabs not in the bar; below 768 px also those that do not fit at the bottom. */
function MoreMenu() {
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
        <Menu.Positioner {...besideBar} align="start" sideOffset={4}>
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

/**
 * Ends the session on the server first: the page must not look signed out while the session is still valid. Not in useSession.ts:
 * public pages load that, and need no toasts.
 */
export function useLogOut() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      // The next user of this browser must not see these alerts.
      await import('../../features/alerts/push.ts').then(({ endPushHere }) => endPushHere()).catch(() => undefined);
      await signOut();
    },
    onSuccess: () => queryClient.setQueryData(queryKeys.session, null),
    onError: (failure) =>
      toastRejection(messageOf(failure, 'Sign-out failed: no response. You are still signed in'), failure),
  });
}
