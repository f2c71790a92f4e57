import { hintOfSetting, type NumberSettingId, readNumberSetting } from '@sextant/workers/src/core/settings.ts';
import type { ReactNode } from 'react';
import { type HelpTopic, SettingHelp } from './HelpLink.tsx';
import { NumberField } from './NumberInput.tsx';
import { ErrorState, SkeletonRows } from './Panel.tsx';
import { SliderRow } from './SliderRow.tsx';

interface Settings<Draft> {
  /** As typed; null until the saved settings have been read. */
  draft: Draft | null;
  failure: Error | null;
  isUnsaved: boolean;
  isSaving: boolean;
  reload: () => void;
  submit: () => void;
  discard: () => void;
}

interface Props<Draft> {
  name: string;
  settings: Settings<Draft>;
  /** Shown instead of the fields when the settings could not be read. */
  unreadText?: string;
  saveLabel?: string;
  /** For a form that fills its page: its buttons stay in sight while it scrolls. */
  isPage?: boolean;
  className?: string;
  children: (draft: Draft) => ReactNode;
}

/** A settings form: its loading state, the fields over the draft, and the buttons that save or discard it. */
export function SettingsForm<Draft>({ name, settings, children, ...look }: Props<Draft>) {
  const { unreadText = 'The settings did not load.', saveLabel, isPage = false, className = '' } = look;
  if (settings.failure !== null)
    return <ErrorState failure={settings.failure} text={unreadText} onRetry={settings.reload} />;
  if (settings.draft === null) return <SkeletonRows rows={isPage ? 8 : 6} />;
  return (
    <form
      noValidate
      aria-label={name}
      className={`flex flex-col gap-3 ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        settings.submit();
      }}
    >
      {children(settings.draft)}
      <SaveBar settings={settings} label={saveLabel} isSticky={isPage} />
    </form>
  );
}

interface SaveBarProps {
  settings: { isUnsaved: boolean; isSaving: boolean; discard: () => void };
  label?: string | undefined;
  /** Stays in sight while a long form scrolls. */
  isSticky?: boolean;
}

const sticky =
  'action-bar sticky bottom-0 z-10 border-t border-line bg-bg py-2 max-md:bottom-[var(--bottom-bar-height)]';

/** Save and discard buttons with the state of the form around them. */
function SaveBar({ settings, label = 'Save settings', isSticky = false }: SaveBarProps) {
  const { isUnsaved, isSaving, discard } = settings;
  return (
    <div className={`flex flex-wrap items-center gap-2 ${isSticky ? sticky : ''}`}>
      <button type="submit" className="btn btn-primary" disabled={!isUnsaved || isSaving}>
        {label}
      </button>
      <button type="button" className="btn" disabled={!isUnsaved || isSaving} onClick={discard}>
        Discard changes
      </button>
      <span role="status" className="text-label text-muted">
        {isUnsaved ? 'Unsaved changes' : 'All changes saved'}
      </span>
    </div>
  );
}

interface FieldProps {
  id: NumberSettingId;
  label: string;
  value: number;
  /** In the place of bounds and default. */
  hint?: string;
  onChange: (value: number) => void;
}

/** The number field of an account setting: bounds, unit and hint come from the registry of settings. */
export function SettingField({ id, label, value, hint = hintOfSetting(id), onChange }: FieldProps) {
  const { min, max, step, decimals, unit } = readNumberSetting(id);
  return (
    <NumberField
      label={label}
      topic={`setting.${id}`}
      hint={hint}
      min={min}
      max={max}
      step={step}
      decimals={decimals}
      unit={unit ?? ''}
      value={value}
      onChange={onChange}
    />
  );
}

/** The same as a slider; a value that differs from the default is marked. */
export function SettingSlider({ id, label, value, onChange }: Omit<FieldProps, 'hint'>) {
  const { min, max, step, decimals, unit, default: standard } = readNumberSetting(id);
  return (
    <SliderRow
      name={label}
      label={label}
      topic={`setting.${id}`}
      min={min}
      max={max}
      step={step}
      decimals={decimals}
      unit={unit ?? ''}
      value={value}
      isChanged={value !== standard}
      onChange={onChange}
    />
  );
}

/** The name above a choice of few options, with a link to its help topic. */
export function SettingName({ name, topic }: { name: string; topic: HelpTopic }) {
  return (
    <span className="-my-1 flex items-center">
      <span className="text-label font-medium">{name}</span>
      <SettingHelp topic={topic} />
    </span>
  );
}
