import { useClient } from './program.mjs';

const [url, key] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
console.log(JSON.stringify(await useClient(url, key)));
