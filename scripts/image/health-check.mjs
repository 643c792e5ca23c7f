// Asks the service in this container whether it lives: exit code 0 or 1, for HEALTHCHECK.
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

const {
  ASSIZE_HOST = '127.0.0.1',
  ASSIZE_PORT = '3000',
  ASSIZE_TLS_CERT = '',
  ASSIZE_TLS_CLIENT_CA = '',
} = process.env;
const everyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);
const host = everyAddress.get(ASSIZE_HOST) ?? ASSIZE_HOST;
const request = { host, port: ASSIZE_PORT, path: '/health/live', timeout: 2_000, agent: false };
// The certificate names the service as its clients know it, not this address, and nothing secret is sent.
const sent = ASSIZE_TLS_CERT === '' ? get(request) : getSecurely({ ...request, rejectUnauthorized: false });
// Only a service that lives refuses a client without a certificate (alerts of TLS 1.3 and 1.2).
const refused = /ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)/;
sent
  .on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', ({ code = '' }) => process.exit(ASSIZE_TLS_CLIENT_CA !== '' && refused.test(code) ? 0 : 1));
