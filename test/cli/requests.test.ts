import { readFileSync } from 'node:fs';
import t from 'tap';
import { requestsOfCommands } from './requests.ts';

t.test(
  'every command sends what the API describes, each option its field, and prints the response: npm run -s docs -- requests',
  async (t) => {
    const expected = readFileSync(new URL('requests.txt', import.meta.url), 'utf8');
    t.equal(await requestsOfCommands(), expected, 'review the difference: it is what users get');
  },
);
