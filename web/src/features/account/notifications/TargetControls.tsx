import { type Channel, useTargetActions } from '../../../api/notifications.ts';
import { toast } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { Time } from '../../../ui/Time.tsx';
import { toastFailure } from '../security/accountForm.ts';
import { channelNames, type ChosenKind, kindNames } from './notificationText.ts';

interface Props {
  channel: Channel;
  target: { is_on: boolean; kinds: ChosenKind[]; off_reason: string | null; failing_since: string | null };
}

/** Switch, choice of messages, test and removal: the same for every channel. */
export function TargetControls({ channel, target }: Props) {
  const { change, remove, test } = useTargetActions(channel);
  const name = channelNames[channel];
  const fail = (what: string) => (failure: unknown) => toastFailure(what, failure);
  const save = (body: Parameters<typeof change.mutate>[0]) => change.mutate(body, { onError: fail('Not saved') });
  return (
    <div className="flex flex-col gap-3">
      {target.off_reason !== null && <Notice tone="warn">Switched off automatically: {target.off_reason}</Notice>}
      {target.is_on && target.failing_since !== null && (
        <Notice tone="warn">
          No message has arrived since <Time at={target.failing_since} />. Delivery is retried; the log shows when.
        </Notice>
      )}
      <div className="flex items-center gap-3">
        <p className="flex-1 font-medium">Messages by {name}</p>
        <Switch label={`Messages by ${name}`} isOn={target.is_on} onToggle={(isOn) => save({ is_on: isOn })} />
      </div>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-label font-medium">Notify me about</legend>
        {(Object.keys(kindNames) as ChosenKind[]).map((kind) => (
          <label key={kind} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-[var(--accent)]"
              checked={target.kinds.includes(kind)}
              onChange={({ currentTarget: { checked } }) =>
                save({ kinds: checked ? [...target.kinds, kind] : target.kinds.filter((each) => each !== kind) })
              }
            />
            {kindNames[kind]}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn"
          disabled={test.isPending}
          onClick={() =>
            test.mutate(undefined, {
              onSuccess: () => toast('Test message queued. The log shows whether it arrives.', 'success'),
              onError: fail('No test was sent'),
            })
          }
        >
          Send a test
        </button>
        <button
          type="button"
          className="btn btn-ghost"
          disabled={remove.isPending}
          onClick={() => remove.mutate(undefined, { onError: fail('Not removed') })}
        >
          Remove {name}
        </button>
      </div>
    </div>
  );
}
