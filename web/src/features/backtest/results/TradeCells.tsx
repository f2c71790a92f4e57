import type { Trade } from '@sextant/workers/src/protocol.ts';
import { formatMoney, formatPercent, formatPrice } from '../../../format/number.ts';
import { Time } from '../../../ui/Time.tsx';
import { exitNames } from './exitNames.ts';

interface Props {
  trade: Trade;
  /** From 0, in the order of time. */
  number: number;
  priceDecimals: number;
}

const sideText = { LONG: '↑ Long', SHORT: '↓ Short' } as const;
const toneOf = (netPnl: number): string => {
  if (netPnl === 0) return 'text-muted';
  return netPnl > 0 ? 'text-up' : 'text-down';
};

/** One cell for each of tradeColumns. */
export function TradeCells({ trade, number, priceDecimals }: Props) {
  const tone = toneOf(trade.netPnl);
  const figures: [string, string?][] = [
    [formatPrice(trade.entryPrice, priceDecimals)],
    [formatPrice(trade.exitPrice, priceDecimals)],
    [String(trade.exitIndex - trade.entryIndex)],
  ];
  const outcomes: [string, string?][] = [
    [formatMoney(trade.fees)],
    [formatMoney(trade.netPnl, true), tone],
    [formatPercent(trade.returnOnMargin, true), tone],
    [formatPercent(-trade.adverseExcursionFraction, true), 'text-muted'],
    [formatPercent(trade.favourableExcursionFraction, true), 'text-muted'],
  ];
  return (
    <>
      <Figure text={String(number + 1)} className="text-muted" />
      <span role="gridcell" className="px-2 font-medium">
        {sideText[trade.side]}
      </span>
      <span role="gridcell" className="truncate px-2">
        <Time at={trade.entryTimeMs} />
      </span>
      {figures.map(([text, className = ''], at) => (
        <Figure key={at} text={text} className={className} />
      ))}
      <span role="gridcell" className="truncate px-2">
        <ExitName trade={trade} />
      </span>
      {outcomes.map(([text, className = ''], at) => (
        <Figure key={at} text={text} className={className} />
      ))}
    </>
  );
}

function Figure({ text, className }: { text: string; className: string }) {
  return (
    <span role="gridcell" className={`truncate px-2 text-right font-mono ${className}`}>
      {text}
    </span>
  );
}

function ExitName({ trade }: { trade: Trade }) {
  if (!trade.isAmbiguous) return exitNames[trade.closeReason];
  return (
    <span title="The target and the stop or liquidation price were in one candle: which came first is not known">
      {exitNames[trade.closeReason]} <span className="text-warn">?</span>
    </span>
  );
}

/** Two lines with the three figures that matter, for a narrow screen. */
export function CompactTradeCells({ trade, number, priceDecimals }: Props) {
  const tone = toneOf(trade.netPnl);
  return (
    <span role="gridcell" className="flex min-w-0 flex-col px-3">
      <span className="flex justify-between gap-3">
        <span className="truncate font-medium">
          {number + 1}. {sideText[trade.side]} at {formatPrice(trade.entryPrice, priceDecimals)}
        </span>
        <span className={`font-mono ${tone}`}>{formatMoney(trade.netPnl, true)}</span>
      </span>
      <span className="flex justify-between gap-3 text-muted">
        <span className="truncate">
          <Time at={trade.entryTimeMs} />, {trade.exitIndex - trade.entryIndex} bars, <ExitName trade={trade} />
        </span>
        <span className={`font-mono ${tone}`}>{formatPercent(trade.returnOnMargin, true)}</span>
      </span>
    </span>
  );
}
