import { useState } from 'react';
import { useJournalStatistics } from '../../../data/journal.ts';
import { localZone } from '../../../format/time.ts';
import { timeZoneState } from '../../../state/timeZone.ts';
import { Loaded } from '../../../ui/Panel.tsx';
import { GroupTable } from '../performance/PerformancePanels.tsx';
import { CalendarPanel } from './CalendarPanel.tsx';

const setupNames: Record<string, string> = {
  strategy: 'Saved strategy',
  automatic: 'Automatic, live rules',
  signal: 'Signal, by hand',
  order: 'Order',
};
const setupName = (name: string): string => setupNames[name] ?? name;
const tagName = (name: string): string => (name === '' ? 'Without a tag' : name);
const hourName = (name: string): string => `${name}:00`;

/** Closed positions by day, tag, hour and setup. */
export function JournalStatistics() {
  const [zone, setZone] = useState(timeZoneState.current.zone);
  const localName = localZone();
  const response = useJournalStatistics(zone === 'utc' ? 'UTC' : localName);
  return (
    <Loaded response={response} failure="Could not load the journal." rows={8}>
      {(statistics) => (
        <>
          <CalendarPanel statistics={statistics} zone={zone} localName={localName} onZone={setZone} />
          <div className="grid gap-3 lg:grid-cols-2">
            <GroupTable title="By setup" groups={statistics.by_setup} nameOf={setupName} />
            <GroupTable title="By tag" groups={statistics.by_tag} nameOf={tagName} />
            <GroupTable title="By hour of the opening" groups={statistics.by_hour} nameOf={hourName} />
          </div>
        </>
      )}
    </Loaded>
  );
}
