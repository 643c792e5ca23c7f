import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';
import t, { type Test } from 'tap';
import { loadConfig } from '../../src/config/config.ts';
import { openTelemetry } from '../../src/telemetry/telemetry.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';

// The parts of opentelemetry-proto (trace/v1/trace.proto and what it imports) that are sent, with their field numbers.
const { root } = protobuf.parse(`
syntax = "proto3";
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; string version = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; ArrayValue array_value = 5; } }
message ArrayValue { repeated AnyValue values = 1; }
`);
const Export = root.lookupType('ExportTraceServiceRequest');

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
}

/** A collector that keeps what it is sent. */
async function openCollector(t: Test) {
  const spans: Span[] = [];
  const requests: { url: string | undefined; type: string | undefined }[] = [];
  const resources: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    requests.push({ url: request.url, type: request.headers['content-type'] });
    // biome-ignore lint/suspicious/noExplicitAny: decoded by the description above
    const sent: any = Export.toObject(Export.decode(Buffer.concat(parts)), { longs: String, arrays: true });
    for (const { resource, scopeSpans } of sent.resourceSpans) {
      resources.push(valuesOf(resource.attributes));
      for (const span of scopeSpans.flatMap((scope: { spans: object[] }) => scope.spans)) {
        spans.push({
          name: span.name,
          kind: span.kind,
          traceId: hex(span.traceId),
          spanId: hex(span.spanId),
          parentSpanId: hex(span.parentSpanId),
          startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
          endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
          attributes: valuesOf(span.attributes),
        });
      }
    }
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, requests, resources };
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
// biome-ignore lint/suspicious/noExplicitAny: decoded by the description above
const valuesOf = (all: any[]): Record<string, unknown> =>
  Object.fromEntries(
    all.map(({ key, value }) => [
      key,
      value.stringValue ?? value.arrayValue?.values.map((one: typeof value) => one.stringValue),
    ]),
  );

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

t.test('a decision is a span of the trace of its caller, in the wire format of a collector', async (t) => {
  const collector = await openCollector(t);
  const { telemetry: options } = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const telemetry = openTelemetry({ url: options?.url ?? '', serviceName: 'assize', version: '1.2.3' });
  const app = await startApp(t, {}, { telemetry });
  const { id, key } = await app.integration('AGENT');
  await app.policy(id, rule('tool == "shell"', 'BLOCK'));
  const send = (traceparent?: string) =>
    app.call(
      key,
      'POST',
      '/v1/evaluate',
      { input: { tool: 'shell', text: 'write to ada@example.com' } },
      {
        ...(traceparent !== undefined && { traceparent }),
      },
    );
  const { body } = await send(`00-${traceId}-${spanId}-01`);
  await send(`00-${traceId}-${spanId}-00`);
  await send();
  await telemetry.close();

  t.strictSame(collector.requests, [{ url: '/v1/traces', type: 'application/x-protobuf' }]);
  t.strictSame(collector.resources, [{ 'service.name': 'assize', 'service.version': '1.2.3' }]);
  t.equal(collector.spans.length, 8, 'what the caller does not sample leaves no spans');
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const whole = spans.find(({ name }) => name === 'evaluate');
  t.match(whole, { parentSpanId: spanId, kind: 2 });
  t.strictSame(whole?.attributes, {
    'gen_ai.tool.name': 'shell',
    'gen_ai.conversation.id': body.data.sessionId,
    'assize.evaluation.id': body.data.evaluationRunId,
    'assize.integration.id': id,
    'assize.phase': 'ACTION',
    'assize.enforcement_action': 'BLOCK',
    'assize.severity': body.data.severity,
    'assize.rules': [`${body.data.violations[0].policyName}/${body.data.violations[0].ruleId}`],
  });
  const parts = ['detection', 'rules', 'commit'].map((name) => spans.find((span) => span.name === name));
  for (const part of parts) {
    t.equal(part?.parentSpanId, whole?.spanId);
    t.ok(part && whole && part.startMs >= whole.startMs && part.endMs <= whole.endMs, 'within the whole');
  }
  t.ok((whole?.startMs ?? 0) > Date.now() - 60_000, 'in time since 1970');
  t.notOk(JSON.stringify(collector.spans).includes('ada@'), 'no content leaves');
});

t.test(
  'a collector that is not there changes nothing for callers, and does not keep the service from stopping',
  async (t) => {
    const telemetry = openTelemetry({
      url: 'http://127.0.0.1:1/v1/traces',
      serviceName: 'assize',
      version: '1',
    });
    const app = await startApp(t, {}, { telemetry });
    const { key } = await app.integration('AGENT');
    t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } })).status, 200);
    const beganAt = performance.now();
    await telemetry.close();
    t.ok(performance.now() - beganAt < 8_000);
  },
);

t.test('the settings of OpenTelemetry say where to; without them nothing is traced', async (t) => {
  const url = (env: Record<string, string>) => loadConfig(env).telemetry?.url;
  t.equal(url({}), undefined);
  t.equal(url({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }), 'http://collector:4318/v1/traces');
  t.equal(url({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector/x' }), 'http://collector/x');
  t.equal(url({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }), undefined);
  t.throws(
    () => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }),
    /OTEL_EXPORTER_OTLP_ENDPOINT: must be an http/,
  );
  t.equal(
    loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SERVICE_NAME: 'x' }).telemetry?.serviceName,
    'x',
  );
});

t.test('a trace finds its evaluations again, unless the caller has an id of its own', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('AGENT');
  const traceparent = `00-${traceId}-${spanId}-00`;
  const send = async (body: object, headers = {}) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' }, ...body }, headers)).body.data;
  const traced = await send({}, { traceparent });
  t.equal(traced.correlationId, traceId);
  const named = await send({ correlationId: 'mine' }, { traceparent });
  t.equal(named.correlationId, 'mine');
  t.equal((await send({})).correlationId, null);
  const found = async (filter: string) => {
    const { body } = await app.call(adminKey, 'GET', `/v1/evaluations?${filter}`);
    return body.data.map((one: { evaluationRunId: string; traceId: string | null }) => {
      t.equal(one.traceId, traceId);
      return one.evaluationRunId;
    });
  };
  t.strictSame(await found(`correlationId=${traceId}`), [traced.evaluationRunId]);
  t.strictSame(await found(`traceId=${traceId}`), [named.evaluationRunId, traced.evaluationRunId]);
  t.strictSame(await found(`traceId=${'a'.repeat(32)}`), []);
});

t.test('lines of the log name the trace of the request', async (t) => {
  const app = await startApp(t, { ASSIZE_LOG_LEVEL: 'debug' });
  const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'x-request-id': 'r-1' };
  await app.call(adminKey, 'GET', '/v1/policies', undefined, headers);
  await app.call(adminKey, 'GET', '/v1/policies', undefined, {
    traceparent: `00-${'0'.repeat(32)}-${spanId}-01`,
  });
  const lines = app.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  t.match(lines[0], { reqId: 'r-1', traceId });
  t.notMatch(lines[1], { traceId: String }, 'an invalid one is ignored');
});
