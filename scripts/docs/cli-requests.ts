import { requestsOfCommands } from '../../test/cli/requests.ts';

// The requests of every command, as the test keeps them. Run: npm run -s docs -- requests > test/cli/requests.txt
process.stdout.write(await requestsOfCommands());
