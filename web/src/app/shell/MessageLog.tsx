import { Popover } from '@base-ui/react/popover';
import { Bell } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { formatMany } from '../../format/number.ts';
import { clearMessages, toastState } from '../../state/toasts.ts';
import { Time } from '../../ui/Time.tsx';
import { ToneIcon } from '../../ui/ToneIcon.tsx';

/** Every toast of this visit, newest first, for reading again. */
export function MessageLog() {
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
        <Popover.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-40">
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
              <p className="p-3 text-muted">No messages yet. Messages from the bottom right corner are kept here.</p>
            ) : (
              <ol aria-label="Messages" className="max-h-[min(420px,60dvh)] overflow-y-auto">
                {messages.map(({ id, text, tone, atMs }) => (
                  <li key={id} className="flex items-start gap-2 border-b border-line px-3 py-2 last:border-0">
                    <ToneIcon tone={tone} isNamed />
                    <span className="min-w-0 flex-1 break-words">
                      {text}
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
