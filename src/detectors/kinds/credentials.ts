import type { Kind } from './kind.ts';

export const credentials: readonly Kind[] = [
  'AWS_ACCESS_KEY',
  'AWS_SECRET_KEY',
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'SLACK_TOKEN',
  'STRIPE_KEY',
  'OPENAI_KEY',
  'ANTHROPIC_KEY',
  'GCP_API_KEY',
  'AZURE_SECRET',
  'NPM_TOKEN',
  'PYPI_TOKEN',
  'HUGGINGFACE_TOKEN',
  'SENDGRID_KEY',
  'TWILIO_KEY',
  'JWT',
  'PRIVATE_KEY',
  'CONNECTION_STRING',
  'PASSWORD',
  'API_KEY',
  'GENERIC_SECRET',
].map((tag) => ({ tag, categories: ['CREDENTIALS'] }));

/** Secrets that open a door without being a password: hashes, signed addresses, codes, seeds. */
export const access: readonly Kind[] = [
  {
    tag: 'PASSWORD_HASH',
    categories: ['CREDENTIALS'],
  },
  {
    tag: 'SIGNED_URL',
    categories: ['CREDENTIALS'],
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
  },
  {
    tag: 'SEED_PHRASE',
    categories: ['CREDENTIALS', 'FINANCIAL'],
  },
];
