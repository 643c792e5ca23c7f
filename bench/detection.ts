import { runBuilt } from './built.ts';
import { printNationalIds } from './detection/national-ids-recall.ts';
import { printQuality } from './detection/quality.ts';

// npm run bench:detection prints quality; with -- --speed it prints speed
if (process.argv.includes('--speed')) {
  await runBuilt("import { printSpeed } from './speed.ts'; printSpeed();", 'bench/detection');
} else {
  printNationalIds();
  await printQuality();
}
