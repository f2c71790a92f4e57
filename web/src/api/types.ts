import type { paths } from './schema.gen.ts';

/** Short names for the bodies of the generated contract. */
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type AnswerOf<T> = T extends { responses: { 200: infer Good } } ? JsonOf<Good> : never;
type BodyOf<T> = T extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : never;

export type Measured = AnswerOf<paths['/api/measured']['get']>;
export type User = Pick<NonNullable<AnswerOf<paths['/api/auth/session']['get']>['user']>, 'id' | 'email'>;
export type Preferences = AnswerOf<paths['/api/preferences']['get']>;
export type Credits = AnswerOf<paths['/api/credits']['get']>;
export type Privacy = AnswerOf<paths['/api/account/privacy']['get']>;
export type DeletionState = AnswerOf<paths['/api/account/deletion']['get']>;
export type Deletion = BodyOf<paths['/api/account/deletion']['post']>;
export type Profile = AnswerOf<paths['/api/profile']['get']>;
export type ProfileChange = BodyOf<paths['/api/profile']['put']>;
/** One of the 15 ids of SHELL-007. */
export type TabId = Preferences['active_tab'];
export type PreferencesChange = BodyOf<paths['/api/preferences']['put']>;
export type IntervalName = paths['/api/klines']['get']['parameters']['query']['interval'];
export type RunBacktestBody = BodyOf<paths['/api/backtest']['post']>;
export type SavedStateBody = BodyOf<paths['/api/backtest/state']['put']>;
export type SavedState = NonNullable<AnswerOf<paths['/api/backtest/state']['get']>['state']>;
export type StoredBacktest = NonNullable<AnswerOf<paths['/api/backtest/last']['get']>['backtest']>;
export type Scan = NonNullable<AnswerOf<paths['/api/scan/last']['get']>['scan']>;
export type ScanResults = NonNullable<Scan['results']>;
export type ScanSignal = ScanResults['all'][number];
export type ScanBody = BodyOf<paths['/api/scan']['post']>;
export type LastScan = AnswerOf<paths['/api/scan/last']['get']>;
export type AwayScans = AnswerOf<paths['/api/scan/away']['get']>;
export type AiCheckBody = BodyOf<paths['/api/signal/ai-check']['post']>;
export type Notifications = AnswerOf<paths['/api/notifications']['get']>;
export type TargetChange = BodyOf<paths['/api/notifications/webhook']['patch']>;
export type Delivery = AnswerOf<paths['/api/notifications/deliveries']['get']>['deliveries'][number];
export type Candidate = AnswerOf<paths['/api/scan/{id}/candidates']['get']>['candidates'][number];
export type Tuning = AnswerOf<paths['/api/tuning']['get']>;
export type TuningChange = BodyOf<paths['/api/tuning']['put']>;
export type Performance = AnswerOf<paths['/api/performance']['get']>;
export type SignalRecord = Performance['engine'];
export type HistoricSignal = AnswerOf<paths['/api/historic-signals']['get']>['signals'][number];
