import { choiceSettings } from '@sextant/workers/src/core/settings.ts';
import type { Preferences } from '../../../api/types.ts';
import { toleranceNames } from '../../../format/names.ts';
import { symbolsOf } from '../../../format/symbolList.ts';
import { Field, TextArea } from '../../../ui/Field.tsx';
import { SettingHelp } from '../../../ui/HelpLink.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SettingName } from '../../../ui/SettingsForm.tsx';

interface ToleranceProps {
  value: Preferences['risk_tolerance'];
  onSelect: (value: Preferences['risk_tolerance']) => void;
}

/** The risk of a position, as the scanner and the account set it. */
export function RiskTolerance({ value, onSelect }: ToleranceProps) {
  return (
    <div className="flex flex-col gap-1">
      <SettingName name="Risk tolerance" topic="setting.risk_tolerance" />
      <Segments
        label="Risk tolerance"
        options={choiceSettings.risk_tolerance.choices}
        value={value}
        nameOf={(each) => toleranceNames[each]}
        onSelect={onSelect}
      />
      <p className="text-label text-muted">A stop costs 0.5 %, 1 % or 2 % of your balance, costs included</p>
    </div>
  );
}

const lists = [
  { key: 'whitelist', label: 'Whitelist', empty: 'Empty: the whole universe', says: 'and no other' },
  {
    key: 'blacklist',
    label: 'Blacklist',
    empty: 'Empty: no symbol is excluded',
    says: 'excluded, even if whitelisted',
  },
] as const;

const countText = (text: string): string => {
  const { length } = symbolsOf(text);
  return length === 1 ? '1 symbol' : `${length} symbols`;
};

type Lists = Record<(typeof lists)[number]['key'], string>;

interface ListsProps {
  draft: Readonly<Lists>;
  errors: Partial<Record<string, string>>;
  edit: (change: Partial<Lists>) => void;
}

/** Symbols to scan, and symbols never scanned. */
export function SymbolLists({ draft, errors, edit }: ListsProps) {
  return lists.map(({ key, label, empty, says }) => (
    <Field
      key={key}
      label={label}
      help={<SettingHelp topic={`setting.${key}`} />}
      error={errors[key]}
      hint={draft[key].trim() === '' ? empty : `${countText(draft[key])}, ${says}`}
    >
      {(ids) => (
        <TextArea
          {...ids}
          rows={4}
          spellCheck={false}
          placeholder="BTCUSDT,ETHUSDT"
          value={draft[key]}
          onChange={(event) => edit({ [key]: event.target.value })}
        />
      )}
    </Field>
  ));
}
