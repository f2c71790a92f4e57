import { sql } from 'kysely';

/** One judged story of a source with its measured outcome. */
export interface Outcome {
  source: string;
  knownAtMs: number;
  isHit: boolean;
}

export const OUTCOMES_MAX = 50_000;
const RECORD_DAYS = 180;
/** The outcomes `r` that page and vote count. */
export const inRecord = sql`r.known_at > now() - make_interval(days => ${RECORD_DAYS})`;
