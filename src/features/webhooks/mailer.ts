import { createConnection, type LookupFunction } from 'node:net';
import { createTransport, type SMTPTransportOptions, type Transporter } from 'nodemailer';
import { createAddressPolicy, guardedLookup } from '../../services/callbacks/address-policy.ts';
import type { Delivery } from '../../services/callbacks/callback-sender.ts';

export interface MailerOptions {
  /** `smtp://` (STARTTLS where it is offered) or `smtps://`, with user and password where it needs them. */
  url: string;
  from: string;
  /** Non-public addresses that the operator allowed. */
  allow: readonly string[];
  timeoutMs?: number;
  /** Name resolution; the system's when absent. */
  lookup?: LookupFunction;
}

export interface Mail {
  /** The same for every attempt, so that a repeat can be dropped. */
  id: string;
  to: readonly string[];
  subject: string;
  text: string;
}

export interface Mailer {
  /** One attempt; never throws. Delivered means that the server took it for every recipient. */
  send(mail: Mail): Promise<Delivery>;
}

const usualPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

/** The connection is dialled here, so that the guard sees the address that is dialled, as for every other destination. */
export function createMailer({
  url: text,
  from,
  allow,
  timeoutMs = 10_000,
  lookup: resolve,
}: MailerOptions): Mailer {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const port = Number(url.port) || usualPorts[secure ? 'smtps:' : 'smtp:'];
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const policy = createAddressPolicy(allow);
  const user = decodeURIComponent(url.username);
  const options: SMTPTransportOptions = {
    host,
    port,
    secure,
    // A password goes over TLS or not at all.
    requireTLS: !secure && user !== '',
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options, done) {
      try {
        const lookup = guardedLookup(new URL(`http://${url.hostname}:${port}`), policy, resolve);
        const connection = createConnection({
          host,
          port,
          lookup,
          autoSelectFamily: true,
          timeout: timeoutMs,
        });
        connection.once('error', (error) => done(error, undefined));
        connection.once('timeout', () => connection.destroy(new Error('no connection in time')));
        connection.once('connect', () => {
          connection.removeAllListeners('error').removeAllListeners('timeout').setTimeout(0);
          connection.on('error', () => undefined);
          done(null, { connection });
        });
      } catch (error) {
        done(error as Error, undefined);
      }
    },
  };
  let transport: Transporter | undefined;

  return {
    async send({ id, to, subject, text: body }) {
      try {
        transport ??= createTransport(options);
        await transport.sendMail({
          from,
          to: [...to],
          subject,
          text: body,
          messageId: `<${id}@assize>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { delivered: true, status: 250 };
      } catch (error) {
        return failed(error as SmtpError);
      }
    },
  };
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** Only codes: the words of a server may repeat what was sent. */
function failed({ code, responseCode, message }: SmtpError): Delivery {
  const refused = /^address refused: [a-z-]+$/.test(message) ? message : null;
  return {
    delivered: false,
    ...(responseCode !== undefined && { status: responseCode }),
    reason: refused ?? `mail not accepted: ${responseCode ?? code ?? 'no connection'}`,
    permanent: false,
  };
}
