import type { z } from 'zod';

/** Days after which data is deleted or reduced, by what it is. docs/operations.md lists what each covers, and what is never deleted. */
export interface RetentionDays {
  /** Details of scans; best result and counts stay. */
  resultDays: number;
  /** AI verdicts by input, their costs, and the rationale of a scan's checks. */
  checkDays: number;
  /** Messages and their deliveries. */
  notificationDays: number;
  /** Positions that were not opened. */
  skipDays: number;
}

const fields = {
  results: 'resultDays',
  checks: 'checkDays',
  notifications: 'notificationDays',
  skips: 'skipDays',
} as const;
type Name = keyof typeof fields;
const names = Object.keys(fields) as Name[];

/** What a database with fewer days would reject, or a page still shows. */
const daysMin: Record<Name, number> = { results: 1, checks: 2, notifications: 1, skips: 30 };
const DAYS_MAX = 3650;

export const retentionDefault: RetentionDays = {
  resultDays: 30,
  checkDays: 30,
  notificationDays: 30,
  skipDays: 30,
};

/** `results=30,checks=7`: days by kind; those that are not named have the default. */
export function retentionOfText(text: string, context: z.RefinementCtx): RetentionDays {
  const days = { ...retentionDefault };
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, given, count] = /^\s*(\w+)\s*=\s*(\d{1,4})\s*$/.exec(part) ?? [];
    const name = names.find((each) => each === given);
    if (name === undefined) context.addIssue(`must look like results=30,checks=7, with ${names.join(', ')}`);
    else if (Number(count) < daysMin[name] || Number(count) > DAYS_MAX)
      context.addIssue(`${name} must be ${daysMin[name]} to ${DAYS_MAX} days`);
    else days[fields[name]] = Number(count);
  }
  return days;
}
