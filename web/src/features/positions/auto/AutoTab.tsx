import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { RISK_FRACTIONS } from '@sextant/workers/src/positions/sizing.ts';
import { choiceSettings } from '@sextant/workers/src/core/settings.ts';
import { useAnalytics } from '../../../data/positions.ts';
import { usePreferences } from '../../../data/preferences.ts';
import { useStrategies } from '../../../data/strategies.ts';
import type { PositionAnalytics, Preferences, PreferencesChange, SavedStrategy } from '../../../api/types.ts';
import { formatFixed, formatMoney } from '../../../format/number.ts';
import { type LabRequest, openLab } from '../../../state/labRequest.ts';
import { tabPages, useOpenPage } from '../../../state/tabPages.ts';
import { SettingHelp } from '../../../ui/HelpLink.tsx';
import { PagedTab } from '../../../ui/PagedTab.tsx';
import { Loaded, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SettingField, SettingName, SettingsForm } from '../../../ui/SettingsForm.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { OpenPositionsView } from '../OpenPositionsView.tsx';
import {
  confidenceName,
  GroupTable,
  LinePlot,
  reasonName,
  sourceName,
  TotalsPanel,
} from '../performance/PerformancePanels.tsx';
import { TrailingPercents, TrailingRanges } from '../../shared/trailing/TrailingNumbers.tsx';
import { AutoOverviewPage } from './AutoOverviewPage.tsx';
import { useAutoSettings } from './useAutoSettings.ts';

const TAB = 'auto';

/** Positions that open and close by themselves. */
export function AutoTab() {
  const page = useOpenPage(TAB);
  const preferences = usePreferences().data;
  const used = useStrategies().data?.strategies.find((each) => each.is_used);
  return (
    <PagedTab
      tab={TAB}
      title="Auto"
      pages={tabPages[TAB]}
      page={page}
      aside={
        preferences && (
          <span className="flex items-center gap-2 px-2 text-label text-muted">
            <span>
              Leverage <span className="font-medium text-text">{preferences.leverage}x</span>
            </span>
            <button type="button" className="btn btn-small" onClick={() => openLab(requestOf(preferences, used))}>
              Backtest my Auto rules
            </button>
          </span>
        )
      }
      layout="full"
    >
      {page === 'overview' && <AutoOverviewPage />}
      {page === 'trailing' && <TrailingPage />}
      {page === 'active' && <OpenPositionsView title="Active positions" />}
      {page === 'performance' && <PerformancePage />}
    </PagedTab>
  );
}

/** The rules that the scans of these preferences decide by, on the history of the largest market. */
function requestOf(
  { interval_opts, scan_interval, risk_tolerance, leverage }: Preferences,
  used: SavedStrategy | undefined,
): LabRequest {
  const [interval = scan_interval, ...longer] = signalIntervals.filter((name) => interval_opts[name]);
  const riskFraction = RISK_FRACTIONS[risk_tolerance];
  const live = { symbol: 'BTCUSDT', interval, longer, tuning: null, riskFraction, leverage, strategy: null };
  const base = signalIntervals.find((name) => name === used?.value.intervals[0]?.interval);
  if (used === undefined || base === undefined) return live;
  return { ...live, interval: base, strategy: { name: used.name, value: used.value } };
}

/** Realised performance of every closed position. */
function PerformancePage() {
  const analytics = useAnalytics();
  return (
    <Loaded response={analytics} failure="Could not load performance." rows={8}>
      {(data) => (
        <div className="flex min-w-0 flex-col gap-3">
          <TotalsPanel title="All closed positions" totals={data.all} />
          {data.last_24h.trades > 0 && <TotalsPanel title="Last 24 hours" totals={data.last_24h} />}
          <RealisedPanel curve={data.curve} />
          <div className="grid gap-3 lg:grid-cols-2">
            <GroupTable title="By reason" groups={data.by_reason} nameOf={reasonName} />
            <GroupTable title="By source" groups={data.by_source} nameOf={sourceName} />
            <GroupTable title="By side" groups={data.by_side} />
            <GroupTable title="By confidence" groups={data.by_confidence} nameOf={confidenceName} />
            <GroupTable title="By symbol" groups={data.by_symbol} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

function RealisedPanel({ curve }: { curve: PositionAnalytics['curve'] }) {
  if (curve.length < 2) return null;
  return (
    <Panel title="Realised net PnL" aside={`n = ${curve.length}`}>
      <LinePlot
        label="Sum of closed positions, USDT"
        points={curve.map(({ at, total }) => ({ atMs: Date.parse(at), value: total }))}
        height={140}
        colour="accent"
        level={0}
        format={(value) => formatMoney(value, true)}
      />
    </Panel>
  );
}

type TrailingSettings = Pick<
  Preferences,
  | 'trailing_enabled'
  | 'trail_mode'
  | 'trail_callback_pct'
  | 'trail_step_pct'
  | 'trail_atr_mult'
  | 'trail_atr_period'
  | 'trail_activation_stops'
>;

/** The settings applied to a long from 100 with its stop at 98 whose best price is 102: an example that can be checked by head. */
export function trailingExample(settings: TrailingSettings): string {
  if (!settings.trailing_enabled) return 'Off: a long from 100 always keeps its stop.';
  const activation = 100 + 2 * settings.trail_activation_stops;
  if (activation > 102)
    return `A long from 100 with its stop at 98 that reached 102: the stop stays at 98. It trails once the price reaches ${formatFixed(activation, 2)}.`;
  if (settings.trail_mode === 'atr')
    return `A long from 100 that reached 102: the stop stands ${settings.trail_atr_mult} average true ranges of ${settings.trail_atr_period} candles below 102, at ${formatFixed(102 - settings.trail_atr_mult, 2)} when a range is 1.00.`;
  const stop = 102 * (1 - settings.trail_callback_pct / 100);
  return `A long from 100 that reached 102: the stop stands ${settings.trail_callback_pct}\u00a0% below 102, at ${formatFixed(stop, 2)}. It moves when it can move by ${formatFixed(settings.trail_step_pct, 2)} or more.`;
}

const modeNames = { percent: 'Percent', atr: 'ATR' };

/** How the stop of a new position follows the price. */
function TrailingPage() {
  const settings = useAutoSettings();
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,480px)_minmax(0,1fr)]">
      <SettingsForm name="Trailing Settings" settings={settings}>
        {(values) => <TrailingFields values={values} edit={settings.edit} />}
      </SettingsForm>
      <Panel title="What it does" bodyClassName="flex flex-col gap-2 p-3 text-muted">
        {settings.draft !== null && <p className="text-text">{trailingExample(settings.draft)}</p>}
        <p>
          The stop follows the best price after your activation move and never goes back. One stop distance (1R) is
          entry to first stop. The stop moves after a completed one-minute candle. Saved strategies use their own
          trailing rule and candles.
        </p>
        <p>
          A moved stop is listed as SL stop, even in profit. Ordinary noise hits tight stops: compare settings in the
          what-if of a closed position.
        </p>
        <p>Applies to new positions only.</p>
      </Panel>
    </div>
  );
}

interface FieldProps {
  values: Preferences;
  edit: (change: PreferencesChange) => void;
}

function TrailingFields({ values, edit }: FieldProps) {
  const { trailing_enabled: isOn, trail_mode: mode } = values;
  return (
    <Panel title="Trailing stop" bodyClassName="flex flex-col gap-3 p-3">
      <span className="flex items-center gap-2">
        <Switch label="Trailing enabled" isOn={isOn} onToggle={(next) => edit({ trailing_enabled: next })} />
        {isOn ? 'Enabled for new positions' : 'Disabled: the stop stays fixed'}
        <SettingHelp topic="setting.trailing_enabled" />
      </span>
      {isOn && (
        <>
          <div className="flex flex-col gap-1">
            <SettingName name="Mode" topic="setting.trail_mode" />
            <Segments
              label="Mode"
              options={choiceSettings.trail_mode.choices}
              value={mode}
              nameOf={(each) => modeNames[each]}
              onSelect={(next) => edit({ trail_mode: next })}
            />
          </div>
          {mode === 'percent' ? (
            <TrailingPercents
              callback={values.trail_callback_pct}
              step={values.trail_step_pct}
              onCallback={(value) => edit({ trail_callback_pct: value })}
              onStep={(value) => edit({ trail_step_pct: value })}
            />
          ) : (
            <TrailingRanges
              multiplier={values.trail_atr_mult}
              period={values.trail_atr_period}
              onMultiplier={(value) => edit({ trail_atr_mult: value })}
              onPeriod={(value) => edit({ trail_atr_period: value })}
            />
          )}
          <SettingField
            id="trail_activation_stops"
            label="Activation (stop distances)"
            value={values.trail_activation_stops}
            onChange={(value) => edit({ trail_activation_stops: value })}
          />
        </>
      )}
    </Panel>
  );
}
