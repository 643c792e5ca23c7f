import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files as an operator makes them: an authority, and certificates that it signs. */
export function createAuthority(folder: string, name: string) {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  );
  return {
    file: join(folder, `${name}.pem`),
    sign(subject: string) {
      openssl(
        'req',
        ...newKey,
        '-keyout',
        `${subject}.key`,
        '-out',
        `${subject}.csr`,
        '-subj',
        `/CN=${subject}`,
      );
      writeFileSync(join(folder, 'names.cnf'), 'subjectAltName=IP:127.0.0.1');
      const signed = ['-CA', `${name}.pem`, '-CAkey', `${name}.key`, '-CAcreateserial', '-days', '2'];
      openssl(
        'x509',
        '-req',
        '-in',
        `${subject}.csr`,
        ...signed,
        '-extfile',
        'names.cnf',
        '-out',
        `${subject}.pem`,
      );
      return { cert: join(folder, `${subject}.pem`), key: join(folder, `${subject}.key`) };
    },
  };
}
