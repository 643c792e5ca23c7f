import { X509Certificate } from 'node:crypto';
import { readTlsFiles, type TlsFiles } from '../../http/tls.ts';
import { dayMs } from '../../schemas/durations.ts';
import { type CheckResult, fail, ok, warn } from '../../store/check-result.ts';

/** Renewals that are automatic happen earlier. Days. */
const soon = 14;

/** The files of TLS can be used, and the certificate does not end soon. */
export async function lookAtCertificate(files: TlsFiles | null, now: number): Promise<CheckResult[]> {
  const check = 'TLS';
  if (!files) return [];
  try {
    const { cert } = await readTlsFiles(files);
    const { validTo } = new X509Certificate(cert as string);
    const days = Math.floor((Date.parse(validTo) - now) / dayMs);
    const renew = `replace ${files.cert}: it is read again without a restart`;
    if (days < 0) return [fail(check, `the certificate ended at ${validTo}`, renew)];
    if (days < soon) return [warn(check, `the certificate ends at ${validTo}`, renew)];
    return [ok(check, `the certificate is valid until ${validTo}`)];
  } catch (error) {
    return [fail(check, (error as Error).message, 'correct the file, or the setting that names it')];
  }
}
