import { useAppInfo } from '../../api/useSession.ts';

const texts = {
  simulated: 'This installation runs on a simulated market.',
  replay: 'This installation replays recorded candles.',
  live: 'Candles from Binance, Bybit and OKX.',
};

/** Says which market this installation shows, because a simulated one must never pass for the real one. */
export function MarketLine() {
  const app = useAppInfo();
  return <p className="mt-4 min-h-4 text-label text-muted">{app.data === undefined ? '' : texts[app.data.market]}</p>;
}
