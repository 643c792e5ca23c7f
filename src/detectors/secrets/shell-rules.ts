/**
 * Where the arguments of programs are secrets, by the documentation of each. A rule names the subcommands that must come
 * first, and then what is secret: `#2` the second argument behind them, `#*` the last one, `-w` the argument of a flag,
 * `/rp` of a flag of Windows, `--from-literal=` what stands behind the name in the argument of a flag, `=` behind the name in
 * any argument, `pass:` what follows that prefix, `:@` the password in `user:password@host`, `<` the standard input.
 */
type Rows = readonly (readonly [names: string, ...rules: string[]])[];

const PASSWORDS: Rows = [
  ['isql', '#3'],
  ['qpdf', '--encrypt', '--encrypt#2'],
  ['samba-tool', 'user create #2', 'user add #2'],
  ['bw', 'unlock #1', 'login #2'],
  ['mc mcli', 'alias set #4', 'config host add #4', 'admin user add #3'],
  ['rclone', 'obscure #1', 'config create pass', 'config create password', 'config update pass'],
  ['openssl', 'passwd #*', 'pass:', '-k', 's_client <'],
  ['mkpasswd', '#1'],
  ['smbclient', '#2'],
  ['kadmin kadmin.local', '-w', 'addprinc -pw', 'cpw -pw', 'add_principal -pw'],
  ['kubectl oc', 'create secret generic --from-literal=', 'create secret docker-registry --docker-password'],
  ['fly flyctl', 'secrets set ='],
  ['heroku', 'config:set ='],
  ['dokku', 'config:set ='],
  ['gh', 'secret set --body', 'secret set -b', 'secret set <'],
  ['az', 'keyvault secret set --value', 'login -p'],
  ['aws', 'secretsmanager create-secret --secret-string', 'secretsmanager put-secret-value --secret-string'],
  ['pulumi', 'config set --secret#2'],
  ['ansible-vault', 'encrypt_string #1', 'encrypt_string <'],
  ['chamber', 'write #3'],
  ['credstash', 'put #2'],
  ['security', 'add-generic-password -w', 'add-internet-password -w', 'unlock-keychain -p', 'import -P'],
  ['cmdkey', '/pass'],
  ['schtasks', '/rp', '/p'],
  ['signtool', '/p'],
  ['certutil', '-p'],
  ['wbadmin', '-password'],
  ['networksetup', '-setairportnetwork#3'],
  ['dscl', '-passwd#2'],
  ['iwconfig', 'key s:'],
  ['pdftk', 'user_pw', 'owner_pw', 'input_pw'],
  ['pdftotext pdftoppm pdfimages pdfinfo', '-upw', '-opw'],
  ['steghide', '-p'],
  ['outguess', '-k'],
  ['poetry', 'config #3'],
  ['composer', 'config #3'],
  ['lftp', '-u,'],
  ['ncftpput ncftpget ncftp', '-p'],
  ['restic', '--password-command'],
  ['su', '<'],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldappasswd', '-w', '-s'],
  ['rdesktop freerdp', '-p'],
  ['mongosh mongo mongodump mongorestore', '-p'],
  ['cqlsh', '-p'],
  ['vncdo vncviewer vncconnect', '-passwd'],
  ['keytool jarsigner', '-storepass', '-keypass', '-srcstorepass', '-deststorepass'],
  ['airdecap-ng', '-p'],
  ['hydra medusa', '-p'],
  ['nmcli', 'password', 'wifi-sec.psk', '802-11-wireless-security.psk'],
  ['netsh', 'key', 'keyMaterial'],
  ['kinit', '<'],
  ['cryptsetup veracrypt', '<'],
  ['smbpasswd', '<'],
  ['passwd', '<'],
  ['vncpasswd x11vnc', '<'],
  ['secret-tool', 'store <'],
  ['pass gopass', 'insert <'],
  ['keyctl', 'padd user <', 'add user #2'],
  ['gcloud', 'secrets create <', 'secrets versions <'],
  ['gpg gpg2', '--passphrase-fd<'],
  ['docker podman nerdctl helm crane skopeo oras buildah', '--password-stdin<'],
  ['hdiutil', '-stdinpass<'],
  ['htpasswd', '-i<'],
  ['ecryptfs-add-passphrase ecryptfs-unwrap-passphrase', '<'],
  [
    'secretsdump.py psexec.py wmiexec.py smbexec.py dcomexec.py atexec.py lookupsid.py mssqlclient.py getuserspns.py',
    ':@',
  ],
  [
    'impacket-secretsdump impacket-psexec impacket-wmiexec impacket-smbexec impacket-mssqlclient impacket-lookupsid',
    ':@',
  ],
  ['mysqladmin', 'password #1'],
  ['grafana-cli grafana', 'admin reset-admin-password #1'],
  ['wp', '--user_pass', '--dbpass', '--admin_password'],
  ['occ', '<'],
  ['adduser useradd usermod', '-p'],
];

const TOKENS: Rows = [
  ['ngrok', 'authtoken #1', 'config add-authtoken #1'],
  ['confluent ccloud', 'api-key store #2'],
  ['snyk', 'auth #1'],
  ['wandb', 'login #1'],
  ['vault', 'login #1'],
  ['poetry', 'config #2'],
  ['doctl', 'auth init -t', '-t'],
  ['cloudflared', 'service install #1'],
  ['yarn npm pnpm', 'config set #2'],
  ['gh glab', 'auth login <'],
  ['wrangler', 'secret put <'],
  ['stripe', 'config --set#2'],
  ['tailscale', 'up --authkey', 'up --auth-key'],
  ['infisical doppler', '--token'],
  ['sentry-cli', '--auth-token'],
];

/** What is secret behind the words of a rule. */
export interface ShellRule {
  readonly tag: 'PASSWORD' | 'API_KEY';
  /** Subcommands, in order. */
  readonly path: readonly string[];
  /** A flag, a prefix or a word before the secret; empty for none. */
  readonly mark: string;
  /** The place of an argument, behind the mark where there is one; 0 for the last, -1 for none. */
  readonly place: number;
  readonly form: 'argument' | 'named' | 'prefix' | 'input' | 'login' | 'list';
}

/** The rules of each program. */
export const SHELL_RULES: ReadonlyMap<string, readonly ShellRule[]> = readRules();

function readRules(): Map<string, ShellRule[]> {
  const rules = new Map<string, ShellRule[]>();
  for (const [tag, rows] of [
    ['PASSWORD', PASSWORDS],
    ['API_KEY', TOKENS],
  ] as const)
    for (const [names, ...texts] of rows)
      for (const name of names.split(' '))
        rules.set(name, [...(rules.get(name) ?? []), ...texts.map((text) => ruleOf(tag, text))]);
  return rules;
}

function ruleOf(tag: ShellRule['tag'], text: string): ShellRule {
  const words = text.split(' ');
  const last = words.pop() ?? '';
  const [, mark = '', end = '', digits = ''] = /^(.*?)(|=|<|:@|,|#([\d*]))$/.exec(last) ?? [];
  const rule = { tag, path: words, mark, place: -1 };
  if (end === '=') return { ...rule, form: 'named' };
  if (end === '<') return { ...rule, form: 'input' };
  if (end === ':@') return { ...rule, form: 'login' };
  if (end === ',') return { ...rule, form: 'list' };
  if (end.startsWith('#')) return { ...rule, form: 'argument', place: digits === '*' ? 0 : Number(digits) };
  if (mark.endsWith(':')) return { ...rule, form: 'prefix' };
  return { ...rule, form: 'argument', place: 1 };
}
