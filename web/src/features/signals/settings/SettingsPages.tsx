import { AUTO_SCAN_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { LISTING_DAYS_MIN, SPREAD_FRACTION_MAX, TURNOVER_USDT_MIN } from '@sextant/workers/src/signals/signalRules.ts';
import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import { useLastScan } from '../../../api/scan.ts';
import type { Preferences } from '../../../api/types.ts';
import { unreachableText } from '../../../format/confidence.ts';
import { formatAmount, formatCount, formatMoney } from '../../../format/number.ts';
import { openTab } from '../../../state/navigation.ts';
import { Field } from '../../../ui/Field.tsx';
import { Guarded } from '../../../ui/Guarded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { type HelpTopic, SettingHelp } from '../../../ui/HelpLink.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SettingField, SettingName, SettingsForm } from '../../../ui/SettingsForm.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { RiskTolerance, SymbolLists } from '../../shared/settings/TradingChoices.tsx';
import { AUTO_SCAN_CREDITS_PER_HOUR, SCAN_PRICE_TEXT } from '../scan/useScanRun.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import {
  riskBounds,
  scannerForm,
  type ScannerSettings,
  settleRisk,
  toFraction,
  toPct,
  useScannerSettings,
} from './settingsForm.ts';

const pageWidth = 'mx-auto w-full max-w-240';

interface PartProps {
  draft: ScannerSettings;
  edit: (change: Partial<ScannerSettings>) => void;
}

export function TradingPage() {
  const settings = useScannerSettings();
  const { preferences, edit } = settings;
  return (
    <SettingsForm name="Trading Settings" settings={settings} isPage className={pageWidth}>
      {(draft) => (
        <div className="grid gap-3 md:grid-cols-2">
          <Guarded>
            <SelectionPanel draft={draft} edit={edit} />
            <RiskPanel draft={draft} edit={edit} preferences={preferences} />
            <IntervalPanel draft={draft} edit={edit} />
            <AutoScanPanel draft={draft} edit={edit} />
            <AiCheckPanel draft={draft} edit={edit} />
          </Guarded>
        </div>
      )}
    </SettingsForm>
  );
}

const confidence = numberSettings.min_auto_conf_pct;
const minimumPresets = [
  ['Standard', confidence.default],
  ['Relaxed', 40],
] as const;

function SelectionPanel({ draft, edit }: PartProps) {
  const bases = useLastScan().data?.scan?.results?.confidence ?? [];
  const outOfReach = unreachableText(bases, draft.min_auto_conf_pct);
  return (
    <Panel title="Signal selection" bodyClassName="flex flex-col gap-3 p-3">
      <SettingField
        id="min_auto_conf_pct"
        label="Min Confidence (%)"
        hint={`${confidence.min} to ${confidence.max}; 0 means off`}
        value={draft.min_auto_conf_pct}
        onChange={(value) => edit({ min_auto_conf_pct: value })}
      />
      <div role="group" aria-label="Min Confidence presets" className="flex gap-2">
        {minimumPresets.map(([name, value]) => (
          <button
            key={name}
            type="button"
            className="btn btn-small"
            aria-pressed={draft.min_auto_conf_pct === value}
            onClick={() => edit({ min_auto_conf_pct: value })}
          >
            {name} {value}
          </button>
        ))}
      </div>
      <SwitchRow
        label="Apply it to scores of saved rules"
        topic="setting.min_conf_on_score"
        text="Off: saved rules use their own threshold until their win chance is measured."
        isOn={draft.min_conf_on_score}
        onToggle={(isOn) => edit({ min_conf_on_score: isOn })}
      />
      {outOfReach !== null && <Notice tone="warn">{outOfReach}</Notice>}
      <SettingField
        id="positions_wanted"
        label="Maximum Positions"
        value={draft.positions_wanted}
        onChange={(value) => edit({ positions_wanted: value })}
      />
      <SettingField
        id="max_symbols"
        label="Universe Size Limit"
        value={draft.max_symbols}
        onChange={(value) => edit({ max_symbols: value })}
      />
    </Panel>
  );
}

function RiskPanel({ draft, edit, preferences }: PartProps & { preferences: Preferences | null }) {
  const settle = (edited: 'min' | 'max') => {
    // The field has just written its last value: the snapshot of this render is older.
    const typed = scannerForm.read();
    if (typed !== null) edit(settleRisk(edited, typed.draft));
  };
  return (
    <Panel title="Risk" bodyClassName="flex flex-col gap-3 p-3">
      <RiskTolerance value={draft.risk_tolerance} onSelect={(value) => edit({ risk_tolerance: value })} />
      <SwitchRow
        label="Dynamic risk"
        topic="setting.dynamic_risk_on"
        text="Starts at 0.8 times the risk per trade. After ten closed trades, gains raise it towards the maximum and losses lower it towards the minimum."
        isOn={draft.dynamic_risk_on}
        onToggle={(isOn) => edit({ dynamic_risk_on: isOn })}
      />
      {draft.dynamic_risk_on && (
        <div className="grid grid-cols-2 gap-3">
          <div onBlur={() => settle('min')}>
            <NumberField
              label="Minimum Risk (%)"
              topic="setting.risk_min_pct"
              hint={`${riskBounds.min.min} to ${riskBounds.min.max}, at most the maximum`}
              min={riskBounds.min.min}
              max={riskBounds.min.max}
              step={numberSettings.risk_min_pct.step}
              decimals={numberSettings.risk_min_pct.decimals}
              unit="%"
              value={toPct(draft.risk_min_pct)}
              onChange={(value) => edit({ risk_min_pct: toFraction(value) })}
            />
          </div>
          <div onBlur={() => settle('max')}>
            <NumberField
              label="Maximum Risk (%)"
              topic="setting.risk_max_pct"
              hint={`${riskBounds.max.min} to ${riskBounds.max.max}, at least the minimum`}
              min={riskBounds.max.min}
              max={riskBounds.max.max}
              step={numberSettings.risk_max_pct.step}
              decimals={numberSettings.risk_max_pct.decimals}
              unit="%"
              value={toPct(draft.risk_max_pct)}
              onChange={(value) => edit({ risk_max_pct: toFraction(value) })}
            />
          </div>
        </div>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Field label="Leverage" hint="Read-only here">
          {(ids) => (
            <input
              {...ids}
              readOnly
              className="input number-input"
              value={`${preferences?.leverage ?? numberSettings.leverage.default}x`}
            />
          )}
        </Field>
        <Field label="Balance" hint="Simulated, read-only here">
          {(ids) => (
            <input
              {...ids}
              readOnly
              className="input number-input"
              value={`${formatMoney(preferences?.balance_usdt)} USDT`}
            />
          )}
        </Field>
      </div>
      <button type="button" className="btn btn-small self-start" onClick={() => openTab('account', 'trading')}>
        Change them in the account
      </button>
    </Panel>
  );
}

function IntervalPanel({ draft, edit }: PartProps) {
  return (
    <Panel title="Intervals" bodyClassName="flex flex-col gap-3 p-3">
      <div className="flex flex-col gap-1">
        <SettingName name="Primary interval" topic="setting.scan_interval" />
        <Segments
          label="Primary interval"
          options={signalIntervals}
          value={draft.scan_interval}
          onSelect={(scan_interval) => edit({ scan_interval })}
        />
      </div>
      <div role="group" aria-label="Scanning intervals" className="flex flex-col gap-2">
        <SettingName name="Scanning intervals" topic="setting.interval_opts" />
        <div className="flex flex-wrap gap-4">
          {signalIntervals.map((interval) => (
            <span key={interval} className="flex items-center gap-2">
              <Switch
                label={`Scan ${interval}`}
                isOn={draft.interval_opts[interval]}
                onToggle={(isOn) => edit({ interval_opts: { ...draft.interval_opts, [interval]: isOn } })}
              />
              {interval}
            </span>
          ))}
        </div>
        <p className="text-label text-muted">All off: only the primary interval is scanned.</p>
      </div>
    </Panel>
  );
}

const autoScanChoices = ['Disabled', 'Enabled'] as const;

function AutoScanPanel({ draft, edit }: PartProps) {
  return (
    <Panel title="Auto-Scan" bodyClassName="flex flex-col gap-2 p-3">
      <SettingName name="Scan by itself" topic="setting.auto_scan_enabled" />
      <Segments
        label="Auto-Scan"
        options={autoScanChoices}
        value={draft.auto_scan_enabled ? 'Enabled' : 'Disabled'}
        onSelect={(choice) => edit({ auto_scan_enabled: choice === 'Enabled' })}
      />
      <p className="text-label text-muted">
        Every {AUTO_SCAN_MINUTES} minutes while the Signals tab is open: {SCAN_PRICE_TEXT} per scan, up to{' '}
        {AUTO_SCAN_CREDITS_PER_HOUR} credits per hour. It stops at 0 credits.
      </p>
      <SwitchRow
        label="Keep scanning while I am away"
        topic="setting.keep_scanning"
        text={`Scans every ${AUTO_SCAN_MINUTES} minutes for ${SCAN_PRICE_TEXT}, also with this page closed. Skips one right after your own scan. Switches off at 0 credits.`}
        isOn={draft.keep_scanning}
        onToggle={(isOn) => edit({ keep_scanning: isOn })}
      />
    </Panel>
  );
}

function AiCheckPanel({ draft, edit }: PartProps) {
  return (
    <Panel title="AI check" bodyClassName="flex flex-col gap-2 p-3">
      <p className="text-label text-muted">
        The ten best results of each scan are checked at no extra cost, by an AI model or else by built-in rules.
        Rejected signals are skipped. Exceptions:
      </p>
      <SwitchRow
        label="Accept a rejected signal at a smaller size"
        topic="setting.ai_soft_approval"
        text="It passes with at most half the size."
        isOn={draft.ai_soft_approval}
        onToggle={(isOn) => edit({ ai_soft_approval: isOn })}
      />
      <SwitchRow
        label="Accept a rejected signal with the AI's stop and target"
        topic="setting.ai_allow_correction"
        text="It passes with the levels that the check proposes, if any."
        isOn={draft.ai_allow_correction}
        onToggle={(isOn) => edit({ ai_allow_correction: isOn })}
      />
    </Panel>
  );
}

interface SwitchRowProps {
  label: string;
  topic: HelpTopic;
  text: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
}

function SwitchRow({ label, topic, text, isOn, onToggle }: SwitchRowProps) {
  return (
    <div className="flex items-start gap-3 border-t border-line pt-2">
      <div className="min-w-0 flex-1">
        <p className="-my-1 flex items-center font-medium">
          {label}
          <SettingHelp topic={topic} />
        </p>
        <p className="text-label text-muted">{text}</p>
      </div>
      <Switch label={label} isOn={isOn} onToggle={onToggle} />
    </div>
  );
}

export function FiltersPage() {
  const settings = useScannerSettings();
  const { edit, errors } = settings;
  return (
    <SettingsForm name="Symbol Filters" settings={settings} isPage className={pageWidth}>
      {(draft) => (
        <Panel title="Symbol Filters" bodyClassName="grid gap-3 p-3 md:grid-cols-2">
          <SymbolLists draft={draft} errors={errors} edit={edit} />
          <p className="text-label text-muted md:col-span-2">
            Without a whitelist: symbols must be trading, listed for {LISTING_DAYS_MIN} days, turn over{' '}
            {formatCount(TURNOVER_USDT_MIN)} USDT in 24 hours and have a spread of at most{' '}
            {formatAmount(SPREAD_FRACTION_MAX * 100)} %. The blacklist overrides the whitelist.
          </p>
        </Panel>
      )}
    </SettingsForm>
  );
}
