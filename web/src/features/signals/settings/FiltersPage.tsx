import { symbolsOf } from '../../../format/symbolList.ts';
import { Field } from '../../../ui/Field.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { useScannerSettings } from './useScannerSettings.ts';

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

export function FiltersPage() {
  const settings = useScannerSettings();
  const { draft, edit, errors } = settings;
  return (
    <SettingsForm name="Symbol Filters" settings={settings}>
      <Panel title="Symbol Filters" bodyClassName="grid gap-3 p-3 md:grid-cols-2">
        {draft !== null &&
          lists.map(({ key, label, empty, says }) => (
            <Field
              key={key}
              label={label}
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
          ))}
        <p className="text-label text-muted md:col-span-2">
          Without a whitelist a symbol must be trading, listed for 14 days, turn over 1,000,000 USDT in 24 hours and
          have a spread of at most 0.2 %. The blacklist wins over the whitelist.
        </p>
      </Panel>
    </SettingsForm>
  );
}
