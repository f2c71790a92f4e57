import type { components } from '../../api/schema.gen.ts';
import { statusPartNames, useStatus } from '../../api/status.ts';
import { formatCount, formatFixed, formatMany, formatPercent } from '../../format/number.ts';
import { formatDuration, formatUtc } from '../../format/time.ts';
import { EmptyState, Panel } from '../../ui/Panel.tsx';
import { PageHead } from './PageHead.tsx';
import { PublicResponse } from './PublicResponse.tsx';

type Status = components['schemas']['StatusResponse'];
type Part = Status['parts'][number];
type Incident = Status['incidents'][number];
type Backfill = Status['history'][number];

const stateNames: Record<Part['state'], string> = { up: 'Operational', down: 'Down', unknown: 'Not known' };
const dots: Record<Part['state'], string> = { up: 'bg-up', down: 'bg-down', unknown: 'bg-muted' };
const headlines: Record<Status['state'], { text: string; dot: string }> = {
  operational: { text: 'All systems operational', dot: dots.up },
  disrupted: { text: 'Something is down', dot: dots.down },
  unknown: { text: 'No current probe', dot: dots.unknown },
};
const reasons: Record<string, string> = {
  upstream_unavailable: 'Unexpected response.',
  upstream_rate_limited: 'Rate limited.',
  deadline_exceeded: 'Timed out.',
  overloaded: 'Too busy to respond.',
  too_few_candles: 'No usable candles.',
  database_unavailable: 'No response from the database.',
  storage_unavailable: 'Read or write failed.',
  storage_full: 'Storage full.',
};

/** The public state of this installation, from its own probes alone. */
export function StatusPage() {
  return (
    <>
      <PageHead
        title="Status"
        lead="Every minute the server requests a real signal and probes its database, each exchange and other services. This page counts only those probes. One missed probe is ignored; two minutes without probes count as down."
      />
      <Report />
    </>
  );
}

function Report() {
  const response = useStatus();
  return (
    <PublicResponse response={response} failure="Could not load the status.">
      {(status) => <Probes status={status} />}
    </PublicResponse>
  );
}

function Probes({ status }: { status: Status }) {
  const { state, timestamp, since, market, parts, incidents, history } = status;
  return (
    <div className="flex min-h-dvh flex-col gap-4">
      <div className="panel items-start gap-1 p-4">
        <p role="status" className="flex items-center gap-3 text-page font-semibold">
          <span aria-hidden="true" className={`size-3 rounded-full ${headlines[state].dot}`} />
          {headlines[state].text}
        </p>
        <p className="text-label text-muted">
          {formatUtc(timestamp, true)}
          {since !== null && `, probed since ${formatUtc(since)}`}
        </p>
      </div>
      {market !== 'live' && (
        <p className="text-muted">
          The market of this installation is {market === 'simulated' ? 'simulated' : 'a replay'}: the exchanges below
          are stand-ins.
        </p>
      )}
      <ul className="grid gap-px overflow-hidden rounded border border-line bg-line">
        {parts.map((part) => (
          <PartRow key={part.part} part={part} />
        ))}
      </ul>
      <Incidents incidents={incidents} />
      {history.length > 0 && <History rows={history} />}
    </div>
  );
}

function uptimeText({ uptime }: Part): string {
  if (uptime === null) return 'Uptime after the first whole day';
  const span = uptime.days === 1 ? '24 hours' : formatMany(uptime.days, 'day');
  // Rounded down: with one minute down it is not 100 %.
  return `${formatPercent(Math.floor(uptime.fraction * 10_000) / 10_000)} up in the last ${span}`;
}

function PartRow({ part }: { part: Part }) {
  return (
    <li className="bg-panel p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="flex items-center gap-2 text-section font-semibold">
          <span aria-hidden="true" className={`size-2 rounded-full ${dots[part.state]}`} />
          {statusPartNames[part.part]}
        </h2>
        <p className="text-label text-muted">
          {stateNames[part.state]}
          {part.duration_ms !== null && `, last response in ${formatFixed(part.duration_ms, 0)} ms`}
        </p>
      </div>
      <DayBars days={part.days} name={statusPartNames[part.part]} />
      <p className="mt-1 text-label text-muted">{uptimeText(part)}</p>
    </li>
  );
}

/** Worse than this of a day is drawn as an outage, anything below a whole day as a disturbance. */
const outageFraction = 0.95;

function toneOf({ minutes, up_minutes: up }: Part['days'][number]): string {
  if (minutes === 0) return 'bg-line';
  if (up === minutes) return 'bg-up';
  return up / minutes >= outageFraction ? 'bg-warn' : 'bg-down';
}

/** One bar for each probed day, the newest at the right. */
function DayBars({ days, name }: { days: Part['days']; name: string }) {
  const disturbed = days.filter(({ minutes, up_minutes: up }) => up < minutes).length;
  const label = `${name}: ${formatMany(days.length, 'day')} probed, ${formatCount(disturbed)} with failed probes or outages`;
  return (
    <div role="img" aria-label={label} className="mt-3 flex h-7 max-w-full gap-px">
      {days.map((day) => (
        <span
          key={day.date}
          title={`${day.date}: ${formatCount(day.up_minutes)} of ${formatCount(day.minutes)} min`}
          className={`min-w-px max-w-3 flex-1 rounded-xs ${toneOf(day)}`}
        />
      ))}
    </div>
  );
}

const fillNames: Record<Backfill['state'], string> = {
  running: 'Filling',
  waiting: 'Waiting',
  complete: 'Complete',
  failed: 'Failed',
};

/** How much of the candle history is stored, and what the exchanges did not deliver. */
function History({ rows }: { rows: Backfill[] }) {
  return (
    <Panel title="Candle history" aside="stored for tests and records">
      <ul className="flex flex-col gap-3">
        {rows.map(
          ({ exchange, state, stored_parts: stored, total_parts: total, failed_parts: failed, code, ...row }) => (
            <li key={exchange}>
              <p className="font-semibold">
                {statusPartNames[exchange]}: {fillNames[state]}
              </p>
              <p className="text-muted">
                {formatCount(stored)} of {formatMany(total, 'part')} stored.
                {failed > 0 && ` ${formatCount(failed)} failed and will be tried again.`}
                {code !== null && ` ${reasons[code] ?? 'Failed unexpectedly.'}`}
              </p>
              <p className="text-label text-muted">{formatUtc(row.updated_at)}</p>
            </li>
          ),
        )}
      </ul>
    </Panel>
  );
}

function Incidents({ incidents }: { incidents: Incident[] }) {
  return (
    <Panel title="Incidents" aside="two failed probes in a row, or no probe for two minutes">
      {incidents.length === 0 ? (
        <EmptyState text="No incidents." />
      ) : (
        <ul className="flex flex-col gap-3">
          {incidents.map((each) => (
            <li key={`${each.part} ${each.from}`}>
              <p className="font-semibold">
                {statusPartNames[each.part]}
                {each.to === null ? ', going on' : ''}
              </p>
              <p className="text-muted">
                {each.part === 'service'
                  ? 'No probe stored: server stopped, or database down.'
                  : (reasons[each.code ?? ''] ?? 'Failed unexpectedly.')}
              </p>
              <p className="text-label text-muted">
                {formatUtc(each.from)}
                {each.to !== null && ` to ${formatUtc(each.to)}`}, {formatDuration(each.minutes * 60_000)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
