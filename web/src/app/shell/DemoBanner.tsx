import { X } from 'lucide-react';
import { useState } from 'react';
import { useAppInfo } from '../../api/useSession.ts';

const KEY = 'sextant.bannerClosed';

/** One line while the market is not the real one. Closed until the next visit, not for ever: the fact does not change. */
export function DemoBanner() {
  const app = useAppInfo();
  const [isClosed, setClosed] = useState(() => sessionStorage.getItem(KEY) === 'yes');
  if (isClosed || app.data === undefined || app.data.market === 'live') return null;
  const text =
    app.data.market === 'simulated'
      ? 'Simulated market: prices are generated'
      : 'Replayed market: prices are recorded candles';
  return (
    <aside
      aria-label="Market mode"
      className="flex h-7 shrink-0 items-center justify-center gap-2 border-b border-line bg-warn-soft px-3 text-label text-warn"
    >
      <span className="truncate">
        {text}
        <span className="max-md:hidden">, no exchange is connected</span>.
      </span>
      <button
        type="button"
        aria-label="Dismiss until the next visit"
        className="grid size-6 place-items-center rounded-sm hover:bg-warn-soft"
        onClick={() => {
          sessionStorage.setItem(KEY, 'yes');
          setClosed(true);
        }}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </aside>
  );
}
