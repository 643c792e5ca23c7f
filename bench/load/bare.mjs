import Fastify from 'fastify';

// The floor of bench/start.ts: what a process with Node and Fastify takes, with one route.
const app = Fastify();
app.get('/health/ready', async () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.ASSIZE_PORT) });
