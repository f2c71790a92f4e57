import { useEffect, useRef, useState } from 'react';
import { formatCount, formatMany, formatMoney, formatMultiple } from '../../../format/number.ts';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import type { JournalStatistics } from '../../../api/types.ts';
import { type CalendarCell, calendarWeeks, type JournalDay, summaryOfDays, tintOf } from './calendar.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Every second one: there is no room for all. */
const isNamed = (weekday: number): boolean => weekday % 2 === 0;

interface Props {
  statistics: JournalStatistics;
  zone: 'utc' | 'local';
  /** Name of the local zone, such as Europe/Berlin. */
  localName: string;
  onZone: (zone: 'utc' | 'local') => void;
}

const resultText = ({ trades, wins, net_pnl, r_multiple }: JournalDay): string =>
  `${formatMany(trades, 'trade')}, ${formatCount(wins)} won, net ${formatMoney(net_pnl, true)} USDT` +
  (r_multiple === null ? '' : `, ${formatMultiple(r_multiple)}`);

/** Net result of each day of a year as a heat map. Gains are squares and losses circles, so that the colour is not the only sign. */
export function CalendarPanel({ statistics, zone, localName, onZone }: Props) {
  const { days, today } = statistics;
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = days.find(({ day }) => day === chosen) ?? days.at(-1);
  const summary = summaryOfDays(days);
  return (
    <Panel
      title="Result by day"
      aside={
        <Segments
          label="Days in"
          isSmall
          options={['utc', 'local']}
          value={zone}
          nameOf={(name) => (name === 'utc' ? 'UTC' : `Local, ${localName}`)}
          isFitted
          onSelect={onZone}
        />
      }
      bodyClassName="flex flex-col gap-2 p-3"
    >
      {summary === null && <EmptyState text="Each day with a closed position is shown here, with its net result." />}
      {summary !== null && (
        <>
          <Calendar today={today} days={days} chosen={shown?.day ?? null} onChoose={setChosen} />
          <p className="text-label" aria-live="polite">
            {shown !== undefined && (
              <>
                <strong>{shown.day}</strong>: {resultText(shown)}
              </>
            )}
          </p>
          <p className="text-label text-muted">
            {formatMany(summary.gained, 'day')} up, {formatCount(summary.lost)} down. Best{' '}
            {formatMoney(summary.best.net_pnl, true)}, worst {formatMoney(summary.worst.net_pnl, true)} USDT.
          </p>
        </>
      )}
    </Panel>
  );
}

interface CalendarProps {
  today: string;
  days: readonly JournalDay[];
  chosen: string | null;
  onChoose: (day: string) => void;
}

function Calendar({ today, days, chosen, onChoose }: CalendarProps) {
  const weeks = calendarWeeks(today, days);
  const largest = Math.max(0, ...days.map(({ net_pnl: net }) => Math.abs(net)));
  const scroller = useRef<HTMLDivElement>(null);
  // On a narrow screen the newest weeks come first.
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, []);
  return (
    <div ref={scroller} role="region" aria-label="Calendar" tabIndex={0} className="overflow-x-auto pb-1">
      <table aria-label="Net result by day" className="border-separate border-spacing-0.5 text-label">
        <thead>
          <tr>
            <td />
            {weeks.map(({ month, cells }, week) => (
              <th key={cells[0]?.day ?? week} scope="col" className="relative h-4 w-3.5 p-0 font-normal text-muted">
                <span className="absolute bottom-0 left-0">{month}</span>
                <span className="sr-only">Week of {cells[0]?.day}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((name, weekday) => (
            <tr key={name}>
              <th scope="row" className="pr-1 text-left font-normal text-muted">
                {isNamed(weekday) ? (
                  <abbr title={name}>{name.slice(0, 3)}</abbr>
                ) : (
                  <span className="sr-only">{name}</span>
                )}
              </th>
              {weeks.map(({ cells }, week) => (
                <td key={week} className="p-0">
                  <Day
                    cell={cells[weekday] ?? null}
                    largest={largest}
                    isChosen={cells[weekday]?.day === chosen}
                    onChoose={onChoose}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DayProps {
  cell: CalendarCell | null;
  largest: number;
  isChosen: boolean;
  onChoose: (day: string) => void;
}

function Day({ cell, largest, isChosen, onChoose }: DayProps) {
  if (cell === null) return null;
  const { day, result } = cell;
  if (result === null) return <span className="block size-3.5 rounded-sm bg-raised" title={`${day}: nothing closed`} />;
  const { net_pnl: net } = result;
  const colour = net < 0 ? 'var(--down)' : 'var(--up)';
  const text = `${day}: ${resultText(result)}`;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={text}
      title={text}
      className={`block size-3.5 ${net < 0 ? 'rounded-full' : 'rounded-sm'} ${isChosen ? 'outline-2 outline-offset-1 outline-text' : ''}`}
      style={{ backgroundColor: `color-mix(in srgb, ${colour} ${tintOf(net, largest)}%, var(--panel))` }}
      onClick={() => onChoose(day)}
    />
  );
}
