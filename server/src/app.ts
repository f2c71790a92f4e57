import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Deps } from './deps.ts';
import { healthRoutes } from './features/health/routes.ts';
import type { App, Feature } from './platform/http/app.ts';

/** Every feature, once. Adding one is a line here and its needs in deps.ts. */
const features: Feature<Deps>[] = [healthRoutes];

/** Builds the app without listening: main.ts listens, tests inject. */
export async function buildApp(deps: Deps): Promise<App> {
  const app: App = Fastify({ logger: { level: deps.config.logLevel } }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const feature of features) await app.register(async (scope) => feature(scope as App, deps));
  return app;
}
