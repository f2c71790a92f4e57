import { buildEngine } from '@sextant/engine-as/build.ts';
import { buildWebWhenStale } from './buildWeb.ts';
import { launch } from './launch.ts';

/** `npm start`: everything on one machine, or one line that says why not. */
await launch(async (report) => {
  const { isRebuilt } = await buildEngine();
  if (isRebuilt) report('Built the engine.');
  if (await buildWebWhenStale()) report('Built the pages.');
});
