import { buildEngine } from '@sextant/engine-as/build.ts';
import { buildWebWhenStale } from './buildWeb.ts';

/** `npm run build`: makes the files that `NODE_ENV=production npm start` serves. Needs the development packages. */
try {
  const { isRebuilt, bytes } = await buildEngine();
  console.log(`engine-as/build/engine.wasm ${isRebuilt ? 'built' : 'is up to date'}: ${bytes} bytes`);
  console.log(`web/dist ${(await buildWebWhenStale()) ? 'built' : 'is up to date'}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
