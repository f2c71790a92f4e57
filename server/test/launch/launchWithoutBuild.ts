import { launch } from '../../launch/launch.ts';

/** What `npm start` runs, without the built files: these tests are about processes and data. */
await launch(() => Promise.resolve());
