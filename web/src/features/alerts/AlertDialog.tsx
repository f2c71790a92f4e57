import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { type AlertCondition, alertKinds, alertLimits } from '@sextant/workers/src/alerts/conditions.ts';
import { type SyntheticEvent, useState } from 'react';
import { useSnapshot } from 'valtio';
import { useAlerts, useChangeAlert, useCreateAlert } from '../../api/alerts.ts';
import { messageOf } from '../../api/failure.ts';
import type { Alert } from '../../api/types.ts';
import { useOwnPrices } from '../../data/ownPrices.ts';
import { type AlertStart, alertFormState, closeAlertForm } from '../../state/alertForm.ts';
import { toast } from '../../state/toasts.ts';
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberInput.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { type AlertDraft, bodyOfDraft, changeOfDraft, draftOf, draftOfAlert, editDraft } from './alertDraft.ts';
import { ChannelFields } from './ChannelFields.tsx';
import { ConditionFields, kindNames, SelectField } from './ConditionFields.tsx';
import { useConditionText } from './useConditionText.ts';

const expiries = ['never', '1', '7', '30', 'stored'] as const;
const expiryNames = { never: 'Never', '1': 'In 1 day', '7': 'In 7 days', '30': 'In 30 days' } as const;

/** The form of an alert, opened from charts, lists, the palette or the page of alerts. */
export function AlertDialog() {
  const { start } = useSnapshot(alertFormState);
  const alerts = useAlerts();
  if (start === null) return null;
  const { id } = start;
  const alert = id === undefined ? undefined : alerts.data?.alerts.find((each) => each.id === id);
  if (id !== undefined && alert === undefined) return null;
  return <AlertForm key={JSON.stringify(start)} start={start} alert={alert} />;
}

function AlertForm({ start, alert }: { start: AlertStart; alert: Alert | undefined }) {
  const [draft, setDraft] = useState<AlertDraft>(() =>
    alert === undefined ? draftOf(start.condition) : draftOfAlert(alert),
  );
  const create = useCreateAlert();
  const change = useChangeAlert();
  const failure = create.error ?? change.error;
  const textOf = useConditionText();
  const edit = (fields: Partial<AlertDraft>) => setDraft((before) => editDraft(before, fields));
  usePriceAsLevel(draft, edit);

  const isPositionMissing = draft.kind === 'liquidation' && draft.positionId === '';
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPositionMissing || draft.channels.length === 0) return;
    const onSuccess = () => {
      toast(alert === undefined ? 'Alert set' : 'Alert saved', 'success');
      closeAlertForm();
    };
    if (alert === undefined) create.mutate(bodyOfDraft(draft), { onSuccess });
    else change.mutate({ id: alert.id, body: changeOfDraft(draft, alert) }, { onSuccess });
  };

  const text = isPositionMissing
    ? 'Choose a position.'
    : `Fires on: ${textOf(bodyOfDraft(draft).condition as AlertCondition)}.`;
  return (
    <Dialog title={alert === undefined ? 'New alert' : 'Edit alert'} isOpen text={text} onClose={closeAlertForm}>
      <form noValidate className="flex flex-col gap-3" onSubmit={save}>
        <SelectField
          label="Alert on"
          options={alertKinds}
          value={draft.kind}
          nameOf={(kind) => kindNames[kind]}
          onSelect={(kind) => edit({ kind, level: kind === 'indicator' && draft.kind !== kind ? 30 : draft.level })}
        />
        <ConditionFields draft={draft} onChange={edit} />
        <Repeats draft={draft} onChange={edit} />
        <Expiry draft={draft} onChange={edit} />
        <TextField
          label="Note"
          value={draft.note}
          onChange={(note) => edit({ note: note.slice(0, alertLimits.noteMax) })}
        />
        <ChannelFields chosen={draft.channels} onChange={(channels) => edit({ channels })} />
        {draft.channels.length === 0 && <Notice tone="info">Choose at least one channel.</Notice>}
        {failure !== null && <Notice tone="error">{messageOf(failure, 'Could not save the alert.')}</Notice>}
        <DialogButtons
          label={alert === undefined ? 'Set alert' : 'Save alert'}
          isBusy={create.isPending || change.isPending}
          onClose={closeAlertForm}
        />
      </form>
    </Dialog>
  );
}

/** A price alert without a level starts at the last price. */
function usePriceAsLevel(draft: AlertDraft, edit: (fields: Partial<AlertDraft>) => void): void {
  const isOpen = draft.kind === 'price' && draft.level === 0;
  const prices = useOwnPrices(isOpen ? [draft.symbol] : []);
  const price = prices?.prices.find(({ symbol }) => symbol === draft.symbol)?.price;
  if (isOpen && price !== undefined) edit({ level: price, prefilled: price });
}

interface PartProps {
  draft: AlertDraft;
  onChange: (fields: Partial<AlertDraft>) => void;
}

function Repeats({ draft, onChange }: PartProps) {
  return (
    <div className="grid grid-cols-2 items-end gap-3 max-md:grid-cols-1">
      <Segments
        label="How often"
        options={['once', 'each']}
        value={draft.repeats ? 'each' : 'once'}
        nameOf={(each) => (each === 'each' ? 'Each time' : 'Once')}
        onSelect={(each) => onChange({ repeats: each === 'each' })}
      />
      {draft.repeats && (
        <NumberField
          label="Least pause"
          unit="min"
          value={draft.pauseMinutes}
          min={1}
          max={alertLimits.pauseMinutesMax}
          step={1}
          decimals={0}
          onChange={(pauseMinutes) => onChange({ pauseMinutes })}
        />
      )}
    </div>
  );
}

function Expiry({ draft, onChange }: PartProps) {
  const [choice, setChoice] = useState<(typeof expiries)[number]>(draft.expiresAt === '' ? 'never' : 'stored');
  const select = (next: (typeof expiries)[number]) => {
    setChoice(next);
    if (next === 'stored') return;
    const days = Number(next);
    onChange({ expiresAt: next === 'never' ? '' : new Date(Date.now() + days * DAY_MS).toISOString() });
  };
  const options = expiries.filter((each) => each !== 'stored' || choice === 'stored');
  return (
    <SelectField
      label="Expires"
      options={options}
      value={choice}
      nameOf={(each) =>
        each === 'stored' ? `${draft.expiresAt.slice(0, 16).replace('T', ' ')} UTC` : expiryNames[each]
      }
      onSelect={select}
    />
  );
}
