import type { ExchangeId } from '../../market/port.ts';
import type { OperationOutcome } from '../../../platform/observe.ts';

/** Epoch ms of the newest streamed data, by exchange and topic; null without such a topic. */
export type DataTimes = Partial<Record<ExchangeId, Record<string, number | null>>>;

/** Use of one limit of an exchange, in its unit. */
export interface BudgetFigure {
  exchange: ExchangeId;
  name: string;
  used: number;
  capacity: number;
}

/** A finished call of the watch thread: service, outcome, seconds. */
export type FinishedCall = [service: string, outcome: OperationOutcome, seconds: number];

/** What the watch thread reports every few seconds, as plain data. */
export interface WatchFigures {
  dataAtMs: DataTimes;
  silentTopics: Partial<Record<ExchangeId, number>>;
  budgets: BudgetFigure[];
  /** 99th percentile of the delay of its event loop since the last report. */
  lagSeconds: number;
  calls: FinishedCall[];
}

/** Interval of the reports. */
export const watchReportMs = 5000;
