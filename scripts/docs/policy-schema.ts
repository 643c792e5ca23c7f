import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { policySchema } from '../../src/schemas/policy-documents.ts';

const path = join(import.meta.dirname, '../../docs/policy.schema.json');
writeFileSync(path, `${JSON.stringify(policySchema, null, 2)}\n`);
