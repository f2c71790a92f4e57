import { useMutation } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { openTelegramLink } from '../../../api/notifications.ts';
import type { Notifications } from '../../../api/types.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { toastFailure } from '../security/accountForm.ts';
import { TargetControls } from './TargetControls.tsx';

interface Props {
  settings: Notifications;
  /** The link that waits for its click; the section looks for the chat meanwhile. */
  link: { url: string; expires_at: string } | null;
  onLink: (link: { url: string; expires_at: string }) => void;
}

export function TelegramPanel({ settings, link, onLink }: Props) {
  const { telegram, telegram_available: isAvailable } = settings;
  const begin = useMutation({
    mutationFn: openTelegramLink,
    onSuccess: onLink,
    onError: (failure) => toastFailure('No link was made', failure),
  });
  return (
    <Panel title="Telegram" aside={telegram?.name ?? 'Not linked'} bodyClassName="flex flex-col gap-3 p-3">
      {telegram !== null && <TargetControls channel="telegram" target={telegram} />}
      {telegram === null && !isAvailable && (
        <p className="text-muted">This installation has no Telegram bot. A webhook works without one.</p>
      )}
      {telegram === null && isAvailable && link === null && (
        <>
          <p className="text-muted">
            Messages in a private chat with our bot. Press Start there to link it; no phone number is needed.
          </p>
          <button type="button" className="btn self-start" disabled={begin.isPending} onClick={() => begin.mutate()}>
            Link Telegram
          </button>
        </>
      )}
      {telegram === null && link !== null && (
        <>
          <p role="status" className="text-muted">
            Open the bot and press Start. The link works once, until <Time at={link.expires_at} />.
          </p>
          <div className="flex flex-wrap gap-2">
            <a href={link.url} target="_blank" rel="noreferrer" className="btn btn-primary">
              Open the bot <ExternalLink size={14} aria-hidden="true" />
            </a>
            <button type="button" className="btn btn-ghost" disabled={begin.isPending} onClick={() => begin.mutate()}>
              New link
            </button>
          </div>
        </>
      )}
    </Panel>
  );
}
