import { writeFileSync } from 'node:fs';
import { describeApi } from './describe-api.ts';

// Writes docs/openapi.json from the routes. Run it after a route or schema changed: npm run openapi
writeFileSync('docs/openapi.json', await describeApi());
