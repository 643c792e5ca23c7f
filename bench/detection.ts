import { printSpeed } from './detection/speed.ts';

if (process.argv.includes('--speed')) printSpeed();
