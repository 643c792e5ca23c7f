import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import t, { type Test } from 'tap';
import { createMailer } from '../../../src/features/webhooks/mailer.ts';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';
import { heldIntegration } from '../../helpers/reviews.ts';
import { startNameServer } from '../../services/callbacks/name-server.ts';
import { openReceiver } from './receiver.ts';

const settings = { ASSIZE_CALLBACK_ALLOW: '127.0.0.1', ASSIZE_PUBLIC_URL: 'https://assize.example.com/' };

async function webhook(app: TestApp, body: object): Promise<{ id: string }> {
  const made = await app.call(adminKey, 'POST', '/v1/webhooks', { name: 'n', ...body });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}

interface ReceivedMail {
  from: string;
  to: string[];
  text: string;
}

async function mailServer(t: Test, refuse: { value: boolean } = { value: false }) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        if (refuse.value) return done(Object.assign(new Error('later'), { responseCode: 451 }));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { mails, url: `smtp://127.0.0.1:${port}` };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

t.test(
  'Slack: says what waits, how long it has left, and links to it; names of tools are no markup',
  async (t) => {
    const app = await startApp(t, settings);
    const receiver = await openReceiver(t);
    const held = await heldIntegration(app);
    await webhook(app, { format: 'SLACK', url: receiver.url });
    app.services.webhookDeliveries.start();
    const id = await held.review();
    const [first] = await receiver.take(1);
    t.notOk(first?.headers['webhook-signature'], 'Slack has no use for a signature');
    const { text, blocks } = JSON.parse(first?.body ?? '');
    const link = `https://assize.example.com/console/reviews?id=${id}`;
    t.equal(text, `A review is waiting: pay ${link}`);
    t.match(blocks[0], { type: 'header', text: { type: 'plain_text', text: 'A review is waiting: pay' } });
    const fields = blocks[1].fields.map((field: { type: string; text: string }) => {
      t.equal(field.type, 'plain_text');
      return field.text;
    });
    t.ok(fields.includes('Integration: test AGENT'));
    t.ok(fields.includes('Time left: 15 min (until 2030-01-01T00:15:00.000Z)'));
    t.equal(blocks[2].elements[0].url, link);

    const policy =
      'schemaVersion: 1\nname: any\nrules: [{ id: any, when: \'tool.startsWith("pay")\', effect: APPROVAL_REQUIRED, approval: { expiresIn: 225m } }]\n';
    await app.policy(held.id, policy);
    await held.review({ input: { tool: 'pay <!channel> [x](https://evil.example) &' } });
    const [, second] = await receiver.take(2);
    const typed = { mrkdwn: false, unfurl_links: false, unfurl_media: false };
    t.match(JSON.parse(second?.body ?? ''), typed, 'no bold names, no previews of their links');
    t.match(
      JSON.parse(second?.body ?? '').text,
      /^A review is waiting: pay &lt;!channel&gt; \[x\]\(https:\/\/evil\.example\) &amp; /,
    );
    t.match(second?.body, 'Time left: 3 h 45 min (until 2030-01-01T03:45:00.000Z)');
    await held.review({ input: { tool: `pay ${'A'.repeat(122)}${'😀'.repeat(90)}` } });
    const [, , third] = await receiver.take(3);
    t.notMatch(third?.body, /\\ud[89a-f]/i, 'no half of a character at a cut');
  },
);

t.test('Microsoft Teams: an Adaptive Card whose texts are not read as Markdown', async (t) => {
  const app = await startApp(t, settings);
  const receiver = await openReceiver(t);
  const held = await heldIntegration(app);
  await webhook(app, { format: 'TEAMS', url: receiver.url });
  app.services.webhookDeliveries.start();
  const id = await held.review();
  const [first] = await receiver.take(1);
  const { type, attachments } = JSON.parse(first?.body ?? '');
  t.equal(type, 'message');
  t.equal(attachments[0].contentType, 'application/vnd.microsoft.card.adaptive');
  const { body, actions, ...card } = attachments[0].content;
  t.match(card, { type: 'AdaptiveCard', version: '1.4' });
  const lines = body.map((block: { type: string; inlines: { type: string; text: string }[] }) => {
    t.equal(block.type, 'RichTextBlock');
    return block.inlines.map((run) => run.text).join('');
  });
  t.equal(lines[0], 'A review is waiting: pay');
  t.ok(lines.includes('Time left: 15 min (until 2030-01-01T00:15:00.000Z)'));
  t.strictSame(actions, [
    {
      type: 'Action.OpenUrl',
      title: 'Open in Assize',
      url: `https://assize.example.com/console/reviews?id=${id}`,
    },
  ]);
});

t.test('e-mail: plain text over SMTP, tried again when the server cannot take it', async (t) => {
  const refuse = { value: true };
  const server = await mailServer(t, refuse);
  const app = await startApp(t, {
    ...settings,
    ASSIZE_SMTP_URL: server.url,
    ASSIZE_SMTP_FROM: 'Assize <assize@example.com>',
  });
  const held = await heldIntegration(app);
  await webhook(app, { format: 'EMAIL', to: ['ada@example.com', 'bob@example.com'] });
  app.services.webhookDeliveries.start();
  const id = await held.review();
  const deliveries = async () => (await app.call(adminKey, 'GET', '/v1/webhook-deliveries')).body.data;
  let seen = await deliveries();
  while (seen[0]?.attemptCount !== 1) seen = await deliveries();
  t.match(seen[0], { status: 'PENDING', lastStatusCode: 451, lastError: 'mail not accepted: 451' });
  refuse.value = false;
  app.clock.advance(6_000);
  await until(() => server.mails.length === 1);
  const [mail] = server.mails;
  t.match(mail, { from: 'assize@example.com', to: ['ada@example.com', 'bob@example.com'] });
  const [head = '', text = ''] = mail?.text.split('\r\n\r\n') ?? [];
  t.match(head, /^Subject: \[Assize\] A review is waiting: pay$/m);
  t.match(head, new RegExp(`^Message-ID: <${seen[0].eventId}@assize>`, 'im'));
  t.match(head, /^Content-Type: text\/plain/m);
  t.match(mail?.text ?? '', /Time left: 14 min \(until 2030-01-01T00:15:00.000Z\)/);
  t.ok(
    (mail?.text ?? '').replaceAll('=\r\n', '').includes(`/console/reviews?id=3D${id}`) ||
      (mail?.text ?? '').includes(`/console/reviews?id=${id}`),
  );
  t.ok(text !== '');

  await app.policy(held.id, rule('tool.startsWith("=?")', 'APPROVAL_REQUIRED'));
  await held.review({ input: { tool: '=?utf-8?Q?A_review_was_approved?=' } });
  await until(() => server.mails.length === 2);
  t.match(
    server.mails[1]?.text,
    /^Subject: .*: = \?utf-8\?Q\?A_review_was_approved\?=/m,
    'not decoded by readers',
  );
});

t.test('e-mail: the guard of addresses holds for the mail server too', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, { ASSIZE_SMTP_URL: server.url, ASSIZE_SMTP_FROM: 'a@example.com' });
  const { id } = await webhook(app, { format: 'EMAIL', to: ['ada@example.com'] });
  const { body } = await app.call(adminKey, 'POST', `/v1/webhooks/${id}/test`);
  t.match(body.data, { delivered: false, reason: 'address refused: loopback' });
  t.strictSame(server.mails, []);
});

t.test('e-mail: a name server that changes its response does not lead it to another address', async (t) => {
  const server = await mailServer(t);
  const { lookup } = await startNameServer(t, [['127.0.0.1'], ['127.0.0.2']]);
  const url = server.url.replace('127.0.0.1', 'mail.example');
  const mailer = createMailer({ url, from: 'a@example.com', allow: ['127.0.0.1'], lookup });
  const mail = { id: 'one', to: ['ada@example.com'], subject: 's', text: 't' };
  t.match(await mailer.send(mail), { delivered: true });
  t.match(await mailer.send(mail), { delivered: false, reason: 'address refused: loopback' });
  t.equal(server.mails.length, 1);
});
