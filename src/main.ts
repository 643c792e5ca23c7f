#!/usr/bin/env node
// Nothing else is imported here: an older Node must get its sentence before it meets what it cannot load.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`assize needs Node 22.18 or newer, and this is Node ${process.versions.node}\n`);
  process.exit(1);
}
const { command } = await import('./cli/command.ts');
process.exitCode = await command(process.argv.slice(2));

export {};
