// Asks the service in this container whether it lives: exit code 0 or 1, for HEALTHCHECK.
import { get } from 'node:http';

const { ASSIZE_HOST = '127.0.0.1', ASSIZE_PORT = '3000' } = process.env;
const everyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);
const host = everyAddress.get(ASSIZE_HOST) ?? ASSIZE_HOST;
get({ host, port: ASSIZE_PORT, path: '/health/live', timeout: 2_000, agent: false }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
