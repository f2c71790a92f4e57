import { riskTolerances, toleranceNames } from '../../../format/riskTolerance.ts';
import { symbolsOf } from '../../../format/symbolList.ts';
import { Field } from '../../../ui/Field.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { PresetChoice } from './PresetChoice.tsx';
import { balancePresets, confidencePresets, defaults, type TradingForm } from './tradingForm.ts';
import { useTradingForm } from './useTradingForm.ts';

type Edit = (change: Partial<TradingForm>) => void;

export function TradingSection() {
  const form = useTradingForm();
  if (form.failure !== null) return <ErrorState text="Failed to initialize" onRetry={form.reload} />;
  if (form.draft === null) return <SkeletonRows rows={8} />;
  return (
    <form
      noValidate
      aria-label="Trading preferences"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <RiskPanel draft={form.draft} edit={form.edit} />
        <PaperPanel draft={form.draft} edit={form.edit} />
        <SymbolsPanel draft={form.draft} edit={form.edit} errors={form.errors} />
      </div>
      <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-line bg-bg px-1 py-2 max-md:bottom-[var(--bottom-bar-height)]">
        <button type="submit" className="btn btn-primary" disabled={!form.isUnsaved || form.isSaving}>
          Save trading preferences
        </button>
        <button type="button" className="btn" disabled={!form.isUnsaved || form.isSaving} onClick={form.discard}>
          Discard changes
        </button>
        <span role="status" className="text-label text-muted">
          {form.isUnsaved ? 'Unsaved changes' : 'Everything is saved'}
        </span>
      </div>
    </form>
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
        {...row('leverage')}
        {...{ min: 1, max: 125, step: 1, decimals: 0, unit: '×' }}
      />
      <SliderRow
        name="Stop loss"
        label="Stop loss"
        {...row('stop_loss_pct')}
        {...{ min: 0, max: 20, step: 0.001, decimals: 3, unit: '%' }}
      />
      <SliderRow
        name="Take profit"
        label="Take profit"
        {...row('take_profit_pct')}
        {...{ min: 0, max: 50, step: 0.001, decimals: 3, unit: '%' }}
      />
      <SliderRow
        name="Max concurrent positions"
        label="Max positions"
        {...row('max_concurrent_positions')}
        {...{ min: 1, max: 50, step: 1, decimals: 0 }}
      />
      <div className="grid grid-cols-[126px_1fr] items-center gap-2">
        <span className="text-label">Risk tolerance</span>
        <Segments
          label="Risk tolerance"
          options={riskTolerances}
          value={draft.risk_tolerance}
          nameOf={(value) => toleranceNames[value]}
          onSelect={(value) => edit({ risk_tolerance: value })}
        />
      </div>
      <p className="text-label text-muted">
        Leverage 1 to 125, capped by what the exchange allows for a symbol. Stop loss 0 to 20 % and take profit 0 to 50
        % of the entry price.
      </p>
    </Panel>
  );
}

function PaperPanel({ draft, edit }: PanelProps) {
  return (
    <Panel title="Paper account" bodyClassName="flex flex-col gap-4 p-3">
      <PresetChoice
        label="Minimum confidence"
        presets={confidencePresets}
        value={draft.min_auto_conf_pct}
        textOf={(value) => `${value} %`}
        hint="Signals below it are not taken by automatic trading. 0 means off."
        onSelect={(value) => edit({ min_auto_conf_pct: value })}
      />
      <PresetChoice
        label="Balance"
        presets={balancePresets}
        value={draft.balance_usdt}
        hint="Simulated money that position sizes are computed from. It is no deposit."
        onSelect={(value) => edit({ balance_usdt: value })}
      />
    </Panel>
  );
}

const countOf = (text: string): string => {
  const { length } = symbolsOf(text);
  return length === 1 ? '1 symbol' : `${length} symbols`;
};

function SymbolsPanel({ draft, edit, errors }: PanelProps & { errors: Partial<Record<keyof TradingForm, string>> }) {
  return (
    <Panel title="Symbols" className="md:col-span-2" bodyClassName="grid gap-3 p-3 md:grid-cols-2">
      <Field
        label="Whitelist"
        error={errors.whitelist}
        hint={draft.whitelist.trim() === '' ? 'Empty: every symbol' : `${countOf(draft.whitelist)}, and no other`}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            spellCheck={false}
            placeholder="BTCUSDT, ETHUSDT"
            value={draft.whitelist}
            onChange={(event) => edit({ whitelist: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Blacklist"
        error={errors.blacklist}
        hint={draft.blacklist.trim() === '' ? 'Empty: none is left out' : `${countOf(draft.blacklist)} left out`}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            spellCheck={false}
            placeholder="DOGEUSDT"
            value={draft.blacklist}
            onChange={(event) => edit({ blacklist: event.target.value })}
          />
        )}
      </Field>
    </Panel>
  );
}
