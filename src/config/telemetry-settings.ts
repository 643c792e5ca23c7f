import type { Environment } from './environment.ts';

export interface TelemetryConfig {
  /** Where traces are posted (OTLP over HTTP, protobuf). */
  url: string;
  serviceName: string;
  /** Whether spans follow the proposed convention for guardrails. */
  isGuardrail: boolean;
}

/**
 * The variables that OpenTelemetry defines for all programs; the exporter reads further ones, such as its headers, itself. Null
 * when they name no collector.
 */
export function readTelemetry(
  env: Environment,
  mistakes: string[],
): Omit<TelemetryConfig, 'isGuardrail'> | null {
  const {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces = '',
    OTEL_EXPORTER_OTLP_ENDPOINT: all = '',
    OTEL_SERVICE_NAME: serviceName = '',
    OTEL_SDK_DISABLED: disabled = '',
  } = env;
  if ((traces === '' && all === '') || disabled.toLowerCase() === 'true') return null;
  const name = traces === '' ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const url = traces === '' ? `${all.replace(/\/+$/, '')}/v1/traces` : traces;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    mistakes.push(`${name}: must be an http or https URL, such as http://127.0.0.1:4318`);
    return null;
  }
  return { url, serviceName: serviceName === '' ? 'assize' : serviceName };
}
