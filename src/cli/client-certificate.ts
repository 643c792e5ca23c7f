import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';

/** Files (PEM) with which a command shows who it is, and knows the server. */
export interface CertificateFiles {
  clientCert?: string | undefined;
  clientKey?: string | undefined;
  serverCa?: string | undefined;
}

/** The same, read, in the form that node:tls takes. */
export interface ClientTls {
  cert?: Buffer;
  key?: Buffer;
  ca?: Buffer;
}

export const certificateSettings = {
  clientCert: 'ASSIZE_CLIENT_CERT',
  clientKey: 'ASSIZE_CLIENT_KEY',
  serverCa: 'ASSIZE_SERVER_CA',
} as const;

/** Not in the help of each command: docs/cli.md describes them once. */
export const withCertificate = (command: Command): Command =>
  command
    .addOption(new Option('--client-cert <file>').env(certificateSettings.clientCert).hideHelp())
    .addOption(new Option('--client-key <file>').env(certificateSettings.clientKey).hideHelp())
    .addOption(new Option('--server-ca <file>').env(certificateSettings.serverCa).hideHelp());

/** Null without any file. Throws an Error that names the setting of a file that is missing or cannot be read. */
export function readClientTls(files: CertificateFiles): ClientTls | null {
  const { clientCert, clientKey, serverCa } = files;
  if (!clientCert && !clientKey && !serverCa) return null;
  if (!clientCert !== !clientKey) {
    const [there, absent] = clientCert
      ? (['clientCert', 'clientKey'] as const)
      : (['clientKey', 'clientCert'] as const);
    throw new Error(`${certificateSettings[there]} needs ${certificateSettings[absent]}`);
  }
  return {
    ...(clientCert && { cert: read('clientCert', clientCert) }),
    ...(clientKey && { key: read('clientKey', clientKey) }),
    ...(serverCa && { ca: read('serverCa', serverCa) }),
  };
}

function read(setting: keyof CertificateFiles, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(
      `${certificateSettings[setting]}: cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
}
