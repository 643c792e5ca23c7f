import { Type } from '@sinclair/typebox';

/** Settings of other services that Assize calls or that read it. */
export const connectedSettings = {
  ASSIZE_REDIS: Type.Optional(
    Type.String({
      pattern: '^rediss?://[^\\s]+$',
      maxLength: 500,
      description:
        'URL of a Redis or Valkey server that counts rate limits for all processes together, such as `redis://127.0.0.1:6379`; unset, or while it fails, each process counts alone',
    }),
  ),
  ASSIZE_CALLBACK_ALLOW: Type.String({
    default: '',
    description:
      'non-public hosts, addresses and CIDR ranges to which callbacks may be sent, separated by commas',
  }),
  ASSIZE_RECOGNIZER_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+(?:/[^\\s?#]*)?$',
      maxLength: 500,
      description:
        'URL of a Presidio Analyzer that finds names and places in the prose of requests, such as `http://127.0.0.1:5002`; unset, no text leaves the service',
    }),
  ),
  ASSIZE_RECOGNIZER_LANGUAGE: Type.String({
    default: 'en',
    pattern: '^[a-z]{2}$',
    description: 'language of the texts that are sent to it (ISO 639-1)',
  }),
  ASSIZE_RECOGNIZER_TIMEOUT_MS: Type.Integer({
    default: 1_000,
    minimum: 10,
    maximum: 20_000,
    description: 'its timeout for all texts of one request, in milliseconds',
  }),
  ASSIZE_RECOGNIZER_FAILURE: Type.Unsafe<'closed' | 'open'>({
    type: 'string',
    enum: ['closed', 'open'],
    default: 'closed',
    description: '`closed` tags texts that it did not read as `UNSCANNED`; `open` continues without the tag',
  }),
  ASSIZE_OTEL_RUN_GUARDRAIL: Type.Boolean({
    default: false,
    description:
      '`true` names the spans of decisions by the proposed convention `run_guardrail` of OpenTelemetry',
  }),
  ASSIZE_METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]*$',
      description:
        'bearer token for `GET /metrics` (Prometheus). Metrics are off when neither this nor `ASSIZE_METRICS_PORT` is set',
    }),
  ),
  ASSIZE_METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'serves `/metrics` on this port only, at `ASSIZE_METRICS_HOST`; requires a token only when `ASSIZE_METRICS_TOKEN` is set; 0 picks a free port',
    }),
  ),
  ASSIZE_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address to listen on for `ASSIZE_METRICS_PORT`',
  }),
};
