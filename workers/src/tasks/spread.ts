import {
  SPREAD_LENGTH,
  SPREAD_TERMS_LENGTH,
  spreadSlot as slot,
  spreadTermsSlot as termSlot,
} from '@sextant/engine-as/abi/records.ts';
import { STATUS_OK } from '@sextant/engine-as/abi/status.ts';
import type { Engine } from '../engine/engine.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type { BookSide, SizedSpread, SpreadInput, SpreadLeg, SpreadResult, SpreadTerms } from '../protocol/spread.ts';
import { ok } from '../core/result.ts';
import { check, firstFailure } from './validateParams.ts';

const SIZES_MAX = 1000;
const rate = { min: -1, max: 1 };
const hours = { min: -1e6, max: 1e6 };

/** Results for each notional and for the size with the highest net. Fast enough for a slider: a book of 50 levels takes microseconds. */
export function spread(engine: Engine, { asks, bids, terms, notionals }: SpreadInput): TaskResult<SpreadResult> {
  const valid = firstFailure([
    () => validateLeg('terms.buy', terms.buy),
    () => validateLeg('terms.sell', terms.sell),
    () => check('terms.holdHours', terms.holdHours, { min: 0, max: 1e6 }),
    () => check('terms.quantityStep', terms.quantityStep, { min: 0, max: 1e15 }),
    () => check('terms.minNotionalUsdt', terms.minNotionalUsdt, { min: 0, max: 1e15 }),
    () => check('notionals.length', notionals.length, { min: 0, max: SIZES_MAX }, true),
    ...notionals.map((notional, i) => () => check(`notionals.${i}`, notional, { min: 0, max: 1e15 })),
  ]);
  if (!valid.ok) return valid;
  const at = {
    asks: engine.push(asks),
    askCount: asks.length >> 1,
    bids: engine.push(bids),
    bidCount: bids.length >> 1,
    terms: engine.push(termsRecord(terms)),
    out: engine.reserve(SPREAD_LENGTH),
  };
  const run = (kernel: 'spreadAt' | 'bestSpread'): boolean =>
    engine.raw[kernel](at.asks, at.askCount, at.bids, at.bidCount, at.terms, at.out) === STATUS_OK;
  if (!run('bestSpread'))
    return fail('bad_input', 'must be levels of positive prices and sizes, best first', badSide(asks, bids));
  const best = read(engine, at.out);
  const sizes = notionals.map((notional) => {
    engine.f64View(at.terms, SPREAD_TERMS_LENGTH)[termSlot.notional] = notional;
    run('spreadAt');
    return read(engine, at.out);
  });
  return ok({ sizes, best: best.quantity > 0 ? best : null });
}

/** Coins of a level that no notional uses up. */
const LARGE = 1e9;

/**
 * Net of the best prices alone, fraction of the bought leg: the result of a size too small to move the price. Steps and minimum notionals
 * do not count. One kernel call without copies of a result, for hundreds of pairs at once. NaN for invalid prices.
 */
export function netAtBest(
  engine: Engine,
  { ask, bid, terms }: { ask: number; bid: number; terms: Omit<SpreadTerms, 'quantityStep' | 'minNotionalUsdt'> },
): number {
  const record = termsRecord({ ...terms, quantityStep: 0, minNotionalUsdt: 0 });
  record[termSlot.notional] = ask;
  const asksAt = engine.push(Float64Array.of(ask, LARGE));
  const bidsAt = engine.push(Float64Array.of(bid, LARGE));
  const termsAt = engine.push(record);
  const out = engine.reserve(SPREAD_LENGTH);
  if (engine.raw.spreadAt(asksAt, 1, bidsAt, 1, termsAt, out) !== STATUS_OK) return NaN;
  return engine.f64View(out, SPREAD_LENGTH)[slot.netFraction] ?? NaN;
}

const validateLeg = (field: string, leg: SpreadLeg): TaskResult<null> =>
  firstFailure([
    () => check(`${field}.takerFeeFraction`, leg.takerFeeFraction, { min: 0, max: 0.1 }),
    () => check(`${field}.fundingRate`, leg.fundingRate ?? 0, rate),
    () => check(`${field}.hoursToFunding`, leg.hoursToFunding ?? 0, hours),
    () => check(`${field}.fundingIntervalHours`, leg.fundingIntervalHours ?? 1, { min: 0, max: 1e6, isOpen: true }),
  ]);

/** The side to blame in the message: the engine only says that one of them is no book. */
function badSide(asks: BookSide, bids: BookSide): string {
  const isSorted = (side: BookSide, sign: number): boolean =>
    side.length % 2 === 0 &&
    side.every((value) => Number.isFinite(value) && value > 0) &&
    side.every((price, i) => i % 2 === 1 || i === 0 || (price - (side[i - 2] as number)) * sign > 0);
  return isSorted(asks, 1) && !isSorted(bids, -1) ? 'bids' : 'asks';
}

function termsRecord({ buy, sell, holdHours, quantityStep, minNotionalUsdt }: SpreadTerms): Float64Array {
  const record = new Float64Array(SPREAD_TERMS_LENGTH);
  record[termSlot.holdHours] = holdHours;
  record[termSlot.step] = quantityStep;
  record[termSlot.minNotional] = minNotionalUsdt;
  record[termSlot.buyTakerFee] = buy.takerFeeFraction;
  record[termSlot.sellTakerFee] = sell.takerFeeFraction;
  record[termSlot.buyFundingRate] = buy.fundingRate ?? 0;
  record[termSlot.buyFundingHours] = buy.fundingRate === null ? -1 : (buy.hoursToFunding ?? -1);
  record[termSlot.buyFundingInterval] = buy.fundingIntervalHours ?? Infinity;
  record[termSlot.sellFundingRate] = sell.fundingRate ?? 0;
  record[termSlot.sellFundingHours] = sell.fundingRate === null ? -1 : (sell.hoursToFunding ?? -1);
  record[termSlot.sellFundingInterval] = sell.fundingIntervalHours ?? Infinity;
  return record;
}

function read(engine: Engine, out: number): SizedSpread {
  const view = engine.f64View(out, SPREAD_LENGTH);
  const value = (index: number): number => view[index] ?? Number.NaN;
  const leg = value(slot.worstLeg);
  const breakEven = value(slot.breakEvenHours);
  return {
    quantity: value(slot.quantity),
    buyNotionalUsdt: value(slot.buyNotional),
    sellNotionalUsdt: value(slot.sellNotional),
    buyPrice: value(slot.buyPrice),
    sellPrice: value(slot.sellPrice),
    buyWorstPrice: value(slot.buyWorst),
    sellWorstPrice: value(slot.sellWorst),
    buySlippageFraction: value(slot.buySlippage),
    sellSlippageFraction: value(slot.sellSlippage),
    worstLeg: leg > 0 ? 'buy' : leg < 0 ? 'sell' : 'none',
    grossUsdt: value(slot.gross),
    grossFraction: value(slot.grossFraction),
    feesInUsdt: value(slot.feesIn),
    feesOutUsdt: value(slot.feesOut),
    fundingUsdt: value(slot.funding),
    netUsdt: value(slot.net),
    netFraction: value(slot.netFraction),
    breakEvenHours: Number.isNaN(breakEven) ? null : breakEven,
    isFilled: value(slot.isFilled) === 1,
  };
}
