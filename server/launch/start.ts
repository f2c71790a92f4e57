import { launch } from './launch.ts';

/** `npm start`: everything on one machine, or one line that says why not. */
await launch(async (report) => {
  // Loaded here: the port responds first.
  const { buildEngine } = await import('@sextant/engine-as/build.ts');
  const { buildWebWhenStale } = await import('./buildWeb.ts');
  const { isRebuilt } = await buildEngine();
  if (isRebuilt) report('Built the engine.');
  if (await buildWebWhenStale()) report('Built the pages.');
});
