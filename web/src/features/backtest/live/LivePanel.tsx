import { parameterRows, type RunParameter, runParameters, type RunPart } from '@sextant/engine-as/abi/runParameters.ts';
import {
  CONTEXT_WEIGHT,
  directions,
  oppositeReactions,
  sizingModes,
  type StrategyLevel,
} from '@sextant/engine-as/abi/strategy.ts';
import { setStrategyNumber, strategyNumber } from '@sextant/engine-as/abi/strategyNumbers.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { isTopic } from '../../../ui/HelpLink.tsx';
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
      <ParameterRow
        row={runParameters.entryThreshold}
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
      <ExitRows part="breakEven" />
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
      <ExitRows part="time" />
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
      <ExitRows part="size" mode={sizing.mode} />
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
  const { title } = runParameters[`${name}Fraction`];
  const choose = (mode: StrategyLevel['mode']) => {
    draft.live.exits[name] =
      mode === 'atr'
        ? { mode, multiple: runParameters[`${name}Multiple`].default }
        : { mode, fraction: runParameters[`${name}Fraction`].default };
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
      <ExitRows part={name} mode={level.mode} />
    </>
  );
}

function TrailingRows() {
  const { trailing } = useSnapshot(draft).live.exits;
  return (
    <>
      <Row label="Trailing stop">
        <Segments
          isSmall
          label="Trailing stop"
          options={trailingModes}
          value={trailing.mode}
          nameOf={(value) => trailingNames[value]}
          onSelect={(value) => (draft.live.exits.trailing.mode = value)}
        />
      </Row>
      {trailing.mode !== 'off' && (
        <p className="text-label text-muted">
          Trails on this run's candles, in live trading too. Live rules positions trail on 1-minute candles.
        </p>
      )}
      {trailing.mode !== 'off' && <ExitRows part="trailing" mode={trailing.mode} />}
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

/** The numbers of a part in its mode: those of the mode alone first. */
function ExitRows({ part, mode }: { part: RunPart; mode?: string }) {
  const { exits } = useSnapshot(draft).live;
  const rows = parameterRows.filter(({ exit }) => exit === part);
  const shown = [...rows.filter((row) => row.mode === mode), ...rows.filter((row) => row.mode === undefined)];
  return [...new Set(shown)].map((row) => (
    <ParameterRow
      key={row.name}
      row={row}
      value={strategyNumber(exits, row) ?? row.default}
      onChange={(value) => setStrategyNumber(draft.live.exits, row, value)}
    />
  ));
}

interface ParameterProps {
  row: RunParameter;
  value: number;
  onChange: (value: number) => void;
}

/** The slider of a number: a fraction is shown in percent. */
function ParameterRow({
  row: { field, title, text, unit, slider, default: standard },
  value,
  onChange,
}: ParameterProps) {
  if (slider === undefined) return null;
  const isFraction = unit === 'fraction';
  const topic = `setting.${field}`;
  return (
    <SliderRow
      {...slider}
      unit={isFraction ? '%' : (slider.unit ?? '')}
      name={title}
      label={<DefinedTerm definition={{ topic: isTopic(topic) ? topic : null, name: title, meaning: text }} />}
      value={isFraction ? fractionToPercent(value) : value}
      isChanged={value !== standard}
      onChange={(shown) => onChange(isFraction ? percentToFraction(shown) : shown)}
    />
  );
}
