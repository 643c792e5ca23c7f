import { Counter, Gauge, type Registry } from 'prom-client';

/** Read at the time of each collection. */
export interface Figures {
  requestsInFlight: number;
  requestBytesInFlight: number;
  /** For their turn, before anything is read of them but the headers, or when their body has arrived. */
  requestsWaiting: number;
  /** Requests in flight beyond which one caller is refused. */
  requestLimit: number;
  /** Since the start of the process. */
  requestsRefused: number;
  /** Large requests that wait for a thread. */
  scansWaiting: number;
  pendingReviews: number;
  /** 0 when none is pending. */
  oldestPendingSeconds: number;
  callbacksWaiting: number;
  deliveriesWaiting: number;
  walBytes: number;
}

const helps: Record<Exclude<keyof Figures, 'requestsRefused'>, [name: string, help: string]> = {
  requestsInFlight: ['assize_requests_in_flight', 'requests that were admitted and have no response yet'],
  requestBytesInFlight: ['assize_request_bytes_in_flight', 'bytes of their bodies'],
  requestsWaiting: ['assize_requests_waiting', 'requests that wait for their turn'],
  requestLimit: ['assize_request_limit', 'requests in flight beyond which one caller is refused'],
  scansWaiting: ['assize_scans_waiting', 'large requests that wait for a thread to scan them'],
  pendingReviews: ['assize_reviews_pending', 'reviews that wait for a decision'],
  oldestPendingSeconds: [
    'assize_review_oldest_pending_seconds',
    'age of the oldest pending review; 0 for none',
  ],
  callbacksWaiting: ['assize_callbacks_waiting', 'callbacks that are not delivered yet'],
  deliveriesWaiting: ['assize_webhook_deliveries_waiting', 'deliveries of webhooks that wait for an attempt'],
  walBytes: ['assize_wal_bytes', 'size of the write-ahead log'],
};

export function addGauges(registry: Registry, version: string): (figures: Figures) => void {
  const registers = [registry];
  new Gauge({
    name: 'assize_build_info',
    help: 'the version that runs; always 1',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const gauges = Object.entries(helps).map(
    ([key, [name, help]]) => [key as keyof typeof helps, new Gauge({ name, help, registers })] as const,
  );
  const refused = new Counter({
    name: 'assize_requests_refused_total',
    help: 'requests refused with 503 because too many, or too many bytes, were in flight',
    registers,
  });
  let counted = 0;
  return (figures) => {
    for (const [key, gauge] of gauges) gauge.set(figures[key]);
    refused.inc(figures.requestsRefused - counted);
    counted = figures.requestsRefused;
  };
}
