import type { Kind } from './kind.ts';

export const credentials: readonly Kind[] = [
  {
    tag: 'AWS_ACCESS_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'AKIA, ASIA, ABIA or ACCA and 16 upper-case letters or digits',
      strength: ['checksum'],
      found: 'AKIAQ3EGRXVNLZ7T2MPD',
      missed: 'AKIAQ3EGRXVNLZ7T2MP',
    },
  },
  {
    tag: 'AWS_SECRET_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'a random-looking value under its key or label',
      strength: ['bare'],
      found: { aws_secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ83kLmT5v' },
      missed: { aws_secret_access_key: '<your key>' },
    },
  },
  {
    tag: 'GITHUB_TOKEN',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'ghp_, gho_, ghu_, ghs_, ghr_ and 36 or more; github_pat_ and 82',
      strength: ['checksum'],
      found: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      missed: 'ghp_16C7e42F292c6912E7710c838347Ae178B4',
    },
  },
  {
    tag: 'GITLAB_TOKEN',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'glpat- and its siblings, 20 or more',
      strength: ['checksum'],
      found: 'glpat-x9Kq2LmZ7RtVwY3bN8dP',
      missed: 'glpat-x9Kq2LmZ7RtV',
    },
  },
  {
    tag: 'SLACK_TOKEN',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'xoxb-, xoxp-, xapp- and siblings; incoming webhook addresses',
      strength: ['checksum'],
      found: 'xoxb-123456789012-210987654321-aB3dE5fG7hJ9kL1mN2pQ4rS6',
      missed: 'xoxb-short',
    },
  },
  {
    tag: 'STRIPE_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'sk_, rk_ and live or test, 10 or more; whsec_',
      strength: ['checksum'],
      found: 'rk_test_4eC39HqLyjWDarjtT1zdp7dc',
      missed: 'pk_test_4eC39HqLyjWDarjtT1zdp7dc',
    },
  },
  {
    tag: 'OPENAI_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'sk-proj-, sk-svcacct-, sk-admin-; sk- and 48',
      strength: ['checksum'],
      found: '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',
      missed: 'sk-a1B2c3D4e5F6g7H8i9J0',
    },
  },
  {
    tag: 'ANTHROPIC_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'sk-ant-api03-, sk-ant-admin01- and 80 or more',
      strength: ['checksum'],
      found:
        'sk-ant-api03-a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6gAA',
      missed: 'sk-ant-api03-a1B2c3D4',
    },
  },
  {
    tag: 'GCP_API_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'AIza and 35; GOCSPX-; ya29.',
      strength: ['checksum'],
      found: 'AIzaSyD8fK2mN4pQ6rS8tU0vW2xY4zA6bC8dE0f',
      missed: 'AIzaSyD8fK2mN4pQ6rS8tU0vW2xY4zA6bC8dE',
    },
  },
  {
    tag: 'AZURE_SECRET',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'an Entra ID client secret (digit and Q~ after three); storage and shared access keys by label',
      strength: ['checksum', 'bare'],
      found: 'abc8Q~x1Y2z3A4b5C6d7E8f9G0h1I2j3K4l5M6n7',
      missed: 'abc8Q~x1Y2z3A4',
    },
  },
  {
    tag: 'NPM_TOKEN',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'npm_ and 36',
      strength: ['checksum'],
      found: 'npm_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8',
      missed: 'npm_a1B2c3D4e5F6',
    },
  },
  {
    tag: 'PYPI_TOKEN',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'pypi- and 85 or more; pypi-AgE and 50 or more',
      strength: ['checksum'],
      found: 'pypi-AgEIcHlwaS5vcmcCJDU3ZmM4YzI1LTk4YzAtNDQ4Mi05ZDkwLTZhMDI1YjA1',
      missed: 'pypi-server-2.1',
    },
  },
  {
    tag: 'HUGGINGFACE_TOKEN',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'hf_ and 34',
      strength: ['checksum'],
      found: 'hf_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6gH',
      missed: 'hf_transfer_enabled',
    },
  },
  {
    tag: 'SENDGRID_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'SG. and 66 in two parts',
      strength: ['checksum'],
      found: 'SG.a1B2c3D4e5F6g7H8i9J0aB.a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0a1B',
      missed: 'SG.a1B2c3D4',
    },
  },
  {
    tag: 'TWILIO_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'SK or AC and 32 hexadecimal digits; tokens by label',
      strength: ['checksum', 'bare'],
      found: 'SK8f14e45fceea167a5a36dedd4bea2543',
      missed: 'SK8f14e45fceea167a5a36dedd4bea254',
    },
  },
  {
    tag: 'JWT',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'RFC 7519: two JSON objects in base64url and a signature',
      strength: ['checksum'],
      found: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
      missed: 'eyJhbGciOiJIUzI1NiJ9.notes',
    },
  },
  {
    tag: 'PRIVATE_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'RFC 7468 armour to its end',
      strength: ['checksum'],
      found: '-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY-----',
      missed: '-----BEGIN PUBLIC KEY-----\nMHcCAQ\n-----END PUBLIC KEY-----',
    },
  },
  {
    tag: 'CONNECTION_STRING',
    categories: ['CREDENTIALS'],
    docs: {
      counts:
        "RFC 3986 userinfo with a password that is no template; data sources of Go's and Oracle's drivers",
      strength: ['checksum'],
      found: 'postgres://app:s3cret@db.internal:5432/main',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's variable
      missed: 'postgres://app:${PASSWORD}@db.internal/main',
    },
  },
  {
    tag: 'PASSWORD',
    categories: ['CREDENTIALS'],
    docs: {
      counts:
        'a value under its key, after its label or name, or that a sentence, a call or a command calls one',
      strength: ['bare'],
      found: { password: 'hunter2' },
      missed: "const password = getPassword('db')",
    },
  },
  {
    tag: 'API_KEY',
    categories: ['CREDENTIALS'],
    docs: {
      counts:
        'prefixes of some eighty vendors (below); a random-looking value under a key or label that ends with key or token',
      strength: ['checksum', 'bare'],
      found: 'api_key = "8f14e45fceea167a5a36dedd4bea2543"',
      missed: 'api_key = process.env.API_KEY',
    },
  },
  {
    tag: 'GENERIC_SECRET',
    categories: ['CREDENTIALS'],
    docs: {
      counts: 'a random-looking value under secret, credential and the like',
      strength: ['bare'],
      found: { client_secret_value: 0, app_secret: 'k3J9xQ2vLm8Zt5Rw7Yp1' },
      missed: { app_secret: 'configured' },
    },
  },
];

/** What opens a door without being the password of one: hashes, signed addresses, codes, seeds. */
export const access: readonly Kind[] = [
  {
    tag: 'PASSWORD_HASH',
    categories: ['CREDENTIALS'],
    docs: {
      counts:
        'bcrypt, Argon2, scrypt, PBKDF2, SHA-crypt, MD5-crypt, yescrypt and phpass as crypt(5), PHC strings, Django, Werkzeug, LDAP ({SSHA}) and PostgreSQL (SCRAM) write them',
      strength: ['checksum'],
      found: '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW',
      missed: '$2b$12$R9h',
    },
  },
  {
    tag: 'SIGNED_URL',
    categories: ['CREDENTIALS'],
    docs: {
      counts:
        'the signature in a URL that anyone may use: X-Amz-Signature, X-Goog-Signature, Signature (CloudFront), sig (Azure shared access)',
      strength: ['formatted'],
      found:
        'https://acc.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sp=r&sig=Z%2FRHIX5Xcg0Mq2rqI3OlWTjEg2tYkboXr1P9ZUXDtkk%3D',
      missed: 'https://acc.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sp=r&sig=none',
    },
  },
  {
    tag: 'ONE_TIME_CODE',
    categories: ['CREDENTIALS'],
    words:
      'otp totp otp_code mfa_code 2fa_code verification_code verify_code confirmation_code authentication_code login_code ' +
      'authentication_otp auth_code sms_code activation_code onetime_code onetime_password time_code time_password time_passcode ' +
      'time_pin passcode bestatigungscode bestatigungs_code einmalcode einmalpasswort tan_nummer codigo_verificacion de_verificacion de_verification ' +
      'di_verifica verificatiecode 验证码 驗證碼 認証コード 인증번호 ' +
      'backup_code backup_codes recovery_code recovery_codes your_code security_pin one_time login_pin signin_code passcodes otps ' +
      'bestaetigungscode sicherheitscode freigabecode code_verification code_confirmation code_securite code_recu codice_verifica codice_conferma codice_otp ' +
      'codigo_confirmacion codigo_acceso codigo_seguranca codigo_otp codigo_sms codigo_recibido bevestigingscode inlogcode bekraftelsekod engangskod engangskode engangspassord verifieringskod ' +
      'kod_weryfikacyjny kod_sms kod_jednorazowy overovaci_kod potvrzovaci_kod ellenorzo_kod megerosito_kod cod_verificare cod_confirmare codul_verificare dogrulama_kodu onay_kodu sms_kodu ' +
      'kode_otp kode_verifikasi ma_otp ma_xac xac_nhan код_подтверждения код_доступа код_смс проверочный_код одноразовый_код код_підтвердження κωδικος_επιβεβαιωσης ' +
      '確認コード ワンタイムパスワード 動的パスワード 动态码 校验码 确认码 인증코드 인증_코드 קוד_אימות קוד_אישור رمز_التحقق كود_التحقق รหัส_otp ओटीपी ' +
      'ton_code votre_code dein_code deinen_code ihr_code ihren_code tu_codigo su_codigo seu_codigo tuo_codice suo_codice je_code uw_code jouw_code twoj_kod din_kod din_kode ' +
      'koden_din din_engangskode ditt_kod koden_er koden_ar ваш_код твой_код あなたの認証番号 認証番号 短信验证码 login_otp reset_code access_code magic_code email_code phone_code text_code texted_code',
    docs: {
      counts: '4 to 8 digits right after its word or under its key, or before "is your … code"',
      strength: ['bare'],
      found: 'your verification code is 482913',
      missed: 'your order code is 482913',
    },
  },
  {
    tag: 'SEED_PHRASE',
    categories: ['CREDENTIALS', 'FINANCIAL'],
    docs: {
      counts:
        'BIP-39: 12 to 24 English words whose checksum holds, as a whole string, as an array, or after the label of one, numbered too',
      strength: ['checksum'],
      found: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
      missed: 'legal winner thank year wave sausage worth useful legal winner thank year',
    },
  },
];
