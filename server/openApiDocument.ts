import { withOfflineApp } from './offlineApp.ts';

/** The API document of this source tree. */
export const openApiDocument = (): Promise<Record<string, unknown>> => withOfflineApp((app) => app.openApiDocument());
