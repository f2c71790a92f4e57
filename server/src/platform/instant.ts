import { z } from 'zod';

/** A time that may be missing, UTC. One schema, so that the API document names it once. */
export const InstantOrNull = z.iso.datetime().nullable();
