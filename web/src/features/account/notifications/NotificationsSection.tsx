import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useNotifications } from '../../../api/notifications.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/Panel.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { TelegramPanel } from './TelegramPanel.tsx';
import { WebhookPanel } from './WebhookPanel.tsx';

/** Where messages about scans, credits and positions go, and what came of each. */
export function NotificationsSection() {
  const [link, setLink] = useState<{ url: string; expires_at: string } | null>(null);
  const settings = useNotifications(link !== null);
  if (settings.data === undefined)
    return settings.error === null ? (
      <SkeletonRows rows={6} />
    ) : (
      <ErrorState
        text={messageOf(settings.error, 'The targets could not be read.')}
        onRetry={() => void settings.refetch()}
      />
    );
  const { data } = settings;
  // Linked: a link that is still open has done its work.
  if (link !== null && data.telegram !== null) setLink(null);
  if (data.is_demo)
    return (
      <Notice tone="info">
        The demo account is shared, so it sends no messages. Create your own account to link Telegram or set a webhook.
      </Notice>
    );
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <TelegramPanel settings={data} link={link} onLink={setLink} />
      <WebhookPanel settings={data} />
      <DeliveryLog />
    </div>
  );
}
