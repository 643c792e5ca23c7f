import './require-node.mjs';

await import('../build/bundle.mjs');
await import('../../dist/main.js');
