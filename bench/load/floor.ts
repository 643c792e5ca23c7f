import { serveBare } from './bare-service.ts';

// The floor of a service on its own disk: it keeps nothing.
await serveBare(() => undefined);
