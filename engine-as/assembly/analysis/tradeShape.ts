import { ANALYSIS_TRADES_MIN } from '../../abi/backtest';
import { Analysis } from '../records.gen';
import { tradeAt } from '../rows';
import { studentTail } from './studentT';

const netOf = (trades: usize, i: i32): f64 => tradeAt(trades, i).netPnl;

/** Figures of the closed trades, in trade order. A trade that ends at exactly 0 is neither won nor lost. */
export function tradeFigures(trades: usize, count: i32, out: Analysis): void {
  sides(trades, count, out);
  streaks(trades, count, out);
  winnersAndLosers(trades, count, out);
  if (count >= ANALYSIS_TRADES_MIN) inference(trades, count, out);
}

function sides(trades: usize, count: i32, out: Analysis): void {
  let longs = 0;
  let wonLongs = 0;
  let wonShorts = 0;
  for (let i = 0; i < count; i++) {
    const isWon = netOf(trades, i) > 0;
    if (tradeAt(trades, i).side > 0) {
      longs++;
      if (isWon) wonLongs++;
    } else if (isWon) wonShorts++;
  }
  if (longs > 0) out.winRateLong = <f64>wonLongs / <f64>longs;
  if (count > longs) out.winRateShort = <f64>wonShorts / <f64>(count - longs);
}

function streaks(trades: usize, count: i32, out: Analysis): void {
  let wins = 0;
  let losses = 0;
  let mostWins = 0;
  let mostLosses = 0;
  let best: f64 = -Infinity;
  let worst: f64 = Infinity;
  for (let i = 0; i < count; i++) {
    const net = netOf(trades, i);
    wins = net > 0 ? wins + 1 : 0;
    losses = net < 0 ? losses + 1 : 0;
    mostWins = max(mostWins, wins);
    mostLosses = max(mostLosses, losses);
    best = Math.max(best, net);
    worst = Math.min(worst, net);
  }
  out.winsInARow = <f64>mostWins;
  out.lossesInARow = <f64>mostLosses;
  if (count > 0) out.bestTrade = best;
  if (count > 0) out.worstTrade = worst;
}

function winnersAndLosers(trades: usize, count: i32, out: Analysis): void {
  let won = 0;
  let lost = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  let wonBars: f64 = 0;
  let lostBars: f64 = 0;
  for (let i = 0; i < count; i++) {
    const trade = tradeAt(trades, i);
    const net = trade.netPnl;
    const bars = trade.exitIndex - trade.entryIndex;
    if (net > 0) {
      won++;
      gain += net;
      wonBars += bars;
    } else if (net < 0) {
      lost++;
      loss -= net;
      lostBars += bars;
    }
  }
  if (won > 0) out.averageWin = gain / <f64>won;
  if (won > 0) out.candlesHeldByWinners = wonBars / <f64>won;
  if (lost === 0) return;
  const averageLoss = loss / <f64>lost;
  out.averageLoss = -averageLoss;
  out.candlesHeldByLosers = lostBars / <f64>lost;
  out.expectancyRatio = (gain - loss) / <f64>count / averageLoss;
  if (won === 0) return;
  const payoff = gain / <f64>won / averageLoss;
  out.payoffRatio = payoff;
  const winRate = <f64>won / <f64>count;
  if (count >= ANALYSIS_TRADES_MIN) out.kellyFraction = winRate - (1 - winRate) / payoff;
}

/** Tests that the mean trade differs from zero, as if the trades were independent and this the only strategy ever tried. */
function inference(trades: usize, count: i32, out: Analysis): void {
  let sum: f64 = 0;
  for (let i = 0; i < count; i++) sum += netOf(trades, i);
  const mean = sum / <f64>count;
  let squares: f64 = 0;
  for (let i = 0; i < count; i++) squares += (netOf(trades, i) - mean) * (netOf(trades, i) - mean);
  const deviation = Math.sqrt(squares / <f64>(count - 1));
  // Equal trades leave only the rounding of their mean.
  if (!(deviation > Math.abs(mean) * 1e-12)) return;
  const t = (mean / deviation) * Math.sqrt(<f64>count);
  out.sqn = t;
  out.meanPValue = studentTail(t, count - 1);
}
