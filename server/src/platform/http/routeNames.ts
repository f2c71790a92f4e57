declare module 'fastify' {
  interface FastifyInstance {
    /** Every call of the API, as `GET /api/health`. Known once all features are registered. */
    routeNames: readonly string[];
  }
}

export {};
