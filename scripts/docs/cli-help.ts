import { helpPages } from '../../test/helpers/help.ts';

// The help of every command, as the test keeps it. Run: npm run -s docs -- help > test/cli/help.txt
process.stdout.write(await helpPages());
