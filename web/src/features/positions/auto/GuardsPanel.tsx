import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import { messageOf } from '../../../api/failure.ts';
import { useGuards, useRearm } from '../../../data/positions.ts';
import type { Guard, Preferences, PreferencesChange, SizingGuard } from '../../../api/types.ts';
import { formatFixed } from '../../../format/number.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { SettingHelp } from '../../../ui/HelpLink.tsx';
import { NumberInput } from '../../../ui/NumberInput.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SettingsForm } from '../../../ui/SettingsForm.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useAutoSettings } from './useAutoSettings.ts';

type GuardKey =
  | 'guard_daily_loss_pct'
  | 'guard_stop_streak'
  | 'guard_drawdown_pct'
  | 'guard_stops_pct'
  | 'guard_exposure_pct';

const guardRows = [
  {
    name: 'daily_loss',
    key: 'guard_daily_loss_pct',
    label: 'Daily loss limit',
    text: 'Stops new positions until the next UTC day once closed positions lost this share of the balance.',
  },
  {
    name: 'stop_streak',
    key: 'guard_stop_streak',
    label: 'Stop streak',
    text: 'Stops new positions after this many losing stops in a row, until the cooldown ends.',
  },
  {
    name: 'drawdown',
    key: 'guard_drawdown_pct',
    label: 'Max drawdown',
    text: 'Stops new positions at this fall of realised equity from its peak, until you resume.',
  },
  {
    name: 'stops',
    key: 'guard_stops_pct',
    label: 'Loss at all stops',
    text: 'Opens smaller positions so that all stops together lose at most this share of the equity.',
  },
  {
    name: 'exposure',
    key: 'guard_exposure_pct',
    label: 'Net exposure',
    text: 'Opens smaller positions so that longs less shorts stay within this share of the equity.',
  },
] as const satisfies readonly { name: Guard['name'] | SizingGuard['name']; key: GuardKey; [field: string]: unknown }[];

const cooldown = numberSettings.guard_cooldown_minutes;
const readGuard = (
  key: GuardKey,
): { first: number; min: number; max: number; step: number; decimals: number; unit?: string } => numberSettings[key];

/** Guards beyond the specification: three stop new trades, two size them down. */
export function GuardsPanel() {
  const settings = useAutoSettings();
  const state = useGuards();
  return (
    <Panel title="Guards" aside="Stop or shrink new trades" bodyClassName="p-3">
      <SettingsForm name="Guards" settings={settings}>
        {(values) => (
          <div className="flex flex-col gap-3">
            {guardRows.map((row) => (
              <GuardRow
                key={row.name}
                row={row}
                state={state.data?.guards.find(({ name }) => name === row.name)}
                sizing={state.data?.sizing_guards.find(({ name }) => name === row.name)}
                values={values}
                edit={settings.edit}
              />
            ))}
          </div>
        )}
      </SettingsForm>
    </Panel>
  );
}

interface RowProps {
  row: (typeof guardRows)[number];
  state: Guard | undefined;
  /** Settings of a guard that reduces the size. */
  sizing: SizingGuard | undefined;
  values: Preferences;
  edit: (change: PreferencesChange) => void;
}

function GuardRow({ row, state, sizing, values, edit }: RowProps) {
  const { key, label, text } = row;
  const { first, min, max, step, decimals, unit = '' } = readGuard(key);
  const limit = values[key];
  return (
    <div className="flex flex-col gap-1 border-b border-line pb-3">
      <div className="flex h-8 items-center gap-3">
        <Switch label={label} isOn={limit !== null} onToggle={(isOn) => edit({ [key]: isOn ? first : null })} />
        <span className="flex flex-1 items-center font-medium">
          {label}
          <SettingHelp topic={`setting.${key}`} />
        </span>
        {limit !== null && (
          <span className="w-24">
            <NumberInput
              aria-label={`${label}, limit`}
              isSmall
              value={limit}
              min={min}
              max={max}
              step={step}
              decimals={decimals}
              unit={unit}
              onChange={(value) => edit({ [key]: value })}
            />
          </span>
        )}
      </div>
      {row.name === 'stop_streak' && limit !== null && (
        <div className="flex items-center gap-3">
          <span className="flex flex-1 items-center text-label">
            Cooldown
            <SettingHelp topic="setting.guard_cooldown_minutes" />
          </span>
          <span className="w-24">
            <NumberInput
              aria-label="Cooldown, minutes"
              isSmall
              min={cooldown.min}
              max={cooldown.max}
              step={cooldown.step}
              decimals={cooldown.decimals}
              unit={cooldown.unit}
              value={values.guard_cooldown_minutes}
              onChange={(value) => edit({ guard_cooldown_minutes: value })}
            />
          </span>
        </div>
      )}
      <p className="text-label text-muted">{text}</p>
      {state !== undefined && <GuardNow state={state} unit={unit} />}
      {sizing !== undefined && <p className="text-label">{usedText(sizing)}</p>}
    </div>
  );
}

/** "Now 150.00 % long": the share of the equity that open positions use. */
export function usedText({ name, value }: SizingGuard): string {
  if (value === null) return 'No equity left';
  const side = name === 'stops' || value === 0 ? '' : value > 0 ? ' long' : ' short';
  return `Now ${value === 0 ? '0' : formatFixed(Math.abs(value), 2)}\u00a0%${side}`;
}

function GuardNow({ state, unit }: { state: Guard; unit: string }) {
  const rearm = useRearm();
  const now = `Now ${formatFixed(state.value, unit === '' ? 0 : 2)}${unit === '' ? ' in a row' : ' %'}`;
  if (!state.is_tripped) return <p className="text-label">{now}</p>;
  return (
    <div className="flex flex-wrap items-center gap-3 text-label text-warn">
      <span>
        {now}, limit {state.limit}: holding
        {state.until !== null && (
          <>
            {' '}
            until <Time at={state.until} />
          </>
        )}
      </span>
      {state.name === 'drawdown' && (
        <button
          type="button"
          className="btn btn-small"
          disabled={rearm.isPending}
          onClick={() =>
            rearm.mutate(undefined, {
              onSuccess: () => toast('Drawdown now measured from here', 'success'),
              onError: (failure) => toastRejection(messageOf(failure, 'Could not resume.'), failure),
            })
          }
        >
          Resume, measure from now
        </button>
      )}
    </div>
  );
}
