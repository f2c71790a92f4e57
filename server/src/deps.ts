import type { Config } from './config.ts';
import type { HealthDeps } from './features/health/routes.ts';

/**
 * Everything the app needs from outside, made once per process. Features name the part they need as their own interface, so a
 * test can build the app with less.
 */
export interface Deps extends HealthDeps {
  config: Config;
}
