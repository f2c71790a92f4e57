import { choiceSettings, numberSettings } from '@sextant/workers/src/core/settings.ts';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { usePreferencesForm } from '../../../data/preferences.ts';
import type { Preferences } from '../../../api/types.ts';
import { formatAmount, formatMoney } from '../../../format/number.ts';
import { listErrors, symbolsOf } from '../../../format/symbolList.ts';
import { createDraftForm, findChanges } from '../../../state/draftForm.ts';
import { openTab } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import type { HelpTopic } from '../../../ui/HelpLink.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SettingField, SettingName, SettingsForm, SettingSlider } from '../../../ui/SettingsForm.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { RiskTolerance, SymbolLists } from '../../shared/settings/TradingChoices.tsx';

const FAILED = 'Failed to save preferences';

function useTradingForm() {
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const form = usePreferencesForm({
    form: tradingForm,
    readForm: readTradingForm,
    onSaved: () => toast('Trading preferences saved!', 'success'),
    onFailed: (failure) => {
      const why = messageOf(failure, '');
      toast(why === '' ? FAILED : `${FAILED}: ${why}`, 'error');
    },
  });
  return {
    ...form,
    errors,
    edit: (change: Partial<TradingForm>) => {
      form.edit(change);
      setErrors({});
    },
    discard: () => {
      form.discard();
      setErrors({});
    },
    submit: () => {
      const typed = tradingForm.read();
      if (typed === null) return;
      const result = listErrors(typed.draft);
      setErrors({ ...result });
      if (Object.keys(result).length > 0) return;
      form.save(findChanges(withCleanLists(typed.draft), typed.saved), typed.changes);
    },
  };
}

type Edit = (change: Partial<TradingForm>) => void;

export function TradingSection() {
  const settings = useTradingForm();
  const { edit, errors } = settings;
  return (
    <SettingsForm
      name="Trading preferences"
      settings={settings}
      unreadText="Failed to initialize"
      saveLabel="Save trading preferences"
      isPage
    >
      {(draft) => (
        <div className="grid gap-4 md:grid-cols-2">
          <Guarded>
            <RiskPanel draft={draft} edit={edit} />
            <PaperPanel draft={draft} edit={edit} />
            <SizePanel draft={draft} edit={edit} />
            <Panel title="Symbols" bodyClassName="flex flex-col gap-3 p-3">
              <SymbolLists draft={draft} errors={errors} edit={edit} />
            </Panel>
            <ElsewherePanel />
          </Guarded>
        </div>
      )}
    </SettingsForm>
  );
}

interface PanelProps {
  draft: Readonly<TradingForm>;
  edit: Edit;
}

function RiskPanel({ draft, edit }: PanelProps) {
  return (
    <Panel title="Positions" bodyClassName="flex flex-col gap-2 p-3">
      <RiskTolerance value={draft.risk_tolerance} onSelect={(value) => edit({ risk_tolerance: value })} />
      <SettingSlider
        id="leverage"
        label="Default leverage"
        value={draft.leverage}
        onChange={(value) => edit({ leverage: value })}
      />
      <SettingSlider
        id="stop_loss_pct"
        label="Stop loss"
        value={draft.stop_loss_pct}
        onChange={(value) => edit({ stop_loss_pct: value })}
      />
      <SettingSlider
        id="take_profit_pct"
        label="Take profit"
        value={draft.take_profit_pct}
        onChange={(value) => edit({ take_profit_pct: value })}
      />
      <SettingSlider
        id="max_concurrent_positions"
        label="Max concurrent positions"
        value={draft.max_concurrent_positions}
        onChange={(value) => edit({ max_concurrent_positions: value })}
      />
      <div className="flex flex-col gap-1">
        <SettingName name="Stop and target of a signal" topic="setting.levels_mode" />
        <Segments
          label="Stop and target of a signal"
          options={choiceSettings.levels_mode.choices}
          value={draft.levels_mode}
          nameOf={(value) => levelModeNames[value]}
          onSelect={(value) => edit({ levels_mode: value })}
        />
      </div>
      <p className="text-label text-muted">
        The exchange caps leverage per symbol. “My percent” applies your stop loss and take profit, from the entry
        price, to every signal. Levels corrected by an AI check stay. Positions opened without a level always use your
        percent. 0 % means none.
      </p>
    </Panel>
  );
}

const levelModeNames = { signal: 'The signal’s', own: 'My percent' };

function PaperPanel({ draft, edit }: PanelProps) {
  return (
    <Panel title="Paper account" bodyClassName="flex flex-col gap-4 p-3">
      <PresetChoice
        label="Balance"
        topic="setting.balance_usdt"
        presets={balancePresets}
        value={draft.balance_usdt}
        hint="Simulated balance for position sizing, not a deposit."
        onSelect={(value) => edit({ balance_usdt: value })}
      />
    </Panel>
  );
}

const sizingModeNames = { risk: 'By risk', fixed: 'Fixed base' };
const sizingTexts = {
  risk: 'A stop costs your risk per trade, fees and slippage included. A closer stop means a larger position. The base caps the margin of one position.',
  fixed: 'Each position uses the base as margin. The loss at the stop varies.',
};

function SizePanel({ draft, edit }: PanelProps) {
  const { sizing_mode: mode, base_usdt: base, balance_usdt: balance } = draft;
  return (
    <Panel title="Position size" bodyClassName="flex flex-col gap-3 p-3">
      <SettingName name="Sizing method" topic="setting.sizing_mode" />
      <Segments
        label="Position size"
        options={choiceSettings.sizing_mode.choices}
        value={mode}
        nameOf={(value) => sizingModeNames[value]}
        onSelect={(value) => edit({ sizing_mode: value })}
      />
      <p className="text-label text-muted">{sizingTexts[mode]}</p>
      <span className="flex items-center gap-2">
        <Switch
          label="Own base amount"
          isOn={base !== null}
          onToggle={(isOn) => edit({ base_usdt: isOn ? Math.max(1, Math.round(balance / 10)) : null })}
        />
        {base === null ? `Base: your balance, ${formatMoney(balance)} USDT` : 'Base: the amount below'}
      </span>
      {base !== null && (
        <SettingField
          id="base_usdt"
          label="Base, USDT"
          hint={`${numberSettings.base_usdt.min} USDT or more`}
          value={base}
          onChange={(value) => edit({ base_usdt: value })}
        />
      )}
      <p className="text-label text-muted">
        Total margin stays within your equity. Larger positions are reduced or skipped.
      </p>
    </Panel>
  );
}

/** Settings that other pages own. */
function ElsewherePanel() {
  return (
    <Panel title="Set elsewhere" bodyClassName="flex flex-col items-start gap-2 p-3">
      <button type="button" className="btn btn-small" onClick={() => openTab('signals', 'trading')}>
        Minimum confidence
      </button>
      <button type="button" className="btn btn-small" onClick={() => openTab('auto', 'trailing')}>
        Trailing stop
      </button>
    </Panel>
  );
}

interface Preset {
  id: string;
  label: string;
  value: number;
}

interface Props {
  label: string;
  topic: HelpTopic;
  presets: readonly Preset[];
  value: number;
  hint: string;
  /** Shown beside the name of a preset that does not contain its value. */
  textOf?: (value: number) => string;
  onSelect: (value: number) => void;
}

const CUSTOM = 'custom';

/** Named values to choose from. A value without a name is shown as custom and stays until another is chosen. */
function PresetChoice({ label, topic, presets, value, hint, textOf, onSelect }: Props) {
  const current = presets.find((preset) => preset.value === value);
  const options = [...presets.map(({ id }) => id), ...(current === undefined ? [CUSTOM] : [])];
  const nameOf = (id: string): string => {
    const preset = presets.find((each) => each.id === id);
    if (preset === undefined) return `Custom ${textOf?.(value) ?? formatAmount(value)}`;
    return textOf === undefined ? preset.label : `${preset.label} ${textOf(preset.value)}`;
  };
  return (
    <div className="flex flex-col gap-1">
      <SettingName name={label} topic={topic} />
      <Segments
        label={label}
        options={options}
        value={current?.id ?? CUSTOM}
        nameOf={nameOf}
        onSelect={(id) => {
          const preset = presets.find((each) => each.id === id);
          if (preset !== undefined) onSelect(preset.value);
        }}
      />
      <p className="text-label text-muted">{hint}</p>
    </div>
  );
}

/** The alternative defaults of the specification, offered beside the stored ones. The risks are basis points. */
export const otherDefaults = { balanceUsdt: 700_000, minAutoConfPct: 40, riskMinBps: 50, riskMaxBps: 200 } as const;

interface TradingForm {
  leverage: number;
  sizing_mode: Preferences['sizing_mode'];
  base_usdt: number | null;
  levels_mode: Preferences['levels_mode'];
  stop_loss_pct: number;
  take_profit_pct: number;
  max_concurrent_positions: number;
  balance_usdt: number;
  risk_tolerance: Preferences['risk_tolerance'];
  whitelist: string;
  blacklist: string;
}

/** Defaults of a new account; a value that differs is marked. */
export const defaults: TradingForm = {
  leverage: numberSettings.leverage.default,
  sizing_mode: choiceSettings.sizing_mode.default,
  base_usdt: numberSettings.base_usdt.default,
  levels_mode: choiceSettings.levels_mode.default,
  stop_loss_pct: numberSettings.stop_loss_pct.default,
  take_profit_pct: numberSettings.take_profit_pct.default,
  max_concurrent_positions: numberSettings.max_concurrent_positions.default,
  balance_usdt: numberSettings.balance_usdt.default,
  risk_tolerance: choiceSettings.risk_tolerance.default,
  whitelist: '',
  blacklist: '',
};

const withCleanLists = (draft: Readonly<TradingForm>): TradingForm => ({
  ...draft,
  whitelist: symbolsOf(draft.whitelist).join(','),
  blacklist: symbolsOf(draft.blacklist).join(','),
});

/** The default and the alternative as choices. */
export const balancePresets = [
  { id: 'standard', label: '1,000 USDT', value: numberSettings.balance_usdt.default },
  { id: 'large', label: '700,000 USDT', value: otherDefaults.balanceUsdt },
] as const;

const keys = Object.keys(defaults) as (keyof TradingForm)[];

/** The part of the preferences that the form edits. */
const readTradingForm = (preferences: Preferences): TradingForm =>
  Object.fromEntries(keys.map((key) => [key, preferences[key]])) as unknown as TradingForm;

export const tradingForm = createDraftForm<TradingForm>();
