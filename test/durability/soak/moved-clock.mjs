import { readFileSync } from 'node:fs';

// Loaded before the service: its clock is that of the machine and as many milliseconds more as the file SOAK_CLOCK says.
const System = Date;
let offset = 0;
const look = () => {
  offset = Number(readFileSync(process.env.SOAK_CLOCK, 'utf8'));
};
look();
setInterval(look, 50).unref();
globalThis.Date = class extends System {
  constructor(...values) {
    super(...(values.length === 0 ? [System.now() + offset] : values));
  }
  static now = () => System.now() + offset;
};
