import type { paths } from './schema.gen.ts';

/** Types of the calls, read from the generated document: paths, options and results. */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Operation {
  parameters: { query?: unknown; path?: unknown };
  requestBody?: unknown;
  responses: object;
}

type OperationOf<Path extends keyof paths, M extends Method> = Extract<NonNullable<paths[Path][M]>, Operation>;

/** Paths that have the method. */
export type ApiPath<M extends Method> = {
  [Path in keyof paths]: [NonNullable<paths[Path][M]>] extends [never] ? never : Path;
}[keyof paths];

/** An object without members that must be there: what all-optional options accept. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type None = Record<never, never>;
type IsNone<T> = [NonNullable<T>] extends [never] ? true : false;
/** `{ name: T }`, optional when every member of it is. */
type Named<Name extends string, T> =
  IsNone<T> extends true
    ? None
    : None extends NonNullable<T>
      ? Partial<Record<Name, NonNullable<T>>>
      : Record<Name, NonNullable<T>>;

type ContentOf<Body> = NonNullable<Body> extends { content: infer Content } ? Content : never;
type SentOf<Content> = Content extends { 'application/json': infer Json }
  ? Json
  : Content extends { 'multipart/form-data': unknown }
    ? FormData
    : Uint8Array<ArrayBuffer> | Blob;
type BodyOf<O extends Operation> =
  IsNone<O['requestBody']> extends true
    ? None
    : None extends Pick<O, 'requestBody'>
      ? { body?: SentOf<ContentOf<O['requestBody']>> }
      : { body: SentOf<ContentOf<O['requestBody']>> };

interface CommonOptions {
  /** Cancels the call and its retries. */
  signal?: AbortSignal;
  /** Longest time of one attempt, ms; that of the client when absent. */
  timeoutMs?: number;
  /** `Idempotency-Key` of a call that takes one. The client makes a key for each call when absent. */
  idempotencyKey?: string;
  /** The call may run twice, so it is retried after a lost response, too. */
  isRepeatable?: boolean;
}

/** Options of a call: `query`, `path` and `body` as the document states them. */
export type CallOptions<Path extends keyof paths, M extends Method> = CommonOptions &
  Named<'query', OperationOf<Path, M>['parameters']['query']> &
  Named<'path', OperationOf<Path, M>['parameters']['path']> &
  BodyOf<OperationOf<Path, M>>;

/** Left out when every option is optional. */
export type CallArguments<Path extends keyof paths, M extends Method> =
  None extends CallOptions<Path, M> ? [options?: CallOptions<Path, M>] : [options: CallOptions<Path, M>];

type Success = 200 | 201 | 202 | 204;
type ReadOf<Content> = Content extends { 'application/json': infer Json }
  ? Json
  : keyof Content extends `text/${string}`
    ? string
    : Uint8Array<ArrayBuffer>;

/** Result of a call: JSON as its type, text as a string, other content as bytes. */
export type CallResult<Path extends keyof paths, M extends Method> = OperationOf<
  Path,
  M
>['responses'] extends infer Responses
  ? {
      [Status in keyof Responses & Success]: Responses[Status] extends { content: infer Content }
        ? ReadOf<Content>
        : undefined;
    }[keyof Responses & Success]
  : never;
