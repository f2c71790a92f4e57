import { type AlertChannel, alertChannels } from '@sextant/workers/src/alerts/conditions.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAlerts, useBrowsers } from '../../api/alerts.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { toast } from '../../state/toasts.ts';
import { allowPush, type PushState, readPushState } from './push.ts';

export const channelNames: Record<AlertChannel, string> = {
  page: 'In the page',
  push: 'Browser push',
  email: 'Email',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

const stateTexts: Record<PushState, string | null> = {
  unsupported: 'This browser has no push notifications. Use another channel.',
  denied: 'Notifications are blocked here. Allow them in the site settings of the address bar, then reload.',
  off: null,
  on: null,
};

/** State of this browser, and the step that allows pushes. */
export function usePush() {
  const client = useQueryClient();
  const browsers = useBrowsers();
  const [state, setState] = useState<PushState>('off');
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const endpoints = browsers.data?.subscriptions.map(({ endpoint }) => endpoint).join('\n') ?? '';
  useEffect(() => {
    let isCurrent = true;
    void readPushState(endpoints.split('\n')).then((next) => isCurrent && setState(next));
    return () => {
      isCurrent = false;
    };
  }, [endpoints]);
  /** Call it from a press. @returns whether pushes reach this browser now */
  const allow = async (): Promise<boolean> => {
    setBusy(true);
    const result = await allowPush();
    setBusy(false);
    setFailure(result.ok ? null : result.error);
    await client.invalidateQueries({ queryKey: queryKeys.alerts.all });
    if (result.ok) toast('Notifications are allowed in this browser.', 'success');
    return result.ok;
  };
  return { state, text: failure ?? stateTexts[state], isBusy, allow, browsers };
}

interface Props {
  chosen: readonly AlertChannel[];
  onChange: (channels: AlertChannel[]) => void;
}

/** Channels of an alert. One that cannot deliver says what it needs and cannot be chosen. */
export function ChannelFields({ chosen, onChange }: Props) {
  const missing = new Map(useAlerts().data?.channels.map((channel) => [channel.id, channel.missing]));
  const push = usePush();
  const toggle = (id: AlertChannel, isOn: boolean) =>
    onChange(alertChannels.filter((each) => (each === id ? isOn : chosen.includes(each))));
  const allow = async () => {
    if (await push.allow()) toggle('push', true);
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-label font-medium">Channels</legend>
      {alertChannels.map((id) => {
        const lacks = missing.get(id) ?? null;
        const isOn = chosen.includes(id);
        return (
          <div key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-[var(--accent)]"
                checked={isOn}
                disabled={lacks !== null && !isOn}
                onChange={({ currentTarget: { checked } }) => toggle(id, checked)}
              />
              {channelNames[id]}
            </label>
            {id === 'push' && push.state === 'off' && lacks !== 'Create your own account first.' && (
              <button type="button" className="btn btn-small" disabled={push.isBusy} onClick={() => void allow()}>
                Allow in this browser
              </button>
            )}
            {(id === 'push' ? (push.text ?? lacks) : lacks) !== null && (
              <span className="text-label text-muted">{id === 'push' ? (push.text ?? lacks) : lacks}</span>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
