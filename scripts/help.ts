import { helpPages } from '../test/helpers/help.ts';

// The help of every command, as the test keeps it. Run: node scripts/help.ts > test/cli/help.txt
process.stdout.write(await helpPages());
