import { Popover } from '@base-ui/react/popover';
import { ChevronDown } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { Segments } from '../ui/Segments.tsx';
import { type ChartLayout, paneSizes, setPaneSize, toggleIndicator } from './chartLayout.ts';
import { positioningChoices } from './positioningPanes.ts';
import { indicatorChoices, indicatorLabel } from './indicatorLines.ts';

/** Which indicators of the engine, and series of the exchange, the chart shows. */
export function IndicatorMenu({ layout, hasMarket }: { layout: ChartLayout; hasMarket: boolean }) {
  const { indicators, paneSize } = useSnapshot(layout);
  return (
    <Popover.Root>
      <Popover.Trigger className="btn btn-ghost btn-small">
        Indicators{indicators.length > 0 && ` (${indicators.length})`} <ChevronDown size={14} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-40">
          <Popover.Popup
            aria-label="Indicators"
            className="popup flex max-h-[min(440px,70dvh)] w-90 max-w-[calc(100vw-16px)] flex-col overflow-y-auto py-1 outline-none"
          >
            <div className="px-3 pt-2">
              <Segments
                label="Height of panes"
                options={paneSizes}
                value={paneSize}
                onSelect={(size) => setPaneSize(layout, size)}
                nameOf={(size) => `${size} panes`}
                isSmall
              />
            </div>
            {hasMarket && (
              <fieldset className="flex min-w-0 flex-col px-1">
                <legend className="px-2 pt-2 pb-1 text-label font-semibold text-muted">From the exchange</legend>
                {positioningChoices.map(({ id, title, definition }) => (
                  <label key={id} className="menu-item min-w-0 gap-2 pr-3" title={definition}>
                    <input
                      type="checkbox"
                      checked={indicators.includes(id)}
                      onChange={() => toggleIndicator(layout, id)}
                    />
                    <span className="truncate">{title}</span>
                  </label>
                ))}
              </fieldset>
            )}
            {indicatorChoices.map(({ title, entries }) => (
              <fieldset key={title} className="flex min-w-0 flex-col px-1">
                <legend className="px-2 pt-2 pb-1 text-label font-semibold text-muted">{title}</legend>
                {entries.map((entry) => (
                  <label
                    key={entry.id}
                    className="menu-item min-w-0 justify-between gap-3 pr-3"
                    title={entry.definition}
                  >
                    <span className="flex min-w-0 items-center gap-2">
                      <input
                        type="checkbox"
                        checked={indicators.includes(entry.id)}
                        onChange={() => toggleIndicator(layout, entry.id)}
                      />
                      <span className="truncate">{entry.title}</span>
                    </span>
                    <span className="shrink-0 font-mono text-label text-muted">{indicatorLabel(entry)}</span>
                  </label>
                ))}
              </fieldset>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
