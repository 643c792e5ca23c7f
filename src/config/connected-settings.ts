import { Type } from '@sinclair/typebox';

/** Settings of other services that Assize calls or that read it. */
export const connectedSettings = {
  ASSIZE_CALLBACK_ALLOW: Type.String({
    default: '',
    description:
      'hosts, addresses and CIDR ranges, separated by commas, that callbacks may go to although they are not public',
  }),
  ASSIZE_RECOGNIZER_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+(?:/[^\\s?#]*)?$',
      maxLength: 500,
      description:
        'a Presidio Analyzer that finds names and places in the prose of requests, such as `http://127.0.0.1:5002`; without it nothing is sent anywhere',
    }),
  ),
  ASSIZE_RECOGNIZER_LANGUAGE: Type.String({
    default: 'en',
    pattern: '^[a-z]{2}$',
    description: 'the language of the texts that it is asked about (ISO 639-1)',
  }),
  ASSIZE_RECOGNIZER_TIMEOUT_MS: Type.Integer({
    default: 1_000,
    minimum: 10,
    maximum: 20_000,
    description: 'milliseconds it has for all texts of a request',
  }),
  ASSIZE_RECOGNIZER_FAILURE: Type.Unsafe<'closed' | 'open'>({
    type: 'string',
    enum: ['closed', 'open'],
    default: 'closed',
    description: '`closed` gives texts that it did not read the tag `UNSCANNED`; `open` goes on without',
  }),
  ASSIZE_METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]*$',
      description:
        'the bearer token of `GET /metrics` (Prometheus); without this and `ASSIZE_METRICS_PORT` nothing is counted and there is no such path',
    }),
  ),
  ASSIZE_METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'serves `/metrics` on this port alone, at `ASSIZE_METRICS_HOST`, and asks for a token only when `ASSIZE_METRICS_TOKEN` is set; 0 takes a free one',
    }),
  ),
  ASSIZE_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address of `ASSIZE_METRICS_PORT`',
  }),
};
