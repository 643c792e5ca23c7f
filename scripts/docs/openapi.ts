import { readFileSync, writeFileSync } from 'node:fs';
import { withReference } from './api-reference.ts';
import { describeApi } from './describe-api.ts';

// Writes docs/openapi.json and the reference in docs/api.md from the routes. Run it after a route or schema changed:
// npm run openapi
const description = await describeApi();
writeFileSync('docs/openapi.json', description);
writeFileSync('docs/api.md', withReference(readFileSync('docs/api.md', 'utf8'), JSON.parse(description)));
