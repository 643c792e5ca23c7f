import './require-node.mjs';

await import('./build.mjs');
await import('../dist/main.js');
