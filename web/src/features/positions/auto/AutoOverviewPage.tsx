import { FactList } from '../../../ui/FactList.tsx';
import { AUTO_SCAN_MINUTES } from '@sextant/workers/src/core/limits.ts';
import type { PositionView } from '../../../api/positionView.ts';
import { useGuards, useLastRun, useOpenPositions, useSkips } from '../../../data/positions.ts';
import type { AutoRun, Guards, Preferences, PreferencesChange, Skip } from '../../../api/types.ts';
import { listedText } from '../../../format/confidence.ts';
import { formatCount, formatMany, formatMoney, NO_VALUE } from '../../../format/number.ts';
import { outcomeNames, toleranceNames } from '../../../format/names.ts';
import { symbolsOf } from '../../../format/symbolList.ts';
import { openPage, openTab } from '../../../state/navigation.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { SettingHelp } from '../../../ui/HelpLink.tsx';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { StrategyChoice } from '../../../ui/StrategyChoice.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { type Column, TableHead } from '../../../ui/TableHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { SideMark } from '../table/OpenTable.tsx';
import { GuardsPanel } from './GuardsPanel.tsx';
import { useAutoSettings } from './useAutoSettings.ts';

/** State of automatic opening, its conditions, the last run, and its rejections. */
export function AutoOverviewPage() {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[minmax(0,380px)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <Guarded>
          <StatePanel />
          <GuardsPanel />
        </Guarded>
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <Guarded>
          <LastRunPanel />
          <SkipsPanel />
        </Guarded>
      </div>
    </div>
  );
}

/** Whether positions open by themselves now, and the conditions they must pass. */
function StatePanel() {
  const state = useGuards();
  const settings = useAutoSettings();
  return (
    <Panel title="Automatic opening" bodyClassName="">
      <Loaded response={state} failure="Could not load automatic opening." rows={6}>
        {(guards) =>
          settings.saved !== null && (
            <State guards={guards} saved={settings.saved} onSave={(change) => settings.save(change)} />
          )
        }
      </Loaded>
    </Panel>
  );
}

interface StateProps {
  guards: Guards;
  saved: Preferences;
  onSave: (change: PreferencesChange) => void;
}

function State({ guards, saved, onSave }: StateProps) {
  return (
    <div className="flex flex-col gap-3 p-3">
      <div className="flex items-center gap-3">
        <Switch
          label="Open positions after a scan"
          isOn={saved.auto_open_enabled}
          onToggle={(isOn) => onSave({ auto_open_enabled: isOn })}
        />
        <p role="status" className={`text-section font-semibold ${guards.armed ? 'text-accent' : 'text-warn'}`}>
          {stateText(guards)}
        </p>
        <SettingHelp topic="setting.auto_open_enabled" />
      </div>
      <StrategyChoice />
      <p className="text-label text-muted">
        Signals that pass every condition open after each scan, with simulated money. The server watches stop, target
        and liquidation around the clock.
      </p>
      <FactList facts={conditionsOf(guards, saved)} />
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-small" onClick={() => openTab('signals', 'trading')}>
          Confidence and risk
        </button>
        <button type="button" className="btn btn-small" onClick={() => openTab('account', 'trading')}>
          Leverage, size and limits
        </button>
        <button type="button" className="btn btn-small" onClick={() => openPage('auto', 'trailing')}>
          Trailing
        </button>
      </div>
    </div>
  );
}

const guardNames = { daily_loss: 'daily loss limit', stop_streak: 'stop streak', drawdown: 'max drawdown' };

function stateText({ armed, auto_open_enabled: isOn, guards }: Guards): string {
  if (armed) return 'Armed';
  if (!isOn) return 'Off';
  const holding = guards.filter(({ is_tripped: isTripped }) => isTripped).map(({ name }) => guardNames[name]);
  return `Held by ${holding.join(' and ')}`;
}

function conditionsOf(state: Guards, saved: Preferences): [string, string][] {
  const listed = symbolsOf(saved.whitelist).length;
  const excluded = symbolsOf(saved.blacklist).length;
  return [
    ['Leverage', `${state.leverage}x`],
    ['Min Confidence', state.min_auto_conf_pct === 0 ? 'off' : `${state.min_auto_conf_pct} %`],
    ['Open positions', `${state.open_positions}, max ${state.max_concurrent_positions} concurrent`],
    ['Maximum Positions', `${saved.positions_wanted} per scan`],
    [
      'Position size',
      saved.sizing_mode === 'fixed'
        ? `base of ${formatMoney(saved.base_usdt ?? saved.balance_usdt)} USDT`
        : `by risk, ${toleranceNames[saved.risk_tolerance]}`,
    ],
    ['Symbols', listed > 0 ? `${listed} on your whitelist` : `up to ${saved.max_symbols} by turnover`],
    ['Left out', excluded > 0 ? `${excluded} on your blacklist` : 'none'],
    ['Trailing', trailingWords(saved)],
    ['Auto-Scan', saved.auto_scan_enabled ? `every ${AUTO_SCAN_MINUTES} minutes` : 'off, start scans by hand'],
  ];
}

function trailingWords({ trailing_enabled: isOn, trail_mode: mode, ...rest }: Preferences): string {
  if (!isOn) return 'off';
  const how =
    mode === 'atr'
      ? `${rest.trail_atr_mult} × ATR(${rest.trail_atr_period})`
      : `${rest.trail_callback_pct} %, step ${rest.trail_step_pct} %`;
  const after = rest.trail_activation_stops;
  return after > 0 ? `${how}, after ${formatMany(after, 'stop distance')} in favour` : `${how}, at once`;
}

const columns: readonly Column[] = [
  { name: 'Symbol', isText: true },
  { name: 'Side', isText: true, isWideOnly: true },
  { name: 'Confidence', isWideOnly: true },
  { name: 'Outcome', isText: true },
  { name: 'Why', isText: true, isWideOnly: true },
];

/** What the last run did with each result of its scan, and why. */
function LastRunPanel() {
  const response = useLastRun();
  const run = response.data ?? null;
  return (
    <Panel
      title="Last run"
      aside={
        run !== null && (
          <>
            {formatCount(run.opened)} opened, {formatCount(run.skipped)} not opened
            {run.failed > 0 && `, ${formatCount(run.failed)} failed`}, <Time at={run.created_at} />
          </>
        )
      }
      bodyClassName=""
    >
      <Loaded response={response} failure="Could not load the last run." rows={4}>
        {(result) => (result === null ? <NoRun /> : <RunItems run={result} />)}
      </Loaded>
    </Panel>
  );
}

function NoRun() {
  return (
    <EmptyState text="No run yet. Each scan starts one and lists what opened, and why others did not.">
      <button type="button" className="btn btn-primary" onClick={() => openTab('signals', 'scanner')}>
        Go to Signals
      </button>
    </EmptyState>
  );
}

function RunItems({ run: { items, messages } }: { run: AutoRun }) {
  // Messages already shown in the table are not repeated.
  const others = messages.filter((message) => items.every((item) => item.message !== message));
  const open = useOpenPositions().data ?? [];
  return (
    <>
      {others.length > 0 && (
        <ul className="flex flex-col gap-1 border-b border-line px-3 py-2">
          {others.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <div
        className="more-sideways max-h-96 overflow-auto"
        tabIndex={0}
        role="region"
        aria-label="Results of the last run"
      >
        <table className="table" aria-label="Last run">
          <TableHead columns={columns} />
          <tbody>
            {items.map(({ symbol, interval, side, confidence, outcome, message, position_id: id }) => {
              const words = (
                <>
                  {message} <LossAtStop position={open.find((each) => each.id === id)} />
                </>
              );
              return (
                <tr key={`${symbol} ${interval}`}>
                  <th className="lead" scope="row">
                    {symbol} <span className="font-normal text-muted">{interval}</span>
                    <span className="block md:hidden">{side !== null && <SideMark side={side} />}</span>
                  </th>
                  <td className="lead max-md:hidden">{side === null ? NO_VALUE : <SideMark side={side} />}</td>
                  <td className="max-md:hidden">{listedText(confidence)}</td>
                  <td className="lead wraps max-md:py-1">
                    {outcomeNames[outcome]}
                    <span className="block text-muted md:hidden">{words}</span>
                  </td>
                  <td className="lead text-muted max-md:hidden">{words}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The message gives the size as a share of balance x leverage; this is the risk. */
const LossAtStop = ({ position }: { position: PositionView | undefined }) =>
  position !== undefined && (
    <span className="text-text">loses {formatMoney(position.lossAtStop)} USDT at its stop</span>
  );

const skipColumns: readonly Column[] = [
  { name: 'At', isText: true },
  { name: 'Symbol', isText: true },
  { name: 'Side', isText: true, isWideOnly: true },
  { name: 'Confidence', isWideOnly: true },
  { name: 'Reason', isText: true },
];

/** Candidates rejected at the opening, newest first, each with its reason. */
function SkipsPanel() {
  const response = useSkips();
  return (
    <Panel
      title="Rejected when opening"
      aside={response.data !== undefined && response.data.length > 0 && `newest ${response.data.length}`}
      bodyClassName=""
    >
      <Loaded response={response} failure="Could not load rejected signals." rows={4}>
        {(skips) =>
          skips.length === 0 ? <EmptyState text="Rejected signals appear here." /> : <SkipTable skips={skips} />
        }
      </Loaded>
    </Panel>
  );
}

function SkipTable({ skips }: { skips: readonly Skip[] }) {
  return (
    <div className="more-sideways max-h-96 overflow-auto" tabIndex={0} role="region" aria-label="Rejected signals">
      <table className="table" aria-label="Refused">
        <TableHead columns={skipColumns} />
        <tbody>
          {skips.map((skip) => (
            <tr key={skip.id}>
              <td className="lead text-muted">
                <Time at={skip.at} />
              </td>
              <th className="lead" scope="row">
                {skip.symbol} <span className="font-normal text-muted">{skip.interval}</span>
              </th>
              <td className="lead max-md:hidden">{skip.side === null ? NO_VALUE : <SideMark side={skip.side} />}</td>
              <td className="max-md:hidden">{listedText(skip.confidence)}</td>
              <td className="lead wraps">{skip.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
