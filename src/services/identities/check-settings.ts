import { AppError } from '../../errors.ts';
import type { IdentityIssuer, IdentitySettings } from '../../schemas/identities.ts';

/** Settings are read with their integration in every list. */
const mostBytes = 16_384;
const publicTypes: readonly unknown[] = ['RSA', 'EC', 'OKP'];
/** Members of a JSON Web Key that hold a private or a symmetric key (RFC 7518, section 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

/** Throws for settings under which a token could not be checked. `path`: JSON Pointer to them. */
export function checkIdentitySettings(settings: IdentitySettings, path: string): void {
  if (Buffer.byteLength(JSON.stringify(settings)) > mostBytes)
    throw new AppError(
      'invalid',
      `must be at most ${mostBytes} bytes of JSON: name jwksUri in place of jwks`,
      { path },
    );
  const seen = new Set<string>();
  for (const [index, issuer] of settings.issuers.entries()) {
    const at = `${path}/issuers/${index}`;
    if (seen.has(issuer.issuer))
      throw new AppError('invalid', 'names an issuer twice: give its audiences in one place', {
        path: `${at}/issuer`,
      });
    seen.add(issuer.issuer);
    checkAddress(issuer.issuer, `${at}/issuer`);
    if (issuer.jwksUri !== undefined) checkAddress(issuer.jwksUri, `${at}/jwksUri`);
    if (issuer.jwksUri !== undefined && issuer.jwks)
      throw new AppError('invalid', 'the keys are given in two places: leave out this or jwksUri', {
        path: `${at}/jwks`,
      });
    checkKeys(issuer, `${at}/jwks/keys`);
  }
}

function checkAddress(text: string, path: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    throw new AppError('invalid', 'must be an http or https URL without credentials and fragment', { path });
}

function checkKeys({ jwks }: IdentityIssuer, path: string): void {
  for (const [index, key] of (jwks?.keys ?? []).entries()) {
    if (!publicTypes.includes(key.kty))
      throw new AppError('invalid', 'must be a public key of kty RSA, EC or OKP', {
        path: `${path}/${index}/kty`,
      });
    const secret = secretMembers.find((member) => Object.hasOwn(key, member));
    if (secret !== undefined)
      throw new AppError('invalid', 'is a private key: give the public one, without this member', {
        path: `${path}/${index}/${secret}`,
      });
  }
}
