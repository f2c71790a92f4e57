import { type Db, withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import {
  DrawingsChangeResponse,
  DrawingsPath,
  DrawingsRequest,
  DrawingsResponse,
  LayoutChangeRequest,
  LayoutPath,
  LayoutRequest,
  LayoutsResponse,
} from './contract.ts';
import { changeDrawings, readDrawings } from './drawings.ts';
import { changeLayout, deleteLayout, readLayouts, saveLayout } from './layouts.ts';

interface ChartDeps {
  db: Db;
}

const tags = ['Account'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const rejections = { ...signedIn, ...problems(...bodyRejections, 'conflict') };

export function chartRoutes(app: App, deps: ChartDeps): void {
  const { db } = deps;
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/charts/drawings/:symbol',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'List your drawings on a symbol',
        params: DrawingsPath,
        response: { 200: DrawingsResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    (request) => withUser(db, request.user.id, (tx) => readDrawings(tx, request.params.symbol)),
  );
  app.patch(
    '/api/charts/drawings/:symbol',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Add, replace or remove drawings on a symbol',
        description: 'The last write wins per drawing; the response names drawings that were changed elsewhere.',
        params: DrawingsPath,
        body: DrawingsRequest,
        response: { 200: DrawingsChangeResponse, ...rejections },
      },
    },
    async (request, reply) => {
      const outcome = await changeDrawings(db, request.user.id, request.params.symbol, request.body);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  layoutRoutes(app, deps);
}

function layoutRoutes(app: App, { db }: ChartDeps): void {
  const changing = { 200: LayoutsResponse, ...rejections };
  app.get(
    '/api/charts/layouts',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'List your chart layouts',
        response: { 200: LayoutsResponse, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, readLayouts),
  );
  app.post(
    '/api/charts/layouts',
    { schema: { access: 'session', tags, summary: 'Save a chart layout', body: LayoutRequest, response: changing } },
    async (request, reply) => {
      const outcome = await saveLayout(db, request.user.id, request.body);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.patch(
    '/api/charts/layouts/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Rename or replace a chart layout',
        params: LayoutPath,
        body: LayoutChangeRequest,
        response: { ...changing, ...problems('not_found') },
      },
    },
    async (request, reply) => {
      const outcome = await changeLayout(db, request.user.id, request.params.id, request.body);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.delete(
    '/api/charts/layouts/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Delete a chart layout',
        params: LayoutPath,
        response: { ...changing, ...problems('not_found') },
      },
    },
    async (request, reply) => {
      const outcome = await deleteLayout(db, request.user.id, request.params.id);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}
