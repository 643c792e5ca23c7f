import { printQuality } from './detection/quality.ts';
import { printSpeed } from './detection/speed.ts';

// npm run bench:detection prints quality; with -- --speed it prints speed
if (process.argv.includes('--speed')) printSpeed();
else await printQuality();
