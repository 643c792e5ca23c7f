import { readFileSync } from 'node:fs';

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
