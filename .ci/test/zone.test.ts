import { expect, it } from 'vitest';

/** Runs only in the time zone projects: the results of the other files must not depend on a zone. */
it('the process is in the zone of its project, and that is not UTC', () => {
  const zone = process.env['TZ'];
  expect(new Intl.DateTimeFormat('en').resolvedOptions().timeZone.replace('Calcutta', 'Kolkata')).toBe(zone);
  // Minutes behind UTC at noon of 1 July 2026, by the time zone database.
  const known: Record<string, number> = { 'America/New_York': 240, 'Asia/Kolkata': -330, 'Europe/Berlin': -120 };
  expect(new Date(Date.UTC(2026, 6, 1, 12)).getTimezoneOffset()).toBe(known[zone ?? '']);
});
