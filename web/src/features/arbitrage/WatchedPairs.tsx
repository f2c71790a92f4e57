import { Bell, X } from 'lucide-react';
import { useState } from 'react';
import { type SpreadPair, useSpreadWatches, useWatchActions } from '../../api/arbitrage.ts';
import { messageOf } from '../../api/failure.ts';
import type { SpreadWatches } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatFixed, formatMany } from '../../format/number.ts';
import { openTab } from '../../state/navigation.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { NumberInput } from '../../ui/NumberInput.tsx';
import { EmptyState, Loaded, Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import type { PairTerms } from './pairNet.ts';

type Watch = SpreadWatches['watches'][number];

/** Levels the service accepts, percent. */
const levels = { min: -1, max: 50 } as const;

const levelText = (watch: Watch): string => `${formatFixed(watch.netPct, 2)}\u00a0%`;
const pairText = ({ symbol, buy, sell }: SpreadPair): string =>
  `${symbol}, ${exchangeName(buy)} to ${exchangeName(sell)}`;

/** Every pair the user watches. */
export function WatchedPairs() {
  const watches = useSpreadWatches();
  return (
    <Panel title="Watched pairs" bodyClassName="">
      <Loaded response={watches} failure="Could not load your watched pairs." rows={2}>
        {({ watches: list, targets }) =>
          list.length === 0 ? (
            <EmptyState text="No watched pairs. Open a result and set an alert." />
          ) : (
            <>
              <ul aria-label="Watched pairs">
                {list.map((watch) => (
                  <WatchRow key={watch.id} watch={watch} name={pairText(watch)} />
                ))}
              </ul>
              {targets === 0 && <NoTarget />}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function WatchRow({ watch, name }: { watch: Watch; name: string }) {
  const { remove } = useWatchActions();
  return (
    <li className="flex min-h-9 items-center gap-2 border-b border-line px-3 py-1 last:border-b-0">
      <Bell size={14} aria-hidden="true" className={watch.isAbove ? 'text-up' : 'text-muted'} />
      <span className="min-w-0 flex-1">
        <span className="font-medium">{name === '' ? `Net above ${levelText(watch)}` : name}</span>{' '}
        <span className="text-label text-muted">
          {name === '' ? '' : `net above ${levelText(watch)}`}
          {watch.isAbove && (name === '' ? 'above now' : ', above now')}
          {watch.crossings > 0 && `, crossed ${formatMany(watch.crossings, 'time')}, last `}
          {watch.crossings > 0 && <Time at={watch.lastCrossedAt} />}
        </span>
      </span>
      <button
        type="button"
        className="btn btn-ghost btn-small btn-icon"
        aria-label={`Stop watching ${pairText(watch)} above ${levelText(watch)}`}
        disabled={remove.isPending}
        onClick={() =>
          remove.mutate(watch.id, {
            onError: (failure) => toastRejection(messageOf(failure, 'Could not stop watching the pair'), failure),
          })
        }
      >
        <X size={14} aria-hidden="true" />
      </button>
    </li>
  );
}

function NoTarget() {
  return (
    <p className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2 text-label text-muted">
      Set a notification target to get messages.
      <button type="button" className="btn btn-small" onClick={() => openTab('account', 'notifications')}>
        Set one up
      </button>
    </p>
  );
}

/**
 * Toast text after watching; without a target no message is sent. @param targets number of notification targets; undefined while unknown
 */
export const watchedText = (what: string, targets: number | undefined): string =>
  targets === undefined || targets === 0
    ? `Watching ${what}.${targets === 0 ? ' Set a notification target to get messages.' : ''}`
    : `Watching ${what}. We notify your targets.`;

/** Sets a level for one pair, and lists the levels that are set. @param startPct initial level */
export function WatchForm({ pair, terms, startPct }: { pair: SpreadPair; terms: PairTerms; startPct: number }) {
  const [level, setLevel] = useState(startPct);
  const watches = useSpreadWatches();
  const { add } = useWatchActions();
  const own = watches.data?.watches.filter(
    ({ symbol, buy, sell }) => symbol === pair.symbol && buy === pair.buy && sell === pair.sell,
  );
  const watch = () =>
    add.mutate(
      { ...pair, netPct: level, holdHours: terms.holdHours, takerFees: terms.takerFees },
      {
        onSuccess: () =>
          toast(watchedText(`${pair.symbol} above ${formatFixed(level, 2)} % net`, watches.data?.targets), 'success'),
        onError: (failure) => toastRejection(messageOf(failure, 'Could not watch the pair'), failure),
      },
    );
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Watch</h3>
      <div className="flex flex-wrap items-center gap-2">
        <span>Alert when the net exceeds</span>
        <span className="w-22">
          <NumberInput
            aria-label="Net spread alert, percent"
            isSmall
            {...levels}
            step={0.05}
            decimals={3}
            unit="%"
            value={level}
            onChange={setLevel}
          />
        </span>
        <button type="button" className="btn btn-small" disabled={add.isPending} onClick={watch}>
          <Bell size={12} aria-hidden="true" /> Watch
        </button>
      </div>
      {own !== undefined && own.length > 0 && (
        <ul aria-label="Alert levels" className="border border-line">
          {own.map((each) => (
            <WatchRow key={each.id} watch={each} name="" />
          ))}
        </ul>
      )}
      <p className="text-label text-muted">Alerts each time it rises above, at best prices with your fees.</p>
      {watches.data?.targets === 0 && <NoTarget />}
    </section>
  );
}
