import { LEVERAGE_MAX } from '@sextant/engine-as/abi/costs.ts';
import { messageOf } from '../../../api/failure.ts';
import { usePreferencesForm } from '../../../api/preferences.ts';
import { formatAmount } from '../../../format/number.ts';
import { formatMoney } from '../../../format/number.ts';
import { openTab } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import type { HelpTopic } from '../../../ui/HelpLink.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SettingsForm } from '../../../ui/SettingsForm.tsx';
import { SettingName } from '../../../ui/SettingName.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { balancePresets, defaults, readTradingForm, tradingForm, type TradingForm } from './tradingForm.ts';

const FAILED = 'Failed to save preferences';

function useTradingForm() {
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
    submit: () => {
      const typed = tradingForm.read();
      if (typed !== null) form.save(typed.changes);
    },
  };
}

type Edit = (change: Partial<TradingForm>) => void;

export function TradingSection() {
  const settings = useTradingForm();
  const { edit } = settings;
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
  const row = (key: 'leverage' | 'stop_loss_pct' | 'take_profit_pct' | 'max_concurrent_positions') => ({
    value: draft[key],
    isChanged: draft[key] !== defaults[key],
    onChange: (value: number) => edit({ [key]: value }),
  });
  return (
    <Panel title="Positions" bodyClassName="flex flex-col gap-2 p-3">
      <SliderRow
        name="Default leverage"
        label="Default leverage"
        topic="setting.leverage"
        {...row('leverage')}
        {...{ min: 1, max: LEVERAGE_MAX, step: 1, decimals: 0, unit: '×' }}
      />
      <SliderRow
        name="Stop loss"
        label="Stop loss"
        topic="setting.stop_loss_pct"
        {...row('stop_loss_pct')}
        {...{ min: 0, max: 20, step: 0.001, decimals: 3, unit: '%' }}
      />
      <SliderRow
        name="Take profit"
        label="Take profit"
        topic="setting.take_profit_pct"
        {...row('take_profit_pct')}
        {...{ min: 0, max: 50, step: 0.001, decimals: 3, unit: '%' }}
      />
      <SliderRow
        name="Max concurrent positions"
        label="Max concurrent positions"
        topic="setting.max_concurrent_positions"
        {...row('max_concurrent_positions')}
        {...{ min: 1, max: 50, step: 1, decimals: 0 }}
      />
      <div className="flex flex-col gap-1">
        <SettingName name="Stop and target of a signal" topic="setting.levels_mode" />
        <Segments
          label="Stop and target of a signal"
          options={levelModes}
          value={draft.levels_mode}
          nameOf={(value) => levelModeNames[value]}
          onSelect={(value) => edit({ levels_mode: value })}
        />
      </div>
      <p className="text-label text-muted">
        Leverage is capped by what the exchange allows for a symbol. “My percent” sets stop and target of every signal
        from the stop loss and take profit above, counted from the entry price; levels corrected by an AI check stay. A
        position opened without a level always uses them. 0 % means none.
      </p>
    </Panel>
  );
}

const levelModes = ['signal', 'own'] as const;
const levelModeNames = { signal: 'The signal’s', own: 'My percent' };

function PaperPanel({ draft, edit }: PanelProps) {
  return (
    <Panel title="Paper account" bodyClassName="flex flex-col gap-4 p-3">
      <PresetChoice
        label="Balance"
        topic="setting.balance_usdt"
        presets={balancePresets}
        value={draft.balance_usdt}
        hint="Simulated balance that sizes your positions. It is not a deposit."
        onSelect={(value) => edit({ balance_usdt: value })}
      />
    </Panel>
  );
}

const sizingModes = ['risk', 'fixed'] as const;
const sizingModeNames = { risk: 'By risk', fixed: 'Fixed base' };
const sizingTexts = {
  risk: 'At its stop a position loses your risk per trade, fees and slippage included. A closer stop gives a larger position. The base is the largest margin of one position.',
  fixed: 'The base is the margin of each position, whatever it loses at its stop.',
};

function SizePanel({ draft, edit }: PanelProps) {
  const { sizing_mode: mode, base_usdt: base, balance_usdt: balance } = draft;
  return (
    <Panel title="Size of a position" bodyClassName="flex flex-col gap-3 p-3">
      <SettingName name="How it is sized" topic="setting.sizing_mode" />
      <Segments
        label="Size of a position"
        options={sizingModes}
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
        <NumberField
          label="Base, USDT"
          topic="setting.base_usdt"
          hint="1 USDT or more"
          {...{ min: 1, max: 1e12, step: 10, decimals: 2, unit: 'USDT' }}
          value={base}
          onChange={(value) => edit({ base_usdt: value })}
        />
      )}
      <p className="text-label text-muted">
        The total margin of open positions stays within your equity: larger positions are reduced or skipped.
      </p>
    </Panel>
  );
}

/** Settings that other pages own. */
function ElsewherePanel() {
  return (
    <Panel title="Set elsewhere" bodyClassName="flex flex-col items-start gap-2 p-3">
      <button type="button" className="btn btn-small" onClick={() => openTab('signals', 'trading')}>
        Risk tolerance and minimum confidence
      </button>
      <button type="button" className="btn btn-small" onClick={() => openTab('signals', 'filters')}>
        Whitelist and blacklist
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
