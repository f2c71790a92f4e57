import type { Bus } from '../../../platform/bus/port.ts';
import { createBusRequests } from '../../../platform/bus/requests.ts';
import { decode } from '../../../platform/bus/wire.ts';
import { nodeName } from '../../../platform/jobs/leadership.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { readPriority } from '../../../platform/readPriority.ts';
import type { ExchangeId } from '../port.ts';
import {
  type CallMessage,
  type CallResponse,
  callSubject,
  type RemoteRead,
  type Report,
  reportSubject,
  type VenueReport,
} from './wire.ts';

/** Longest wait for the gateway: a call of an exchange may take 12 s, and a takeover less than 10 s. */
const CALL_MS = 14_000;
/** Without a report for this long no gateway runs, and calls fail at once. A takeover is shorter. */
const LOST_MS = 12_000;
const RETRY_S = 5;
/** A reported state of an exchange counts for this long. */
const REPORT_LIFE_MS = 5000;

export interface RemoteResult {
  outcome: Outcome<unknown>;
  pageCount: number;
  /** Milliseconds that this node's clock is ahead of the gateway's, by the time of the response. */
  shiftMs: number;
}

export interface LastReport extends Report {
  ageMs: number;
}

/** This node's connection to the market gateway. */
export interface GatewayLink {
  bus: Bus;
  /** One read by the gateway. Without a response by the deadline: `upstream_unavailable`. */
  call: (
    exchange: ExchangeId,
    read: RemoteRead,
    request: unknown,
    signal: AbortSignal | undefined,
  ) => Promise<RemoteResult>;
  /** Whether a message of this epoch is of the newest gateway known. */
  isCurrent: (epoch: number) => boolean;
  /** What the gateway said of an exchange within the last seconds. */
  report: (exchange: ExchangeId) => VenueReport | undefined;
  lastReport: () => LastReport | undefined;
  /** Whether this node is the gateway that sent the last report. */
  isOwn: () => boolean;
  /** Calls back when another gateway takes over, and after a gap of the bus. @returns unsubscribes */
  onNews: (listener: () => void) => () => void;
  close: () => void;
}

const unavailable = (): Outcome<never> =>
  reject('upstream_unavailable', `The market gateway does not respond. Try again in ${RETRY_S} s.`, {
    retryAfterS: RETRY_S,
  });

export function createGatewayLink(bus: Bus, nowMs: () => number = () => performance.now()): GatewayLink {
  const requests = createBusRequests(bus, callSubject);
  const listeners = new Set<() => void>();
  let last: Report | undefined;
  let reportedMs = nowMs();
  let epoch = 0;
  const news = (): void => {
    for (const listener of listeners) listener();
  };

  const stop = bus.subscribe(reportSubject, {
    onMessage({ body }) {
      const report = decode(body) as Report;
      // A gateway that was frozen still sends what it had prepared.
      if (report.epoch < epoch) return;
      const isOther = report.epoch > epoch;
      epoch = report.epoch;
      last = report;
      reportedMs = nowMs();
      if (!isOther) return;
      requests.repeat();
      news();
    },
    onGap: news,
  });

  return {
    bus,
    async call(exchange, read, request, signal) {
      const failed = (outcome: Outcome<never>): RemoteResult => ({ outcome, pageCount: 0, shiftMs: 0 });
      if (nowMs() - reportedMs > LOST_MS) return failed(unavailable());
      const { patienceMs, ...priority } = readPriority();
      const body: CallMessage = {
        exchange,
        read,
        request,
        priority: { ...priority, patienceMs: Number.isFinite(patienceMs) ? patienceMs : null },
      };
      const result = await requests.send(body, { deadlineMs: CALL_MS, signal });
      if (!result.ok) {
        if (result.error === 'aborted') return failed(reject('deadline_exceeded', 'The request was cancelled.'));
        return failed(unavailable());
      }
      const { outcome, pageCount, sentAtMs } = result.value as CallResponse;
      return { outcome, pageCount, shiftMs: Date.now() - sentAtMs };
    },
    isCurrent: (each) => each >= epoch,
    report: (exchange) => (nowMs() - reportedMs <= REPORT_LIFE_MS ? last?.venues[exchange] : undefined),
    lastReport: () => last && { ...last, ageMs: nowMs() - reportedMs },
    isOwn: () => last?.node === nodeName(),
    onNews: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      stop();
      requests.close();
      listeners.clear();
    },
  };
}
