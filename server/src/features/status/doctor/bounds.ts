import type { QueueName } from '@sextant/db/src/jobsSchema.ts';

/**
 * Age in seconds of the oldest due job from which a queue is behind. The alert rules of deploy/prometheus have the same bounds; a test
 * compares them. Chunks of long searches wait behind others by design.
 */
export const queueAgeBoundsS: Record<QueueName | 'email' | 'delivery', number> = {
  scan: 30,
  scan_checks: 120,
  notification: 60,
  search: 900,
  search_minutes: 900,
  email: 300,
  delivery: 120,
};

/** Leaderships whose absence stops money or promises; the others only refresh. */
export const vitalLeaderships = ['positions', 'alerts'] as const;

export const bounds = {
  /** Part of the connections that the database takes. */
  connectionsWarnRatio: 0.75,
  connectionsRatio: 0.9,
  databaseMs: 250,
  clockWarnS: 2,
  clockS: 30,
  /** Seconds since the last streamed data of an exchange. */
  dataAgeS: 60,
  budgetRatio: 0.9,
  /** Median of the probes of an exchange in the last 15 minutes. */
  venueMs: 1500,
  /** Failed probes of the last 15. */
  venueFailures: 2,
  loopLagS: 0.25,
  eventLagS: 1,
  noticeQueueRatio: 0.25,
  watchReportS: 15,
  /** Free part of the disk of DATA_DIR. */
  freeWarnRatio: 0.15,
  freeRatio: 0.05,
} as const;
