import { buildEngine } from '@sextant/engine-as/build.ts';
import { launch } from '../../launch/launch.ts';

/** Like `npm start` without building the pages: these tests are about processes and data. */
await launch(async () => {
  await buildEngine();
});
