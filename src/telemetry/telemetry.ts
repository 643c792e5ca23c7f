import { type Attributes, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** The time of a part of the work. Times are those of `performance.now()`. */
export interface TracedStep {
  name: string;
  beganAt: number;
  endedAt: number;
}

export interface TracedWork extends TracedStep {
  /** The span of the caller; null when it sent none. */
  parent: { traceId: string; spanId: string; isSampled: boolean } | null;
  attributes: Attributes;
  steps: readonly TracedStep[];
}

/** Sends spans to a collector (OTLP over HTTP, protobuf). What it cannot take in time is dropped. */
export interface Telemetry {
  /** Whoever calls decides whether it is kept: work of a parent that is not sampled leaves no spans. */
  trace(work: TracedWork): void;
  /** Sends what is left, for at most some seconds. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  /** Where traces are posted. */
  url: string;
  serviceName: string;
  version: string;
}

/** A collector that hangs must not keep the service from stopping. */
const timeoutMs = 3_000;

export function openTelemetry({ url, serviceName, version }: TelemetryOptions): Telemetry {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: timeoutMs })],
  });
  const tracer = provider.getTracer('assize', version);
  const epochMs = (at: number): number => performance.timeOrigin + at;

  return {
    trace({ parent, name, beganAt, endedAt, attributes, steps }) {
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
            isRemote: true,
          })
        : ROOT_CONTEXT;
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.SERVER, startTime: epochMs(beganAt), attributes },
        context,
      );
      if (span.isRecording()) {
        const inside = trace.setSpan(context, span);
        for (const step of steps)
          tracer
            .startSpan(step.name, { startTime: epochMs(step.beganAt) }, inside)
            .end(epochMs(step.endedAt));
      }
      span.end(epochMs(endedAt));
    },
    async close() {
      await provider.shutdown().catch(() => undefined);
    },
  };
}
