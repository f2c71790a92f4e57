import {
  CONTEXT_WEIGHT,
  directions,
  oppositeReactions,
  sizingModes,
  type StrategyField,
  strategyFields,
  type StrategyLevel,
} from '@sextant/engine-as/abi/strategy.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import type { HelpTopic } from '../../../ui/HelpLink.tsx';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { draft } from '../backtestState.ts';
import { fractionToPercent, percentToFraction } from '../params.ts';
import { RulesDetectableNote } from '../search/Detectable.tsx';
import { type LiveSettings, longerOffered, startLive } from './liveSettings.ts';
import { VoteWeights } from './VoteWeights.tsx';

const directionNames = { both: 'Both', long: 'Long only', short: 'Short only' };
const oppositeNames = { hold: 'Hold', exit: 'Exit', reverse: 'Reverse' };
const sizingNames = { risk: 'By risk', fixed: 'Fixed size' };
const levelModes = ['atr', 'percent'] as const;
const levelNames = { atr: 'ATR', percent: 'Percent' };
const trailingModes = ['off', 'percent', 'atr'] as const;
const trailingNames = { off: 'Off', percent: 'Percent', atr: 'ATR' };

const weightText = (weight: number = CONTEXT_WEIGHT): string =>
  weight === CONTEXT_WEIGHT ? 'half weight' : `weight ${weight}`;

/** Source of the votes. */
function votesText({ own, tuning }: Pick<LiveSettings, 'own' | 'tuning'>): string {
  if (own === null)
    return `${scannerVoteCount} price votes with ${tuning === null ? 'your signal tuning' : 'the tuning of the signal'}.`;
  if (own.version !== '') return `The votes of ${own.name}.`;
  const isWeighed = voteIds.some((id) => own.weights[id] !== own.startWeights[id]);
  const changed = [isWeighed ? 'weights' : '', Object.keys(own.parameters).length > 0 ? 'parameters' : ''];
  return `Scanner votes with your own ${changed.filter((part) => part !== '').join(' and ')}.`;
}

const scannerVoteCount = voteIds.filter((id) => (liveWeights[id] ?? 0) !== 0).length;

/** The rules of the scanner, and the parts the lab may change. */
export function LivePanel() {
  const { live, interval, source } = useSnapshot(draft);
  const { exits } = live;
  const start = startLive();
  const isChanged = JSON.stringify({ ...live, tuning: null }) !== JSON.stringify({ ...start, tuning: null });
  const longer = source === 'csv' ? [] : longerOffered(interval, live);
  return (
    <div className="flex flex-col gap-1 p-3">
      <header className="flex h-7 items-center justify-between">
        <h2 className="font-semibold">Entry</h2>
        <button
          type="button"
          className="btn btn-ghost btn-small"
          disabled={!isChanged}
          onClick={() => Object.assign(draft.live, startLive(), { tuning: draft.live.tuning })}
        >
          <RotateCcw size={12} aria-hidden="true" /> Reset to Live rules
        </button>
      </header>
      <p className="text-label text-muted">{votesText(live)} News is not used in backtests.</p>
      <RulesDetectableNote />
      {longer.map((name) => (
        <Row key={name} label={`Also use ${name} votes (${weightText(live.own?.intervalWeights[name])})`}>
          <Switch
            label={`Also use ${name} votes`}
            isOn={live.longer.includes(name)}
            onToggle={(isOn) => {
              const others = draft.live.longer.filter((each) => each !== name);
              draft.live.longer = isOn ? [...others, name] : others;
            }}
          />
        </Row>
      ))}
      <NumberRow
        topic="setting.entryThreshold"
        field={strategyFields.entryThreshold}
        shown={{ min: 0.01, max: 1, step: 0.01, decimals: 2 }}
        value={live.entryThreshold}
        onChange={(value) => (draft.live.entryThreshold = value)}
      />
      <Row label="Direction">
        <Segments
          isSmall
          label="Direction"
          options={directions}
          value={exits.direction}
          nameOf={(value) => directionNames[value]}
          onSelect={(value) => (draft.live.exits.direction = value)}
        />
      </Row>
      <VoteWeights />
      <Heading>Exits</Heading>
      <LevelRows name="stop" level={exits.stop} />
      <LevelRows name="target" level={exits.target} />
      <TrailingRows />
      <NumberRow
        topic="setting.breakEvenR"
        field={strategyFields.breakEvenR}
        shown={{ min: 0, max: 5, step: 0.1, decimals: 1, unit: 'x' }}
        value={exits.breakEvenR}
        onChange={(value) => (draft.live.exits.breakEvenR = value)}
      />
      <Row label="Opposite signal">
        <Segments
          isSmall
          label="Opposite signal"
          options={oppositeReactions}
          value={exits.onOpposite}
          nameOf={(value) => oppositeNames[value]}
          onSelect={(value) => (draft.live.exits.onOpposite = value)}
        />
      </Row>
      <NumberRow
        topic="setting.holdingBarsMax"
        field={strategyFields.holdingBarsMax}
        shown={{ min: 0, max: 500, step: 1, decimals: 0 }}
        value={exits.holdingBarsMax}
        onChange={(value) => (draft.live.exits.holdingBarsMax = value)}
      />
      <SizingRows />
    </div>
  );
}

function SizingRows() {
  const { sizing } = useSnapshot(draft).live.exits;
  return (
    <>
      <Heading>Size</Heading>
      <Row label="Sizing">
        <Segments
          isSmall
          label="Sizing"
          options={sizingModes}
          value={sizing.mode}
          nameOf={(value) => sizingNames[value]}
          onSelect={(value) => (draft.live.exits.sizing.mode = value)}
        />
      </Row>
      {sizing.mode === 'risk' && (
        <PercentRow
          field={strategyFields.riskFraction}
          shown={{ min: 0.1, max: 10, step: 0.1, decimals: 2 }}
          value={sizing.riskFraction}
          onChange={(value) => (draft.live.exits.sizing.riskFraction = value)}
        />
      )}
      <Row label="Compounding">
        <Switch
          label="Compounding"
          isOn={sizing.isCompounding}
          onToggle={(isOn) => (draft.live.exits.sizing.isCompounding = isOn)}
        />
      </Row>
      <p className="text-label text-muted">
        {sizing.mode === 'risk'
          ? 'A stop loses your risk, costs included. Capped at the position size.'
          : 'Uses the position size of the setup.'}{' '}
        {sizing.isCompounding ? 'Size follows your equity.' : 'Size ignores gains and losses.'}
      </p>
    </>
  );
}

function LevelRows({ name, level }: { name: 'stop' | 'target'; level: Readonly<StrategyLevel> }) {
  const title = strategyFields[`${name}Fraction`].title;
  const choose = (mode: StrategyLevel['mode']) => {
    draft.live.exits[name] =
      mode === 'atr'
        ? { mode, multiple: strategyFields[`${name}Multiple`].default }
        : { mode, fraction: strategyFields[`${name}Fraction`].default };
  };
  return (
    <>
      <Row label={`${title} by`}>
        <Segments
          isSmall
          label={`${title} by`}
          options={levelModes}
          value={level.mode}
          nameOf={(value) => levelNames[value]}
          onSelect={choose}
        />
      </Row>
      {level.mode === 'atr' ? (
        <NumberRow
          field={strategyFields[`${name}Multiple`]}
          shown={{ min: 0.5, max: 20, step: 0.1, decimals: 1, unit: 'ATR' }}
          value={level.multiple}
          onChange={(multiple) => (draft.live.exits[name] = { mode: 'atr', multiple })}
        />
      ) : (
        <PercentRow
          field={strategyFields[`${name}Fraction`]}
          shown={{ min: 0.1, max: 20, step: 0.1, decimals: 2 }}
          value={level.fraction}
          onChange={(fraction) => (draft.live.exits[name] = { mode: 'percent', fraction })}
        />
      )}
    </>
  );
}

function TrailingRows() {
  const { trailing } = useSnapshot(draft).live.exits;
  const set = draft.live.exits.trailing;
  return (
    <>
      <Row label="Trailing stop">
        <Segments
          isSmall
          label="Trailing stop"
          options={trailingModes}
          value={trailing.mode}
          nameOf={(value) => trailingNames[value]}
          onSelect={(value) => (set.mode = value)}
        />
      </Row>
      {trailing.mode !== 'off' && (
        <p className="text-label text-muted">
          Trails on this run's candles, in live trading too. Live rules positions trail on 1-minute candles.
        </p>
      )}
      {trailing.mode === 'percent' && (
        <PercentRow
          field={strategyFields.callbackFraction}
          shown={{ min: 0.1, max: 20, step: 0.05, decimals: 2 }}
          value={trailing.callbackFraction}
          onChange={(value) => (set.callbackFraction = value)}
        />
      )}
      {trailing.mode === 'atr' && (
        <NumberRow
          field={strategyFields.trailingMultiple}
          shown={{ min: 0.5, max: 20, step: 0.1, decimals: 1, unit: 'ATR' }}
          value={trailing.atrMultiple}
          onChange={(value) => (set.atrMultiple = value)}
        />
      )}
      {trailing.mode !== 'off' && (
        <>
          <PercentRow
            field={strategyFields.stepFraction}
            shown={{ min: 0, max: 5, step: 0.05, decimals: 2 }}
            value={trailing.stepFraction}
            onChange={(value) => (set.stepFraction = value)}
          />
          <PercentRow
            field={strategyFields.activationFraction}
            shown={{ min: 0, max: 20, step: 0.1, decimals: 2 }}
            value={trailing.activationFraction}
            onChange={(value) => (set.activationFraction = value)}
          />
        </>
      )}
    </>
  );
}

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="mt-2 border-t border-line pt-3 font-semibold">{children}</h2>;
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-2 pointer-coarse:min-h-11">
      <span className="text-label">{label}</span>
      {children}
    </div>
  );
}

interface NumberProps {
  field: StrategyField;
  /** Range of the row, within the bounds of the field. */
  shown: { min: number; max: number; step: number; decimals: number; unit?: string };
  value: number;
  onChange: (value: number) => void;
}

function NumberRow({ topic = null, field, shown, value, onChange }: NumberProps & { topic?: HelpTopic | null }) {
  return (
    <SliderRow
      {...shown}
      name={field.title}
      label={<DefinedTerm definition={{ topic, name: field.title, meaning: field.text }} />}
      value={value}
      isChanged={value !== field.default}
      onChange={onChange}
    />
  );
}

/** A fraction, shown in percent. */
function PercentRow({ field, shown, value, onChange }: NumberProps) {
  return (
    <SliderRow
      {...shown}
      unit="%"
      name={field.title}
      label={<DefinedTerm definition={{ topic: null, name: field.title, meaning: field.text }} />}
      value={fractionToPercent(value)}
      isChanged={value !== field.default}
      onChange={(percent) => onChange(percentToFraction(percent))}
    />
  );
}
