import { proxy } from 'valtio';
import type { EventData } from '../api/eventConnection.ts';

/** Progress of the portfolio search that this page waits for; `total` 0 while its candles load. */
export const portfolioProgress = proxy<{ id: string; done: number; total: number }>({ id: '', done: 0, total: 0 });

/** Takes the events of one search, whose id the page has made. */
export function followPortfolioSearch(id: string): void {
  Object.assign(portfolioProgress, { id, done: 0, total: 0 });
}

/** An event of another search, or one that comes late, changes nothing. */
export function takePortfolioSearchEvent({ id, done, total }: EventData): void {
  if (id !== portfolioProgress.id || typeof done !== 'number' || typeof total !== 'number') return;
  if (done >= portfolioProgress.done) Object.assign(portfolioProgress, { done, total });
}
