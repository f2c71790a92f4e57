import { buildWebWhenStale } from '../server/launch/buildWeb.ts';

/** Builds the pages as `npm start` does, so that the browser tests start with fresh pages. */
await buildWebWhenStale();
