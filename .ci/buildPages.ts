import { buildWebWhenStale } from '../server/launch/buildWeb.ts';

/** Builds the pages as `npm start` does, and so that the start of the browser tests finds them fresh and builds none. */
await buildWebWhenStale();
