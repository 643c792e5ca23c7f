import './require-node.mjs';
import { globSync } from 'node:fs';
import { runTap } from './run-tap.mjs';

// The console, in Chromium. Without a browser its tests are skipped, which is a failure here.
process.exit(
  await runTap(['--disable-coverage', '--jobs=2', '--fail-skip'], globSync('test/console/*.browser.ts')),
);
