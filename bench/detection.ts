import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runBuilt } from './built.ts';
import { printCold } from './detection/cold.ts';
import { printForms } from './detection/forms-report.ts';
import { printLogs } from './detection/logs-report.ts';
import { printNationalIds } from './detection/national-ids-recall.ts';
import { printObfuscations } from './detection/obfuscations-report.ts';
import { printQuality } from './detection/quality.ts';
import { printSuites } from './detection/suites-report.ts';
import { banner, switchable } from './detection/without.ts';

// npm run bench:detection prints quality, what is missed, and real files; with -- --speed it prints speed, and with
// -- --against ../other the bars and the speed on real files beside those of another checkout
// with -- --without the classes that each recogniser's absence makes worse; with -- --patterns ways to find many words in a text
const { values } = parseArgs({
  options: {
    speed: { type: 'boolean' },
    against: { type: 'string' },
    without: { type: 'boolean' },
    patterns: { type: 'boolean' },
  },
});
if (values.without) {
  await runBuilt(
    "import '../../src/detectors/index.ts'; import { printWithout } from './without-report.ts'; await printWithout(globalThis.without.all);",
    'bench/detection',
    { plugins: [switchable], banner },
  );
} else if (values.patterns) {
  await runBuilt(
    "import { printMultiPattern } from './multi-pattern.ts'; printMultiPattern();",
    'bench/detection',
  );
} else if (values.speed) {
  await runBuilt("import { printSpeed } from './speed.ts'; printSpeed();", 'bench/detection');
} else if (values.against !== undefined) {
  const former = JSON.stringify(resolve(values.against, 'src/detectors/index.ts'));
  await runBuilt(
    `import { createDetector } from ${former}; import { createDetector as createOwn } from '../../src/detectors/index.ts'; import { printAgainst } from './against.ts'; import { printBars } from './bars.ts'; await printBars(new Map([['before', createDetector()], ['now', createOwn()]])); printAgainst(createDetector);`,
    'bench/detection',
  );
  await printCold(
    new Map([
      ['before', resolve(values.against, 'src/detectors/index.ts')],
      ['now', 'src/detectors/index.ts'],
    ]),
  );
} else {
  // speed is that of the code as it is shipped
  await runBuilt(
    "import { createDetector } from '../../src/detectors/index.ts'; import { printBars } from './bars.ts'; await printBars(new Map([['now', createDetector()]]));",
    'bench/detection',
  );
  await printCold(new Map([['now', 'src/detectors/index.ts']]));
  printNationalIds();
  printForms();
  printSuites();
  printLogs();
  printObfuscations();
  await runBuilt(
    "import { printRealFiles } from './real-files-report.ts'; printRealFiles();",
    'bench/detection',
  );
  await printQuality();
}
