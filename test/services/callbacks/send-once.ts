// A process of its own for settings that Node reads once at start (NODE_EXTRA_CA_CERTS, proxies): sends one callback
// to the URL given, with 127.0.0.1 open, and prints what came of it.
import { createCallbackSender } from '../../../src/services/callbacks/callback-sender.ts';

const [, , url = ''] = process.argv;
const sender = createCallbackSender({ allow: ['127.0.0.1'], now: Date.now });
const delivery = await sender.send({
  id: 'msg_1',
  url,
  secrets: [`whsec_${btoa('k'.repeat(24))}`],
  body: '{}',
});
await sender.close();
console.log(JSON.stringify(delivery));
