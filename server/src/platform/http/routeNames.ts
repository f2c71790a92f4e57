declare module 'fastify' {
  interface FastifyInstance {
    /** All API calls, as `GET /api/health`. Complete once all features are registered. */
    routeNames: readonly string[];
  }
}

export {};
