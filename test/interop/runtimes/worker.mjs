import { useClient } from './program.mjs';

// biome-ignore lint/style/noDefaultExport: a worker is its module's default
export default {
  fetch: async (_request, { SERVICE, KEY }) => Response.json(await useClient(SERVICE, KEY)),
};
