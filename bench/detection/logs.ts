import { uuid } from './harmless.ts';
import { Random } from './random.ts';

/** Kinds of logs that machines write: what is in them that looks like a value is a counter, an address or a hash. */
export const LOGS: Readonly<Record<string, (r: Random) => string>> = {
  syslog: (r) =>
    r.pick([
      () => `${stamp(r)} host${r.int(1, 40)} kernel: [${r.int(1, 999999)}.${r.digits(6)}] ${kernel(r)}`,
      () => `${stamp(r)} web${r.int(1, 9)} systemd[1]: ${unit(r)}`,
      () =>
        `${stamp(r)} web${r.int(1, 9)} CRON[${r.int(300, 99999)}]: (root) CMD (test -x /usr/sbin/anacron || run-parts --report /etc/cron.daily)`,
      () =>
        `${stamp(r)} db${r.int(1, 9)} sshd[${r.int(300, 99999)}]: Received disconnect from ${ip(r)} port ${r.int(1024, 65535)}:11: disconnected by user`,
      () =>
        `${stamp(r)} db1 sshd[${r.int(300, 99999)}]: Failed password for invalid user ${r.pick(USERS)} from ${ip(r)} port ${r.int(1024, 65535)} ssh2`,
      () =>
        `${stamp(r)} db1 sshd[${r.int(300, 99999)}]: Accepted publickey for ${r.pick(USERS)} from ${ip(r)} port ${r.int(1024, 65535)} ssh2: ED25519 SHA256:${r.text(BASE64, 43)}`,
      () =>
        `${stamp(r)} web2 dhclient[${r.int(300, 9999)}]: DHCPREQUEST for ${ip(r)} on eth0 to ${ip(r)} port 67 (xid=0x${r.hex(8)})`,
      () =>
        `${stamp(r)} web2 sudo: ${r.pick(USERS)} : TTY=pts/${r.int(0, 9)} ; PWD=/home/${r.pick(USERS)} ; USER=root ; COMMAND=/usr/bin/apt update`,
      () =>
        `${stamp(r)} web2 sudo: pam_unix(sudo:session): session opened for user root(uid=0) by ${r.pick(USERS)}(uid=${r.int(1000, 2000)})`,
      () =>
        `${stamp(r)} mail postfix/smtp[${r.int(300, 99999)}]: ${r.hex(10).toUpperCase()}: relay=none, delay=${r.int(1, 99999)}, delays=0.1/0.02/30/0, dsn=4.4.1, status=deferred (connect to ${ip(r)}[${ip(r)}]:25: Connection timed out)`,
    ])(),
  nginx: (r) =>
    r.pick([
      () =>
        `${ip(r)} - - [${r.int(1, 28)}/Nov/2026:${clock(r)} +0000] "GET /${path(r)}?v=${r.digits(10)} HTTP/1.1" 200 ${r.int(100, 9999999)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.${r.digits(4)}.${r.digits(3)} Safari/537.36"`,
      () =>
        `${ip(r)} - - [${r.int(1, 28)}/Nov/2026:${clock(r)} +0000] "POST /api/v2/orders/${r.digits(9)}/items HTTP/2.0" 201 ${r.int(10, 999)} "https://shop.example.com/cart" "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15" rt=0.${r.digits(3)} uct="0.${r.digits(3)}" urt="0.${r.digits(3)}"`,
      () =>
        `2026/11/${r.int(10, 28)} ${clock(r)} [error] ${r.int(1, 99999)}#${r.int(1, 99999)}: *${r.digits(9)} upstream timed out (110: Connection timed out) while reading response header from upstream, client: ${ip(r)}, server: _, request: "GET /${path(r)} HTTP/1.1", upstream: "http://${ip(r)}:8080/${path(r)}"`,
    ])(),
  journald: (r) =>
    JSON.stringify({
      __CURSOR: `s=${r.hex(32)};i=${r.hex(6)};b=${r.hex(32)};m=${r.hex(10)};t=${r.hex(13)};x=${r.hex(16)}`,
      __REALTIME_TIMESTAMP: `17${r.digits(14)}`,
      __MONOTONIC_TIMESTAMP: r.digits(12),
      _BOOT_ID: r.hex(32),
      PRIORITY: '6',
      _PID: String(r.int(1, 99999)),
      _MACHINE_ID: r.hex(32),
      _CAP_EFFECTIVE: '1ffffffffff',
      SYSLOG_IDENTIFIER: r.pick(['systemd', 'kernel', 'NetworkManager']),
      _SYSTEMD_INVOCATION_ID: r.hex(32),
      MESSAGE: r.pick([() => unit(r), () => kernel(r)])(),
    }),
  kubernetes: (r) =>
    r.pick([
      () =>
        `I11${r.int(10, 28)} ${clock(r)}.${r.digits(6)}       1 controller.go:${r.int(10, 999)}] "Reconciling" pod="default/web-${r.hex(9)}-${r.text('bcdfghjklmnpqrstvwxz2456789', 5)}" uid="${uuid(r)}" resourceVersion="${r.digits(9)}"`,
      () =>
        `E11${r.int(10, 28)} ${clock(r)}.${r.digits(6)}    ${r.int(1000, 9999)} kubelet.go:${r.int(100, 2999)}] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=app pod=app-${r.hex(10)}-${r.text('bcdfghjklmnpqrstvwxz2456789', 5)}_default(${uuid(r)})\\""`,
      () =>
        `{"level":"info","ts":17${r.digits(8)}.${r.digits(6)},"caller":"etcdserver/server.go:${r.int(10, 2999)}","msg":"applied snapshot","local-member-id":"${r.hex(16)}","snapshot-index":${r.digits(8)},"took":"${r.int(1, 99)}.${r.digits(6)}ms"}`,
      () =>
        `time="2026-11-${r.int(10, 28)}T${clock(r)}.${r.digits(9)}Z" level=info msg="PullImage \\"registry.k8s.io/pause:3.9\\" returns image reference \\"sha256:${r.hex(64)}\\""`,
      () =>
        `2026-11-${r.int(10, 28)}T${clock(r)}.${r.digits(9)}Z stderr F W trace_id=${r.hex(32)} span_id=${r.hex(16)} duration_ms=${r.int(1, 99999)} bytes=${r.digits(8)} token_count=${r.int(1, 9999)}`,
    ])(),
  database: (r) =>
    r.pick([
      () =>
        `2026-11-${r.int(10, 28)} ${clock(r)}.${r.digits(3)} UTC [${r.int(100, 99999)}] LOG:  checkpoint complete: wrote ${r.int(1, 99999)} buffers (0.${r.digits(1)}%); 0 WAL file(s) added; write=${r.int(1, 300)}.${r.digits(3)} s; distance=${r.int(1, 999999)} kB; lsn=${r.hex(1)}/${r.hex(8).toUpperCase()}`,
      () =>
        `2026-11-${r.int(10, 28)}T${clock(r)}.${r.digits(6)}Z ${r.int(1, 99)} [Note] [MY-0${r.digits(5)}] [InnoDB] Log sequence number ${r.digits(12)}; page ${r.digits(9)}`,
      () =>
        `1:M ${r.int(10, 28)} Nov 2026 ${clock(r)}.${r.digits(3)} * DB saved on disk; RDB: ${r.int(1, 99)} MB of memory used by copy-on-write, fork ${r.int(1, 9999)} us`,
    ])(),
};

const USERS = ['deploy', 'admin', 'ubuntu', 'backup', 'oracle'];
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const two = (n: number): string => String(n).padStart(2, '0');
const clock = (r: Random): string => `${two(r.int(0, 23))}:${two(r.int(0, 59))}:${two(r.int(0, 59))}`;
const stamp = (r: Random): string => `Nov ${String(r.int(1, 28)).padStart(2)} ${clock(r)}`;
const ip = (r: Random): string => `10.${r.int(0, 255)}.${r.int(0, 255)}.${r.int(1, 254)}`;
const path = (r: Random): string =>
  r.pick([`assets/app.${r.hex(8)}.js`, `item/${r.digits(9)}`, `search/${r.int(1, 99)}`, `wp-login.php`]);

function kernel(r: Random): string {
  return r.pick([
    () =>
      `CPU: ${r.int(0, 63)} PID: ${r.int(1, 99999)} Comm: kworker/${r.int(0, 63)}:1 Tainted: G        W         6.1.0-18-amd64 #1  Debian 6.1.76-1`,
    () =>
      `RIP: 0010:ext4_writepages+0x${r.hex(3)}/0x${r.hex(4)}  RSP: 0018:ffff${r.hex(12)} EFLAGS: 00010${r.digits(3)}`,
    () => `pci 0000:${r.hex(2)}:1f.3: BAR 0: assigned [mem 0x${r.hex(8)}-0x${r.hex(8)} 64bit]`,
    () =>
      `sd 2:0:0:0: [sda] ${r.digits(10)} 512-byte logical blocks: (${r.int(1, 999)} GB/${r.int(1, 999)} GiB)`,
    () => `Memory: ${r.digits(8)}K/${r.digits(8)}K available (14342K kernel code, 2331K rwdata)`,
    () =>
      `audit: type=1400 audit(17${r.digits(8)}.${r.digits(3)}:${r.int(1, 99999)}): apparmor="STATUS" operation="profile_load" pid=${r.int(1, 99999)}`,
    () =>
      `usb 1-${r.int(1, 9)}: New USB device found, idVendor=${r.hex(4)}, idProduct=${r.hex(4)}, bcdDevice= 1.00, SerialNumber: ${r.digits(12)}`,
    () => `mce: CPU${r.int(0, 63)}: Core temperature above threshold (total events = ${r.digits(7)})`,
  ])();
}

function unit(r: Random): string {
  return r.pick([
    () => `Started Session ${r.int(1, 99999)} of User ${r.pick(USERS)}.`,
    () => `getty@tty${r.int(1, 6)}.service: Deactivated successfully.`,
    () => `user@${r.int(1000, 2000)}.service: Consumed ${r.int(1, 99)}.${r.digits(3)}s CPU time.`,
    () => `run-docker-runtime\\x2drunc-moby-${r.hex(64)}-runc.mount: Deactivated successfully.`,
    () => `Starting Daily apt download activities...`,
    () => `Listening on ssh-agent.socket (path /run/user/${r.int(1000, 2000)}/keyring).`,
    () => `Failed to start Load password and token credentials of the key store.`,
  ])();
}

/** Lines of one kind of log, as many bytes as wanted. */
export function log(kind: string, seed: number, bytes: number): string {
  const r = new Random(seed);
  const make = LOGS[kind] as (r: Random) => string;
  const lines: string[] = [];
  for (let size = 0; size < bytes; size += (lines.at(-1) as string).length + 1) lines.push(make(r));
  return lines.join('\n');
}
