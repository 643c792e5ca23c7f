const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Files of programs that keep passwords, each as its program writes it; `v` is the password. */
export const CONFIG_FILES: Readonly<Record<string, (v: string) => string>> = {
  '.netrc': (v) => `machine api.example.net\n  login bob\n  password ${v}\n`,
  '.pgpass': (v) => `# local\ndb.example.net:5432:shop:app:${v}\n`,
  '.my.cnf': (v) => `[client]\nuser=root\npassword=${v}\nhost=db\n`,
  '.my.cnf, quoted': (v) => `[mysql]\nuser = root\npassword = "${v}"\n`,
  '.npmrc': (v) =>
    `registry=https://npm.example.net/\n//npm.example.net/:_password="${base64(v)}"\n//npm.example.net/:username=bob\n`,
  '.pypirc': (v) =>
    `[distutils]\nindex-servers =\n  private\n\n[private]\nrepository: https://pypi.example.net\nusername: bob\npassword: ${v}\n`,
  '.git-credentials': (v) => `https://bob:${encodeURIComponent(v)}@git.example.net\n`,
  '.env': (v) => `APP_ENV=production\nDB_HOST=db\nDB_PASSWORD=${v}\nDB_NAME=shop\n`,
  '.env, quoted': (v) => `MAIL_USERNAME="bob"\nMAIL_PASSWORD="${v}"\n`,
  '.htpasswd, plain': (v) => `htpasswd -b /etc/nginx/.htpasswd bob '${v}'\n`,
  'wp-config.php': (v) =>
    `define( 'DB_NAME', 'shop' );\ndefine( 'DB_USER', 'wp' );\ndefine( 'DB_PASSWORD', '${v}' );\n`,
  'settings.py': (v) =>
    `DATABASES = {\n    'default': {\n        'ENGINE': 'django.db.backends.postgresql',\n        'USER': 'app',\n        'PASSWORD': '${v}',\n    }\n}\n`,
  'database.yml': (v) => `production:\n  adapter: mysql2\n  username: app\n  password: ${v}\n  host: db\n`,
  'application.properties': (v) => `spring.datasource.username=app\nspring.datasource.password=${v}\n`,
  'application.yml': (v) => `spring:\n  datasource:\n    username: app\n    password: "${v}"\n`,
  'context.xml': (v) =>
    `<Resource name="jdbc/shop" username="app" password="${v}" driverClassName="org.postgresql.Driver"/>`,
  'tomcat-users.xml': (v) => `<user username="bob" password="${v}" roles="manager-gui"/>`,
  'web.config': (v) =>
    `<add name="Shop" connectionString="Server=db;Database=shop;User Id=sa;Password=${v};" />`,
  'appsettings.json': (v) => `{"ConnectionStrings":{"Shop":"Host=db;Username=app;Password=${v}"}}`,
  'settings.xml of Maven': (v) =>
    `<server>\n  <id>nexus</id>\n  <username>bob</username>\n  <password>${v}</password>\n</server>`,
  'gradle.properties': (v) => `nexusUsername=bob\nnexusPassword=${v}\n`,
  'nuget.config': (v) =>
    `<packageSourceCredentials>\n  <feed>\n    <add key="Username" value="bob" />\n    <add key="ClearTextPassword" value="${v}" />\n  </feed>\n</packageSourceCredentials>`,
  'pom.xml': (v) => `<properties>\n  <db.password>${v}</db.password>\n</properties>`,
  'config.json of Docker': (v) => `{"auths":{"registry.example.net":{"auth":"${base64(`bob:${v}`)}"}}}`,
  'docker-compose.yml': (v) =>
    `services:\n  db:\n    image: postgres\n    environment:\n      POSTGRES_USER: app\n      POSTGRES_PASSWORD: ${v}\n`,
  'docker-compose.yml, list': (v) =>
    `    environment:\n      - MYSQL_ROOT_PASSWORD=${v}\n      - MYSQL_DATABASE=shop\n`,
  Dockerfile: (v) => `FROM debian\nENV ADMIN_PASSWORD ${v}\nRUN true\n`,
  'values.yaml': (v) => `auth:\n  rootPassword: ${v}\n  replicaCount: 2\n`,
  'Secret of Kubernetes': (v) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  password: ${base64(v)}\n`,
  'Secret, plain': (v) => `apiVersion: v1\nkind: Secret\nstringData:\n  password: ${v}\n`,
  kubeconfig: (v) => `users:\n- name: bob\n  user:\n    username: bob\n    password: ${v}\n`,
  'terraform.tfvars': (v) => `db_username = "app"\ndb_password = "${v}"\n`,
  'main.tf': (v) => `resource "aws_db_instance" "shop" {\n  username = "app"\n  password = "${v}"\n}\n`,
  'terraform.tfstate': (v) =>
    `{"instances":[{"attributes":{"username":"app","password":"${v}","port":5432}}]}`,
  'group_vars of Ansible': (v) => `ansible_user: root\nansible_ssh_pass: ${v}\nansible_become_pass: ${v}\n`,
  'hosts of Ansible': (v) => `[web]\nweb1 ansible_host=10.0.0.4 ansible_user=root ansible_password=${v}\n`,
  'wpa_supplicant.conf': (v) => `network={\n  ssid="home"\n  psk="${v}"\n}\n`,
  'system-connections': (v) => `[wifi-security]\nkey-mgmt=wpa-psk\npsk=${v}\n`,
  'smb credentials': (v) => `username=bob\npassword=${v}\ndomain=CORP\n`,
  fstab: (v) => `//nas/share /mnt cifs username=bob,password=${v},uid=1000 0 0\n`,
  'redis.conf': (v) => `port 6379\nrequirepass ${v}\nmaxmemory 2gb\n`,
  'users.acl': (v) => `user bob on >${v} ~* +@all\n`,
  'rabbitmq.conf': (v) => `default_user = bob\ndefault_pass = ${v}\n`,
  'grafana.ini': (v) => `[security]\nadmin_user = admin\nadmin_password = ${v}\n`,
  'elasticsearch.yml': (v) => `xpack.security.transport.ssl.keystore.password: ${v}\n`,
  'mongod.conf': (v) => `net:\n  tls:\n    PEMKeyPassword: ${v}\n`,
  'sitemanager.xml': (v) =>
    `<Server><Host>ftp.example.net</Host><User>bob</User><Pass encoding="base64">${base64(v)}</Pass></Server>`,
  'credentials.xml': (v) => `<username>bob</username>\n<password>${v}</password>\n`,
  'odbc.ini': (v) => `[shop]\nDriver = PostgreSQL\nUid = app\nPwd = ${v}\n`,
  'ldap.conf': (v) => `binddn cn=admin,dc=example,dc=net\nbindpw ${v}\n`,
  'sssd.conf': (v) => `ldap_default_bind_dn = cn=admin\nldap_default_authtok = ${v}\n`,
  'rclone.conf': (v) => `[nas]\ntype = webdav\nuser = bob\npass = ${v}\n`,
  msmtprc: (v) => `account default\nhost smtp.example.net\nuser bob\npassword ${v}\n`,
  'sasl_passwd of Postfix': (v) => `[smtp.example.net]:587 bob:${v}\n`,
  'sendmail authinfo': (v) => `AuthInfo:smtp.example.net "U:bob" "I:bob" "P:${v}" "M:PLAIN"\n`,
  'mutt muttrc': (v) => `set imap_user = "bob"\nset imap_pass = "${v}"\n`,
  'chap-secrets': (v) => `# client server secret IP\nbob pppd "${v}" *\n`,
  'ipsec.secrets': (v) => `bob : EAP "${v}"\n10.0.0.1 10.0.0.2 : PSK "${v}"\n`,
  'openvpn auth': (v) => `<auth-user-pass>\nbob\n${v}\n</auth-user-pass>\n`,
  'cisco running-config': (v) =>
    `username bob privilege 15 password 0 ${v}\nenable password ${v}\nsnmp-server community ${v} RO\n`,
  'junos set': (v) => `set system root-authentication plain-text-password-value "${v}"\n`,
  'unattend.xml': (v) =>
    `<AutoLogon><Password><Value>${v}</Value><PlainText>true</PlainText></Password></AutoLogon>`,
  kickstart: (v) => `rootpw --plaintext ${v}\nuser --name=bob --password=${v} --plaintext\n`,
  preseed: (v) => `d-i passwd/root-password password ${v}\nd-i passwd/root-password-again password ${v}\n`,
  'cloud-init': (v) =>
    `#cloud-config\npassword: ${v}\nchpasswd:\n  list: |\n    root:${v}\n  expire: false\n`,
  'LocalSettings.php': (v) => `$wgDBuser = "wiki";\n$wgDBpassword = "${v}";\n`,
  'config.php': (v) => `$dbhost = 'db';\n$dbpass = '${v}';\n$CFG->dbpass = '${v}';\n`,
  'parameters.yml': (v) => `parameters:\n    database_password: ${v}\n    mailer_password: '${v}'\n`,
  'secrets.toml': (v) => `[connections.shop]\nusername = "app"\npassword = "${v}"\n`,
  'pgbouncer userlist': (v) => `"app" "${v}"\n`,
  'proxy of apt': (v) => `Acquire::http::Proxy "http://bob:${v}@proxy.example.net:3128";\n`,
  'auth.conf of apt': (v) => `machine apt.example.net login bob password ${v}\n`,
  crontab: (v) => `0 3 * * * mysqldump -u root -p'${v}' shop > /backup/shop.sql\n`,
};
